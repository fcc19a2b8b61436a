"""The small field types of the template schema and of overrides, each rule in one place."""

import math
import re
from collections.abc import Callable, Mapping
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field

from providers.contract.pydantic_errors import FieldFault
from providers.contract.quantity import parse_quantity

MAX_REPLICAS = 1000

_ENV_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,252}")
_ARG_NAME = re.compile(r"[a-z0-9][a-z0-9_.]{0,99}")
_SECRET_WORDS = re.compile(
    r"(?:^|_)(?:TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|APIKEY|API_KEY|ACCESS_KEY|PRIVATE_KEY)"
    r"(?:_ID)?(?:$|_)",
    re.IGNORECASE,
)


def is_secret_name(name: str) -> bool:
    """Tell whether something of this name is likely to be a secret, such as HF_TOKEN."""
    return _SECRET_WORDS.search(name) is not None


def _printable(text: str) -> str:
    if any(ord(char) < 32 or ord(char) == 127 for char in text):  # noqa: PLR2004 - ASCII controls
        raise ValueError("must not hold control characters or line breaks")
    return text


def _env(env: Mapping[str, str]) -> Mapping[str, str]:
    for name in env:
        if not _ENV_NAME.fullmatch(name):
            raise FieldFault(name, "is not a name of an environment variable")
        if is_secret_name(name):
            raise FieldFault(
                name,
                "looks like a secret; put it into a Secret and name that in "
                "model_source.auth_secret_ref",
            )
    return env


def _scalar_text(value: object) -> object:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        return value.lower() if value.lower() in {"true", "false"} else value
    raise ValueError("must be text, a number, true or false")


def _arg_names(args: Mapping[str, str]) -> Mapping[str, str]:
    for name in args:
        if not _ARG_NAME.fullmatch(name):
            raise FieldFault(
                name,
                "must be written in lower case with underscores and without dashes, "
                "like max_model_len",
            )
    return args


def _quantity(value: object) -> object:
    return repr(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _check_quantity(text: str) -> str:
    if parse_quantity(text) <= 0:
        raise ValueError("must be above zero")
    return text


def _number(value: object) -> object:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError("must be a number")
    return value


def _scalar(value: object) -> object:
    if not isinstance(value, str | int | float | bool):
        raise ValueError("must be text, a number, true or false")  # noqa: TRY004 - pydantic's way
    return value


def _matching(pattern: str, sentence: str) -> Callable[[str], str]:
    """Return a validator that holds text against a whole pattern and answers with a sentence."""
    compiled = re.compile(pattern, re.ASCII)

    def check(text: str) -> str:
        if not compiled.fullmatch(text):
            raise ValueError(sentence)
        return text

    return check


ShortText = Annotated[str, Field(max_length=2000), AfterValidator(_printable)]
OneWord = Annotated[
    str,
    Field(max_length=500),
    AfterValidator(_printable),
    AfterValidator(_matching(r"\S*", "must not hold blanks")),
]
ImageName = Annotated[
    str,
    Field(max_length=500),
    AfterValidator(
        _matching(
            # Registry with an optional port, path in lower case, tag, digest; empty is "not given".
            r"(?:(?:[A-Za-z0-9.-]+(?::[0-9]{1,5})?/)?[a-z0-9]+(?:[._-]+[a-z0-9]+)*"
            r"(?:/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)*"
            r"(?::[A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?(?:@sha256:[0-9a-f]{64})?)?",
            "must be the full name of an image, like docker.io/vllm/vllm-openai:v0.11.0",
        )
    ),
]
Name = Annotated[
    str,
    AfterValidator(
        _matching(
            r"[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?",
            "must be a name of a Kubernetes object: lower case letters, digits, dashes and dots",
        )
    ),
]
SecretKey = Annotated[
    str,
    AfterValidator(
        _matching(r"[-._a-zA-Z0-9]{1,253}", "must be a key of a Secret: letters, digits, - _ .")
    ),
]
RoleName = Annotated[
    str,
    AfterValidator(
        _matching(
            r"[a-z](?:[-a-z0-9]{0,30}[a-z0-9])?",
            "must begin with a lower case letter and hold at most 32 letters, digits and dashes",
        )
    ),
]
AcceleratorType = Annotated[
    str,
    AfterValidator(
        _matching(r"[A-Za-z0-9][\w.-]{0,59}", "must be a type such as H100, L4 or cpu, in one word")
    ),
]
Path = Annotated[
    str,
    Field(max_length=500),
    AfterValidator(_printable),
    AfterValidator(_matching(r"/[^\s?#]*", "must be a path that begins with /")),
]
ReplicaCount = Annotated[int, Field(ge=0, le=MAX_REPLICAS)]
Number = Annotated[int | float, BeforeValidator(_number)]
Scalar = Annotated[str | int | float | bool, BeforeValidator(_scalar)]
QuantityText = Annotated[str, BeforeValidator(_quantity), AfterValidator(_check_quantity)]
EnvMap = Annotated[
    Mapping[str, Annotated[ShortText, BeforeValidator(_scalar_text)]], AfterValidator(_env)
]
EngineArgs = Annotated[
    Mapping[str, Annotated[ShortText, BeforeValidator(_scalar_text)]], AfterValidator(_arg_names)
]
