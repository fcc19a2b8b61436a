from pathlib import Path

import pytest
from django.conf import LazySettings
from django.core.exceptions import ImproperlyConfigured

from console.checks import (
    check_environment,
    check_providers,
    check_queue,
    refuse_wrong_settings,
)
from console.environment import read_kubernetes
from providers import registry


@pytest.fixture
def _wrong_port(settings: LazySettings) -> None:
    settings.K8S = read_kubernetes({"K8S_SERVICE_PORT": "http"}, token=Path("/nowhere"))


@pytest.mark.usefixtures("_wrong_port")
def test_a_wrong_value_is_an_error_that_says_what_to_do() -> None:
    (found,) = check_environment(None)
    assert (found.id, found.is_serious()) == ("console.E006", True)
    assert "K8S_SERVICE_PORT is 'http'" in found.msg
    assert "1 to 65535" in str(found.hint)


@pytest.mark.usefixtures("_wrong_port")
def test_a_server_that_runs_no_command_refuses_to_start_with_one_line() -> None:
    line = r"console\.E006: K8S_SERVICE_PORT is 'http'\. Use a port"
    with pytest.raises(ImproperlyConfigured, match=line):
        refuse_wrong_settings()


def test_a_provider_that_is_not_there_is_a_warning_and_no_more(settings: LazySettings) -> None:
    settings.SLIPWAY_PROVIDERS = ["providers.testing.nowhere"]
    registry.forget()
    try:
        (found,) = check_providers(None)
    finally:
        registry.forget()
    assert (found.id, found.is_serious()) == ("providers.W001", False)
    assert "providers.testing.nowhere" in found.msg


@pytest.mark.parametrize(
    ("url", "ids"),
    [
        ("", []),
        ("redis://127.0.0.1/0", []),
        ("rediss://user:word@cache.example:6380", []),
        ("http://127.0.0.1", ["console.E008"]),
        ("redis://", ["console.E008"]),
        ("redis://127.0.0.1:port/0", ["console.E008"]),
        ("redis://127.0.0.1/first", ["console.E008"]),
        ("unix:///run/redis.sock", ["console.E008"]),
    ],
)
def test_a_queue_address_is_one_of_redis(settings: LazySettings, url: str, ids: list[str]) -> None:
    settings.REDIS_URL = url
    assert [found.id for found in check_queue(None)] == ids
