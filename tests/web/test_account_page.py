"""One's own account: role in words, password, and tokens that are told once and never again."""

import re
from collections.abc import Callable
from datetime import timedelta
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone
from knox.models import AuthToken
from pytest_django import DjangoAssertNumQueries

from deployments.models import AuditEntry

PASSWORD = "correct horse"
NEW = "battery staple 9"


def text(client: Client, path: str = "/account") -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def make_token(client: Client) -> str:
    answer = client.post("/account/tokens")
    assert answer.status_code == 201
    found = re.search(r'id="token">(slipway_\w+)<', answer.content.decode())
    assert found
    return found[1]


def works(token: str) -> bool:
    answer = Client().get("/api/v1/models", headers={"Authorization": f"Token {token}"})
    return answer.status_code == 200


def change(client: Client, **fields: str) -> int:
    document = {"old_password": PASSWORD, "new_password1": NEW, "new_password2": NEW} | fields
    return client.post("/account/password", document).status_code


def test_the_same_form_sent_again_makes_no_second_token(viewer: Client) -> None:
    found = re.search(r'name="once" value="(\w+)"', text(viewer))
    assert found
    form = {"once": found[1]}
    assert viewer.post("/account/tokens", form).status_code == 201
    again = viewer.post("/account/tokens", form, follow=True)
    assert "shown only once" in again.content.decode()
    assert AuthToken.objects.count() == 1
    assert f'value="{found[1]}"' not in text(viewer)


@pytest.mark.parametrize(
    "path", ["/account", "/account/password", "/account/tokens/slipway_1234567/revoke"]
)
def test_nobody_and_strangers_have_no_account_page(
    anonymous: Client, stranger: Client, path: str
) -> None:
    assert anonymous.get(path).status_code == 302
    assert stranger.get(path).status_code == 404


def test_strangers_make_no_tokens(anonymous: Client, stranger: Client) -> None:
    assert anonymous.post("/account/tokens").status_code == 302
    assert stranger.post("/account/tokens").status_code == 404
    assert not AuthToken.objects.exists()


@pytest.mark.parametrize(
    ("group", "words"),
    [
        ("viewer", "change nothing"),
        ("deployer", "what you launched yourself"),
        ("curator", "models and templates of the catalogue"),
        ("admin", "everything, for everyone"),
    ],
)
def test_the_role_is_told_in_words(person: Callable[..., User], group: str, words: str) -> None:
    client = Client()
    client.force_login(person("someone", group))
    page = text(client)
    assert f"<b>{group.capitalize()}</b>" in page
    assert words in page


def test_a_token_is_shown_once_works_and_is_kept_nowhere(viewer: Client) -> None:
    token = make_token(viewer)
    assert works(token)
    assert token not in text(viewer)
    assert token[:15] in text(viewer)
    assert token not in str(list(AuthToken.objects.values()))
    assert token not in str(list(AuditEntry.objects.values()))
    assert token not in str([session.get_decoded() for session in Session.objects.all()])


def test_the_page_with_a_token_is_kept_in_no_cache(viewer: Client) -> None:
    assert "no-store" in viewer.post("/account/tokens").headers["Cache-Control"]


def test_a_token_is_made_by_post_only(viewer: Client) -> None:
    assert viewer.get("/account/tokens").status_code == 405
    assert not AuthToken.objects.exists()


def test_forms_of_other_sites_make_nothing(viewer: Client) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = viewer.cookies
    for path in ("/account/tokens", "/account/password", "/account/tokens/slipway_1/revoke"):
        assert strict.post(path).status_code == 403
    assert not AuthToken.objects.exists()


def test_revoking_asks_on_a_page_and_then_ends_the_token(viewer: Client) -> None:
    token = make_token(viewer)
    page = f"/account/tokens/{token[:15]}/revoke"
    assert "Revoke this token?" in text(viewer, page)
    assert works(token)
    assert viewer.post(page, follow=True).redirect_chain == [("/account", 302)]
    assert not works(token)
    assert "You have none." in text(viewer)


