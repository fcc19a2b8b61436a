"""Addresses that no database could look up: a NUL is refused before PostgreSQL sees it."""

from base64 import b64encode

import pytest

from tests.api.conftest import Person


@pytest.mark.parametrize(
    "path",
    [
        "models/%00",
        "models/%00/versions",
        "models/%00/deployment-templates",
        "models/mock/deployment-templates/by-name/%00",
        "deployments/%00",
        "deployments/%00/manifests",
        "clusters/%00/capacity",
    ],
)
def test_a_nul_in_an_address_is_404(admin: Person, path: str) -> None:
    response = admin.client.get(f"/api/v1/{path}")
    assert (response.status_code, response.json()["code"]) == (404, "not_found")


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("models?search=%00", "search"),
        ("models?category=a%00", "category"),
        ("models/mock/deployment-templates?name=%00", "name"),
        ("models/mock/deployment-templates/by-name/x?version=%00", "version"),
        ("deployments?status=Ready&search=%00", "search"),
    ],
)
def test_a_nul_in_a_question_is_400_and_named(admin: Person, path: str, name: str) -> None:
    response = admin.client.get(f"/api/v1/{path}")
    assert (response.status_code, list(response.json()["fields"])) == (400, [name])


@pytest.mark.parametrize("position", [b"p=a\0", b"p=a%00"])
def test_a_nul_in_a_cursor_is_400_and_named(admin: Person, position: bytes) -> None:
    status, answer = admin.get("models", cursor=b64encode(position).decode())
    assert (status, list(answer["fields"])) == (400, ["cursor"])


def test_a_page_with_a_nul_in_its_address_is_refused_too(admin: Person) -> None:
    assert admin.client.get("/deployments?search=%00").status_code == 400
    assert admin.client.get("/deployments/%00").status_code == 404
