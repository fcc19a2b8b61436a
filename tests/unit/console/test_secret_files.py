from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from console.secret_files import read_secret, with_password

NOWHERE = Path("/nowhere/key")


def test_a_secret_is_read_from_its_variable_or_from_the_file_that_is_named(tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text("from a file\n")
    assert read_secret({"KEY": " as it is "}, "KEY") == "as it is"
    assert read_secret({"KEY_FILE": str(file)}, "KEY") == "from a file"
    assert read_secret({"KEY": "", "KEY_FILE": ""}, "KEY") == ""


def test_both_at_once_are_refused_without_telling_either() -> None:
    with pytest.raises(ImproperlyConfigured, match="KEY and KEY_FILE are both set") as refusal:
        read_secret({"KEY": "open sesame", "KEY_FILE": "/nowhere"}, "KEY")
    assert "sesame" not in str(refusal.value)


@pytest.mark.parametrize(
    ("content", "why"),
    [(None, "cannot be read: No such file"), (b"", "empty"), (b"\xff\xfe", "it is no text")],
    ids=["missing", "empty", "binary"],
)
def test_a_file_that_holds_no_secret_is_named(
    tmp_path: Path, content: bytes | None, why: str
) -> None:
    file = tmp_path / "key"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(ImproperlyConfigured, match=why) as refusal:
        read_secret({"KEY_FILE": str(file)}, "KEY")
    assert "KEY_FILE" in str(refusal.value)


@pytest.mark.parametrize(
    ("url", "with_it"),
    [
        ("postgres://slipway@db:5432/slipway", "postgres://slipway:a%2Fb%40c@db:5432/slipway"),
        ("postgres://u@db/n?sslmode=require", "postgres://u:a%2Fb%40c@db/n?sslmode=require"),
        ("redis://redis:6379/0", "redis://:a%2Fb%40c@redis:6379/0"),
    ],
)
def test_a_password_of_its_own_is_put_into_the_address(url: str, with_it: str) -> None:
    assert with_password(url, "a/b@c", name="URL") == with_it
    assert with_password(url, "", name="URL") == url


@pytest.mark.parametrize(
    ("url", "why"),
    [("redis://:old@redis/0", "a password already"), ("", "no host"), ("sqlite:///x", "no host")],
)
def test_a_password_that_has_no_place_is_refused_without_telling_it(url: str, why: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=why) as refusal:
        with_password(url, "sesame", name="URL")
    assert "sesame" not in str(refusal.value)
    assert "old" not in str(refusal.value)
