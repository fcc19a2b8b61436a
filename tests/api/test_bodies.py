"""What a body may be: JSON, UTF-8, no key twice, at most 256 KiB, of known depth."""

import io

import pytest

from tests.api.conftest import Person

PATHS = ["/api/v1/models", "/api/v1/deployments", "/api/v1/deployments/preview"]


def send(person: Person, path: str, body: bytes) -> tuple[int, dict[str, object]]:
    response = person.client.generic(
        "POST",
        path,
        body,  # type: ignore[arg-type]  # its stubs know text only
        content_type="application/json",
    )
    return response.status_code, response.json()


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b'{"name": ', "not JSON"),
        (b'{"name": "\xff"}', "UTF-8"),
        (b'{"name": "a", "name": "b"}', "stands twice"),
        (b'{"name": NaN}', "not a JSON number"),
        (b"[" * 100_000, "nested too deeply"),
        (b"[]", "object"),
        (b'"x"', "object"),
        (b'{"name": ' + b"9" * 5000 + b"}", "too many digits"),
    ],
)
def test_a_body_that_cannot_be_read_is_400(
    admin: Person, path: str, body: bytes, says: str
) -> None:
    status, answer = send(admin, path, body)
    assert status == 400
    assert says in str(answer["message"])


@pytest.mark.parametrize("path", PATHS)
def test_a_body_that_is_too_large_is_413(admin: Person, path: str) -> None:
    status, answer = send(admin, path, b'{"name": "' + b"x" * 300_000 + b'"}')
    assert (status, answer["code"]) == (413, "too_large")


def test_a_body_that_breaks_off_is_400(admin: Person) -> None:
    class Broken(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            raise OSError(size)

    wsgi = {"wsgi.input": Broken(), "HTTP_TRANSFER_ENCODING": "chunked"}
    response = admin.client.generic("POST", "/api/v1/models", "{}", **wsgi)  # type: ignore[arg-type]
    assert (response.status_code, response.json()["code"]) == (400, "invalid")


def test_another_content_type_is_refused_in_json(admin: Person) -> None:
    response = admin.client.post("/api/v1/models", {"name": "x"}, format="multipart")
    assert (response.status_code, response.json()["code"]) == (415, "unsupported_media_type")
