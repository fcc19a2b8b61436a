import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.test import Client
from redis.backoff import NoBackoff
from redis.retry import Retry

if TYPE_CHECKING:
    # Only the stubs know the name of what a test client answers.
    from django.test.client import _MonkeyPatchedWSGIResponse as Answer

PASSWORD = "correct horse"


def post(client: Client, name: str, password: str, **extra: str) -> "Answer":
    return client.post("/sign-in", {"username": name, "password": password, **extra})


@pytest.fixture(autouse=True)
def vera(person: Callable[..., User]) -> User:
    return person("vera", "viewer")


def test_the_right_password_leads_to_the_deployments(anonymous: Client) -> None:
    answer = post(anonymous, "vera", PASSWORD)
    assert (answer.status_code, answer.headers["Location"]) == (302, "/deployments")
    assert "_auth_user_id" in anonymous.session


def test_a_page_that_needs_a_name_leads_to_sign_in_and_back(anonymous: Client) -> None:
    asked = anonymous.get("/deployments?page=2")
    assert asked.headers["Location"] == "/sign-in?next=/deployments%3Fpage%3D2"
    shown = anonymous.get(asked.headers["Location"])
    assert 'name="next" value="/deployments?page=2"' in shown.content.decode()
    answer = post(anonymous, "vera", PASSWORD, next="/deployments?page=2")
    assert answer.headers["Location"] == "/deployments?page=2"


@pytest.mark.parametrize(
    "elsewhere",
    ["https://evil.example/", "//evil.example", "javascript:alert(1)", "/\\evil.example"],
)
def test_nobody_is_sent_to_another_host_after_sign_in(anonymous: Client, elsewhere: str) -> None:
    assert post(anonymous, "vera", PASSWORD, next=elsewhere).headers["Location"] == "/deployments"


@pytest.mark.parametrize("name", ["vera", "nobody", "ve\0ra", "x" * 5000])
def test_a_wrong_password_and_an_unknown_name_get_the_same_answer(
    anonymous: Client, name: str
) -> None:
    answer = post(anonymous, name, "wrong")
    assert answer.status_code == 422
    assert "User name or password is wrong." in answer.content.decode()
    assert "_auth_user_id" not in anonymous.session


@pytest.mark.parametrize(
    ("name", "password", "told", "focused"),
    [
        ("", "", ["Type your user name.", "Type your password."], "username"),
        ("", PASSWORD, ["Type your user name."], "username"),
        ("vera", "", ["Type your password."], "password"),
    ],
)
def test_what_is_left_empty_is_named_beside_its_field_which_has_the_focus(
    anonymous: Client, name: str, password: str, told: list[str], focused: str
) -> None:
    answer = post(anonymous, name, password)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert re.findall(r'<p class="error"[^>]*>([^<]+)</p>', page) == told
    assert re.findall(r'<input[^>]* id="(\w+)"[^>]* autofocus>', page) == [focused]
    assert f'value="{name}"' in page


def test_an_inactive_person_does_not_come_in(anonymous: Client, vera: User) -> None:
    vera.is_active = False
    vera.save()
    assert post(anonymous, "vera", PASSWORD).status_code == 422


def test_what_was_typed_is_escaped_and_the_password_is_not_shown_again(anonymous: Client) -> None:
    page = post(anonymous, '"><script>x</script>', "my secret").content.decode()
    assert "<script>x" not in page
    assert "my secret" not in page


def test_too_many_attempts_are_paused_even_with_the_right_password(
    anonymous: Client, settings: LazySettings
) -> None:
    settings.SIGN_IN_FAILURES = 3
    answers = [post(anonymous, "vera", "wrong").status_code for _ in range(3)]
    paused = post(anonymous, "vera", PASSWORD)
    assert (answers, paused.status_code) == ([422] * 3, 429)
    assert paused.headers["Retry-After"] == "300"
    assert "Wait 5 minutes" in paused.content.decode()


def test_the_pause_is_for_one_name_at_one_address(
    anonymous: Client, person: Callable[..., User], settings: LazySettings
) -> None:
    settings.SIGN_IN_FAILURES = 1
    person("otto", "viewer")
    codes = [post(anonymous, "VERA", "wrong").status_code, post(anonymous, "vera", "x").status_code]
    assert codes == [422, 429]
    assert post(anonymous, "otto", PASSWORD).status_code == 302
    from_elsewhere = Client(REMOTE_ADDR="192.0.2.7")
    assert post(from_elsewhere, "vera", PASSWORD).status_code == 302


def test_signing_in_forgets_the_failures_before_it(settings: LazySettings) -> None:
    settings.SIGN_IN_FAILURES = 2
    codes = []
    for _ in range(3):
        codes.append(post(Client(), "vera", "wrong").status_code)
        codes.append(post(Client(), "vera", PASSWORD).status_code)
    assert codes == [422, 302] * 3


def test_an_address_that_tries_many_names_is_paused_too(
    anonymous: Client, settings: LazySettings
) -> None:
    settings.SIGN_IN_FAILURES = 1
    codes = [post(anonymous, f"name-{number}", "wrong").status_code for number in range(11)]
    assert codes == [422] * 10 + [429]


@pytest.mark.parametrize(("trusted", "second"), [(True, 422), (False, 429)])
def test_the_address_comes_from_the_proxy_only_where_there_is_one(
    settings: LazySettings, trusted: object, second: int
) -> None:
    settings.TRUST_PROXY, settings.SIGN_IN_FAILURES = trusted, 1
    post(Client(HTTP_X_FORWARDED_FOR="192.0.2.1"), "vera", "wrong")
    answer = post(Client(HTTP_X_FORWARDED_FOR="192.0.2.2"), "vera", "wrong")
    assert answer.status_code == second


def test_a_form_without_its_token_is_refused_with_a_page_that_says_what_to_do() -> None:
    strict = Client(enforce_csrf_checks=True)
    answer = post(strict, "vera", PASSWORD)
    assert answer.status_code == 403
    assert "reload the page" in answer.content.decode()


def test_signing_out_is_a_post_and_ends_the_session(viewer: Client) -> None:
    assert viewer.get("/sign-out").status_code == 405
    assert viewer.post("/sign-out").headers["Location"] == "/sign-in"
    assert viewer.get("/deployments").status_code == 302


def test_who_is_signed_in_goes_straight_on(viewer: Client) -> None:
    assert viewer.get("/sign-in").headers["Location"] == "/deployments"


def test_who_may_see_nothing_can_sign_in_as_somebody_else(stranger: Client) -> None:
    assert stranger.get("/sign-in").status_code == 200
    post(stranger, "vera", PASSWORD)
    assert stranger.get("/deployments").status_code == 200


def test_a_cache_that_is_silent_keeps_nobody_out_and_guessing_slow(
    anonymous: Client, settings: LazySettings
) -> None:
    nobody_listens = "redis://127.0.0.1:1/0"
    settings.SIGN_IN_FAILURES = 3
    settings.CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": nobody_listens,
            "OPTIONS": {"retry": Retry(NoBackoff(), 0)},
        }
    }
    tries = [post(anonymous, "guessed", "wrong").status_code for _ in range(4)]
    assert tries == [422, 422, 422, 429]
    assert post(anonymous, "vera", PASSWORD).status_code == 302
