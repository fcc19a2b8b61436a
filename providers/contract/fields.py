"""The small field types of the template schema and of overrides, each with its rule in one place."""

import re
from collections.abc import Mapping
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field

from providers.contract.quantity import parse_quantity

MAX_REPLICAS = 1000

_ENV_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,252}")
_ARG_NAME = re.compile(r"[a-z0-9][a-z0-9_.]{0,99}")
_SECRET_WORDS = re.compile(
    r"(?:^|_)(?:TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|APIKEY|API_KEY|ACCESS_KEY|PRIVATE_KEY)"
    r"(?:_ID)?(?:$|_)",
    re.IGNORECASE,
)


def _printable(text: str) -> str:
    if any(ord(char) < 32 or ord(char) == 127 for char in text):  # noqa: PLR2004 - ASCII controls
        raise ValueError("must not hold control characters or line breaks")
    return text


def _env(env: Mapping[str, str]) -> Mapping[str, str]:
    for name in env:
        if not _ENV_NAME.fullmatch(name):
            raise ValueError(f"{name!r} is not a name of an environment variable")
        if _SECRET_WORDS.search(name):
            raise ValueError(
                f"{name} looks like a secret; put it into a Secret and name that in "
                "model_source.auth_secret_ref"
            )
    return env


def _scalar_text(value: object) -> object:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        return value.lower() if value.lower() in {"true", "false"} else value
    return value


def _arg_names(args: Mapping[str, str]) -> Mapping[str, str]:
    for name in args:
        if not _ARG_NAME.fullmatch(name):
            raise ValueError(
                f"{name!r}: write the name in lower case with underscores and without dashes, "
                "like max_model_len"
            )
    return args


def _quantity(value: object) -> object:
    return repr(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _check_quantity(text: str) -> str:
    if parse_quantity(text) <= 0:
        raise ValueError("must be above zero")
    return text


ShortText = Annotated[str, Field(max_length=2000), AfterValidator(_printable)]
Name = Annotated[str, Field(pattern=r"^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$")]
Path = Annotated[str, Field(pattern=r"^/[^\s?#]*$", max_length=500)]
ReplicaCount = Annotated[int, Field(ge=0, le=MAX_REPLICAS)]
QuantityText = Annotated[str, BeforeValidator(_quantity), AfterValidator(_check_quantity)]
EnvMap = Annotated[Mapping[str, Annotated[str, BeforeValidator(_scalar_text)]], AfterValidator(_env)]
EngineArgs = Annotated[
    Mapping[str, Annotated[ShortText, BeforeValidator(_scalar_text)]], AfterValidator(_arg_names)
]
