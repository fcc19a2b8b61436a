"""People in Django's admin: who gave whom which role is in the trail."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse

from deployments.models import AuditEntry

SECRET = "a long and secret phrase"


@pytest.fixture
def root(db: None) -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("root"))
    return client


@pytest.fixture
def olga(person: Callable[..., User]) -> User:
    return person("olga", "viewer")


def told() -> AuditEntry:
    entry = AuditEntry.objects.get()
    assert (entry.actor_name, entry.role, entry.source) == ("root", "admin", "admin")
    assert (entry.object_type, entry.outcome) == ("user", "succeeded")
    return entry


def form_of(user: User, **changes: object) -> dict[str, object]:
    """Return what the page of a person sends."""
    joined = user.date_joined
    return {
        "username": user.username,
        "is_active": "on",
        "groups": [group.pk for group in user.groups.all()],
        "date_joined_0": joined.strftime("%Y-%m-%d"),
        "date_joined_1": joined.strftime("%H:%M:%S"),
        **changes,
    }


def test_who_got_which_role_from_whom_is_told(root: Client, olga: User) -> None:
    group = Group.objects.get_or_create(name="admin")[0]
    page = reverse("admin:auth_user_change", args=[olga.pk])
    assert root.post(page, form_of(olga, groups=[group.pk])).status_code == 302

    entry = told()
    assert (entry.action, entry.object_name) == ("user.change", "olga")
    assert (entry.before, entry.after) == ({"groups": ["viewer"]}, {"groups": ["admin"]})


def test_looking_at_a_person_and_saving_nothing_new_tells_nothing(root: Client, olga: User) -> None:
    page = reverse("admin:auth_user_change", args=[olga.pk])
    assert root.get(page).status_code == 200
    assert root.post(page, form_of(olga)).status_code == 302
    assert root.post(page, form_of(olga, username="")).status_code == 200
    assert not AuditEntry.objects.exists()


def test_a_new_person_is_told_without_the_password(root: Client) -> None:
    form = {
        "username": "nina",
        "usable_password": "true",
        "password1": SECRET,
        "password2": SECRET,
    }
    assert root.post(reverse("admin:auth_user_add"), form).status_code == 302
    entry = told()
    assert (entry.action, entry.object_name) == ("user.create", "nina")
    assert SECRET not in str(AuditEntry.objects.values().get())


def test_that_a_password_was_set_is_told_and_not_which(root: Client, olga: User) -> None:
    page = reverse("admin:auth_user_password_change", args=[olga.pk])
    form = {"usable_password": "true", "password1": SECRET, "password2": SECRET, "set-password": ""}
    assert root.post(page, {**form, "password2": "another one"}).status_code == 200
    assert not AuditEntry.objects.exists()
    assert root.post(page, form).status_code == 302
    assert told().action == "user.password"
    assert SECRET not in str(AuditEntry.objects.values().get())


@pytest.mark.parametrize("at_once", [True, False])
def test_who_was_removed_is_told(root: Client, olga: User, *, at_once: bool) -> None:
    if at_once:
        page = reverse("admin:auth_user_delete", args=[olga.pk])
        form: dict[str, object] = {"post": "yes"}
    else:
        page = reverse("admin:auth_user_changelist")
        form = {"action": "delete_selected", "_selected_action": [olga.pk], "post": "yes"}
    assert root.post(page, form).status_code == 302

    entry = told()
    assert (entry.action, entry.object_name) == ("user.delete", "olga")
    assert entry.before is not None
    assert entry.before["groups"] == ["viewer"]
    assert not User.objects.filter(username="olga").exists()
