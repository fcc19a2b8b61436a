import pytest
from django.conf import LazySettings

from console.production import check_hosts, check_proxy, check_secret_key

LONG = "k" * 50


@pytest.mark.parametrize(
    "host", ["slipway.example", ".slipway.example", "10.0.0.7", "[::1]", "*", "slipway_web"]
)
def test_names_and_addresses_are_hosts(settings: LazySettings, host: str) -> None:
    settings.ALLOWED_HOSTS = [host]
    assert check_hosts(None) == []


@pytest.mark.parametrize(
    "host", ["https://slipway.example", "slipway.example:8000", "slipway.example/", "a b", ""]
)
def test_what_no_request_can_bear_is_an_error_that_names_it(
    settings: LazySettings, host: str
) -> None:
    settings.ALLOWED_HOSTS = ["localhost", host]
    (found,) = check_hosts(None)
    assert (found.id, found.is_serious()) == ("console.E020", True)
    assert repr(host) in found.msg


def test_a_short_key_is_an_error_that_does_not_tell_the_key(settings: LazySettings) -> None:
    settings.SECRET_KEY = "changeme"
    settings.HAS_SHARED_SECRET_KEY = True
    (found,) = check_secret_key(None)
    assert (found.id, found.is_serious()) == ("console.E021", True)
    assert "changeme" not in f"{found.msg} {found.hint}"


@pytest.mark.parametrize(
    ("redis", "shared", "ids"),
    [
        ("redis://redis/0", False, ["console.W022"]),
        ("redis://redis/0", True, []),
        ("", False, []),
    ],
)
def test_several_machines_need_one_key(
    settings: LazySettings, redis: str, *, shared: bool, ids: list[str]
) -> None:
    settings.SECRET_KEY, settings.REDIS_URL = LONG, redis
    settings.HAS_SHARED_SECRET_KEY = shared
    assert [found.id for found in check_secret_key(None)] == ids


@pytest.mark.parametrize(
    ("https", "trusted", "ids"),
    [(True, False, ["console.W023"]), (True, True, []), (False, False, [])],
)
def test_https_that_no_proxy_tells_us_of_is_a_redirect_without_end(
    settings: LazySettings, *, https: bool, trusted: bool, ids: list[str]
) -> None:
    settings.HTTPS, settings.TRUST_PROXY = https, trusted
    assert [found.id for found in check_proxy(None)] == ids
