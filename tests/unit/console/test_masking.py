"""Secrets that try to get into the log, each on a way that was open before."""

import io
import json
import logging
import logging.config
import sys
from collections.abc import Callable, Iterator

import pytest
import structlog
from hypothesis import given
from hypothesis import strategies as st

from console.logs import json_logging
from console.masking import Masker
from providers.contract.masking import MASK

KUBECONFIG = """
users:
- name: admin
  user:
    client-key-data: LS0tLS1CRUdJTiBSU0EgUFJJVkFURQ==
    token: k8s-swordfish
    password: "two swordfish"
"""
KEY = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\nswordfish\n-----END RSA PRIVATE KEY-----"
JWT = "eyJhbGciOiJSUzI1NiIsImtpZCI6IiJ9.eyJpc3MiOiJrdWJlcm5ldGVzIn0.c3dvcmRmaXNo"


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("could not connect to postgres://slipway:swordfish@db/slipway", "swordfish"),
        ("host=db user=slipway password=swordfish connect_timeout=5", "swordfish"),
        ("refused: Authorization: Bearer sword.fish-1", "sword.fish-1"),
        ("refused: Authorization: Basic c3dvcmRmaXNo", "c3dvcmRmaXNo"),
        ("{'Authorization': 'Token swordfish'}", "swordfish"),
        ("bearer swordfish was refused", "swordfish"),
        ("no access with hf_abcDEF0123456789", "hf_abcDEF0123456789"),
        (f"the account's {JWT} has expired", JWT),
        ("made slipway_0123456789abcdef0123", "slipway_0123456789abcdef0123"),
        ("AWS said no to AKIAIOSFODNN7EXAMPLE", "AKIAIOSFODNN7EXAMPLE"),
        ('{"access_token": "swordfish", "n": 1}', "swordfish"),
        ("GET /x?token=swordfish&n=1", "swordfish"),
        (f"cannot load:{KUBECONFIG}", "LS0tLS1CRUdJTiBSU0EgUFJJVkFURQ=="),
        (f"cannot load:{KUBECONFIG}", "k8s-swordfish"),
        (f"cannot load:{KUBECONFIG}", "two swordfish"),
        (f"cannot load {KEY}", "MIIEpAIBAAKCAQEA"),
        ("cannot load -----BEGIN PRIVATE KEY-----\nMIIEpAIBAAK", "MIIEpAIBAAK"),
        ("the key of this console is correct-horse", "correct-horse"),
        ("redis://:p%40ss%2Fword@redis:6379/0", "p%40ss%2Fword"),
        ("redis said p@ss/word is wrong", "p@ss/word"),
    ],
)
def test_a_secret_in_a_text_is_masked(text: str, secret: str) -> None:
    masked = Masker(["correct-horse", "p@ss/word"]).mask_text(text)
    assert secret not in masked
    assert MASK in masked


@pytest.mark.parametrize(
    "text",
    [
        "0 of 1 replicas ready; image registry.example:5000/x:1 not found",
        "GET https://api.example:6443/api/v1/namespaces",
        "secret hf-token has no key token",
        "max_model_len is 32768 tokens",
    ],
)
def test_a_harmless_text_stays_as_it_is(text: str) -> None:
    assert Masker().mask_text(text) == text


def test_the_value_of_a_key_that_names_a_secret_is_masked_at_any_depth() -> None:
    line = {"event": "x", "headers": [{"X-Api-Key": "swordfish"}], "user": {"Password": "sword"}}
    assert Masker()(None, "", line) == {
        "event": "x",
        "headers": [{"X-Api-Key": MASK}],
        "user": {"Password": MASK},
    }


def test_numbers_and_nothing_stay_what_they_are() -> None:
    line = {"max_tokens": 4096, "token": None, "is_secret": True, "seconds": 0.5}
    assert Masker()(None, "", line) == line


@given(st.recursive(st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_a_known_secret_never_comes_through_however_it_is_wrapped(value: object) -> None:
    wrapped = {
        "event": "x",
        "value": [value, {"k": ("correct-horse", ValueError("correct-horse"))}],
    }
    assert "correct-horse" not in json.dumps(Masker(["correct-horse"])(None, "", wrapped))


@pytest.fixture
def written() -> Iterator[Callable[[], list[dict[str, object]]]]:
    """Log as the console does, into memory; return the lines that were written."""
    stream = io.StringIO()
    configuration = json_logging("INFO", secrets=["correct-horse"])
    formatter = logging.config.DictConfigurator(configuration).configure_formatter(
        configuration["formatters"]["json"]
    )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(formatter)
    root = logging.getLogger()
    root.addHandler(handler)
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    root.removeHandler(handler)


def test_an_exception_that_holds_a_secret_is_masked_in_message_and_traceback(
    written: Callable[[], list[dict[str, object]]],
) -> None:
    try:
        dict[str, str]()["Bearer hf_abcDEF0123456789"]
    except KeyError:
        logging.getLogger("deployments.any").exception("it failed with %s", sys.exc_info()[1])
    (line,) = written()
    assert "Traceback" in str(line["exception"])
    assert "hf_abc" not in json.dumps(line)


def test_our_own_loggers_mask_as_well_as_foreign_ones(
    written: Callable[[], list[dict[str, object]]],
) -> None:
    structlog.get_logger("deployments.any").error("it failed", why=OSError("correct-horse"))
    (line,) = written()
    assert (line["event"], line["why"]) == ("it failed", MASK)


def test_what_celery_attaches_of_a_tasks_arguments_is_dropped(
    written: Callable[[], list[dict[str, object]]],
) -> None:
    context = {"name": "refresh", "args": "('swordfish',)", "kwargs": "{}", "exc": "boom"}
    logging.getLogger("celery.app.trace").error(
        "Task %(name)s raised: %(exc)s", context, extra={"data": context}
    )
    (line,) = written()
    assert line["event"] == "Task refresh raised: boom"
    assert "swordfish" not in json.dumps(line)