def test_nobody_revokes_or_sees_the_token_of_another(viewer: Client, owner: Client) -> None:
    token = make_token(viewer)
    page = f"/account/tokens/{token[:15]}/revoke"
    assert owner.get(page).status_code == 404
    assert owner.post(page).status_code == 404
    assert token[:15] not in text(owner)
    assert works(token)


def test_a_token_that_is_gone_is_not_found(viewer: Client) -> None:
    page = f"/account/tokens/{make_token(viewer)[:15]}/revoke"
    viewer.post(page)
    assert viewer.post(page).status_code == 404


def test_who_has_as_many_as_one_may_have_is_told_so(viewer: Client) -> None:
    for _ in range(20):
        make_token(viewer)
    answer = viewer.post("/account/tokens", follow=True)
    assert "nobody may have more than 20 tokens; revoke one first" in answer.content.decode()
    assert AuthToken.objects.count() == 20


def test_expired_tokens_neither_stand_there_nor_count(viewer: Client) -> None:
    for _ in range(20):
        make_token(viewer)
    AuthToken.objects.update(expiry=timezone.now() - timedelta(seconds=1))
    assert "You have none." in text(viewer)
    make_token(viewer)


def test_making_and_revoking_are_in_the_audit_trail(viewer: Client) -> None:
    token = make_token(viewer)
    viewer.post(f"/account/tokens/{token[:15]}/revoke")
    told = AuditEntry.objects.order_by("id").values_list("action", "actor_name", "source")
    assert list(told) == [("token.issue", "victor", "page"), ("token.revoke", "victor", "page")]


def test_a_password_is_changed_by_who_knows_the_old_one(viewer: Client) -> None:
    assert change(viewer) == 302
    assert "Your password is changed." in text(viewer)
    assert Client().login(username="victor", password=NEW)


def test_changing_the_password_ends_other_sessions_but_not_this_one(viewer: Client) -> None:
    other = Client()
    other.login(username="victor", password=PASSWORD)
    change(viewer)
    assert other.get("/account").status_code == 302
    assert viewer.get("/account").status_code == 200


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"old_password": "wrong"}, "Your old password was entered incorrectly"),
        ({"new_password2": "something else 9"}, "two password fields"),
        ({"new_password1": "short", "new_password2": "short"}, "too short"),
        ({"old_password": ""}, "Type your old password."),
        ({"new_password1": "", "new_password2": ""}, "Type a new password."),
    ],
)
def test_a_wrong_password_form_says_why_beside_the_field(
    viewer: Client, fields: dict[str, str], words: str
) -> None:
    document = {"old_password": PASSWORD, "new_password1": NEW, "new_password2": NEW} | fields
    answer = viewer.post("/account/password", document)
    page = unescape(answer.content.decode())
    assert answer.status_code == 422
    assert words in page
    assert NEW not in page
    [focused] = re.findall(r"<input[^>]* autofocus[^>]*>", page)
    assert 'aria-invalid="true"' in focused
    assert Client().login(username="victor", password=PASSWORD)


def test_an_open_session_is_no_place_to_guess_the_password(viewer: Client) -> None:
    answers = {change(viewer, old_password="wrong") for _ in range(10)}
    assert answers == {422}
    answer = viewer.post(
        "/account/password",
        {"old_password": PASSWORD, "new_password1": NEW, "new_password2": NEW},
        follow=True,
    )
    assert "Too many attempts" in answer.content.decode()
    assert not Client().login(username="victor", password=NEW)


def test_the_admin_sends_people_to_this_page_for_their_password(curator: Client) -> None:
    assert curator.get("/admin/password_change/").headers["Location"] == "/account/password"


@pytest.mark.parametrize("rows", [1, 200])
def test_the_page_costs_the_same_however_many_tokens(
    viewer: Client, rows: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    user = User.objects.get(username="victor")
    for _ in range(rows):
        AuthToken.objects.create(user)
    with django_assert_num_queries(5):
        viewer.get("/account")
