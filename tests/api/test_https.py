import pytest
from django.test import Client
from pytest_django import Settings

pytestmark = pytest.mark.django_db


@pytest.fixture
def plain(settings: Settings) -> Client:
    settings.SECURE_SSL_REDIRECT = True
    return Client()


@pytest.mark.parametrize("path", ["/api/v1/health", "/api/v1/health/ready"])
def test_what_a_probe_asks_answers_in_plain_http_where_all_else_is_sent_to_https(
    plain: Client, path: str
) -> None:
    assert plain.get(path).status_code == 200


@pytest.mark.parametrize("path", ["/", "/sign-in", "/api/v1/models", "/api/v1/health/readyness"])
def test_all_else_is_sent_to_https(plain: Client, path: str) -> None:
    answer = plain.get(path)
    assert answer.status_code == 301
    assert answer["Location"] == f"https://testserver{path}"
