from collections.abc import Callable

import pytest
from django.contrib.auth.models import AnonymousUser, Group, User

from templates_app import access
from templates_app.access import Role, role_of


@pytest.mark.parametrize(
    ("groups", "role", "allowed"),
    [
        ((), None, 0),
        (("strangers",), None, 0),
        (("viewer",), Role.VIEWER, 1),
        (("deployer",), Role.DEPLOYER, 2),
        (("curator",), Role.CURATOR, 3),
        (("admin",), Role.ADMIN, 4),
        (("viewer", "curator"), Role.CURATOR, 3),
    ],
)
def test_the_highest_group_gives_the_role(
    person: Callable[..., User], groups: tuple[str, ...], role: Role | None, allowed: int
) -> None:
    Group.objects.create(name="strangers")
    user = person("pat", *groups)
    predicates = (access.can_read, access.can_launch, access.can_curate, access.is_admin)
    assert role_of(user) is role
    assert [may(user) for may in predicates] == [level < allowed for level in range(4)]


def test_a_superuser_is_an_admin_without_a_group(person: Callable[..., User]) -> None:
    user = person("root")
    user.is_superuser = True
    assert role_of(user) is Role.ADMIN


@pytest.mark.parametrize("superuser", [True, False])
def test_who_is_inactive_has_no_role(person: Callable[..., User], superuser: object) -> None:
    user = person("gone", "admin")
    user.is_active = False
    user.is_superuser = bool(superuser)
    assert role_of(user) is None


def test_nobody_has_no_role() -> None:
    assert role_of(AnonymousUser()) is None


@pytest.mark.django_db
def test_the_groups_are_there_from_the_start() -> None:
    assert set(Group.objects.values_list("name", flat=True)) == set(access.GROUPS)
