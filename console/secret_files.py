"""Reads secrets of the environment: the value itself, or the name of the file that holds it.

Containers are given secrets as files (`NAME_FILE`), so that no environment shows them. This room
looks at the environment and at those files, and never tells what stands in them.
"""

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote, urlsplit, urlunsplit

from django.core.exceptions import ImproperlyConfigured


def read_secret(environ: Mapping[str, str], name: str) -> str:
    """Return the value of NAME, or what the file of NAME_FILE holds; empty when neither is set.

    Raises ImproperlyConfigured when both are set, and for a file that cannot be read or is empty.
    """
    value, file = environ.get(name, "").strip(), environ.get(f"{name}_FILE", "").strip()
    if value and file:
        raise ImproperlyConfigured(f"{name} and {name}_FILE are both set; keep one of them.")
    return _content(file, f"{name}_FILE") if file else value


def with_password(url: str, password: str, *, name: str) -> str:
    """Return the address with the password in it; raises ImproperlyConfigured if it has another.

    `name` is the variable of the address; a password without an address is refused as well.
    """
    if not password:
        return url
    parts = urlsplit(url)
    if not parts.hostname:
        raise ImproperlyConfigured(f"there is a password for {name}, but {name} names no host.")
    if parts.password is not None:
        raise ImproperlyConfigured(f"{name} has a password already; leave out one of the two.")
    user, _, place = parts.netloc.rpartition("@")
    return urlunsplit(parts._replace(netloc=f"{user}:{quote(password, safe='')}@{place}"))


def _content(file: str, name: str) -> str:
    try:
        content = Path(file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is no text"
        raise ImproperlyConfigured(f"{name} is {file!r}, which cannot be read: {why}.") from None
    if not content:
        raise ImproperlyConfigured(f"{name} is {file!r}, which is empty.")
    return content
