import pytest
from django.contrib.auth.models import User
from django.core import signing
from django.test import Client
from pytest_django import Settings

OLD, NEW = "o" * 50, "n" * 50

pytestmark = pytest.mark.django_db


@pytest.fixture
def signed_in(settings: Settings) -> Client:
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = OLD, []
    client = Client()
    client.force_login(User.objects.create_superuser("olga"))
    return client


def test_with_the_old_key_beside_the_new_one_nobody_is_signed_out(
    settings: Settings, signed_in: Client
) -> None:
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = NEW, [OLD]
    assert signed_in.get("/account").status_code == 200


def test_what_was_reviewed_under_the_old_key_may_still_be_launched(settings: Settings) -> None:
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = OLD, []
    token = signing.dumps({"id": 1})
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = NEW, [OLD]
    assert signing.loads(token) == {"id": 1}


def test_once_the_old_key_is_taken_away_everybody_signs_in_anew(
    settings: Settings, signed_in: Client
) -> None:
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = NEW, []
    assert signed_in.get("/account").status_code == 302
