"""The cast of the pages: one person of each role, a stranger without a group, nobody at all."""

from collections.abc import Callable, Iterator

import pytest
from django.contrib.auth.models import Group, User
from django.core.cache import cache
from django.test import Client

PASSWORD = "correct horse"


@pytest.fixture(autouse=True)
def _no_attempts_yet() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def person(db: None) -> Callable[..., User]:
    """Make a person who is in the groups that are named."""

    def make(name: str, *groups: str) -> User:
        user = User.objects.create_user(name, password=PASSWORD)
        for group in groups:
            user.groups.add(Group.objects.get_or_create(name=group)[0])
        return user

    return make


@pytest.fixture
def anonymous() -> Client:
    return Client()


@pytest.fixture
def viewer(person: Callable[..., User]) -> Client:
    return _signed_in(person("victor", "viewer"))


@pytest.fixture
def owner(person: Callable[..., User]) -> Client:
    return _signed_in(person("olga", "deployer"))


@pytest.fixture
def member(person: Callable[..., User]) -> Client:
    return _signed_in(person("mona", "deployer"))


@pytest.fixture
def admin(person: Callable[..., User]) -> Client:
    return _signed_in(person("ada", "admin"))


@pytest.fixture
def curator(person: Callable[..., User]) -> Client:
    return _signed_in(person("kurt", "curator"))


@pytest.fixture
def stranger(person: Callable[..., User]) -> Client:
    return _signed_in(person("stranger"))


def _signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client
