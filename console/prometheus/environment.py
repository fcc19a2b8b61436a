"""Reads where Prometheus is; what is wrong is kept for the system checks."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

from console.environment import Problem

URL, TOKEN_FILE = "PROMETHEUS_URL", "PROMETHEUS_TOKEN_FILE"


@dataclass(frozen=True, kw_only=True, slots=True)
class PrometheusEnvironment:
    """An address without its last slash, empty for none; the token is read anew for each call."""

    url: str = ""
    token_file: str = ""
    problems: tuple[Problem, ...] = ()


def read_prometheus(environ: Mapping[str, str]) -> PrometheusEnvironment:
    """Read both variables; an address that cannot be used is a problem, and then there is none."""
    url, file = environ.get(URL, "").strip(), environ.get(TOKEN_FILE, "").strip()
    problems = tuple(_problems(url, file))
    if problems:
        return PrometheusEnvironment(problems=problems)
    return PrometheusEnvironment(url=url.rstrip("/"), token_file=file)


def _problems(url: str, file: str) -> Iterator[Problem]:
    parts = _parts(url)
    if url and parts is None:
        yield Problem(
            id="console.E030",
            # An address may hold a password, so it is not told.
            message=f"{URL} is not the address of a Prometheus.",
            hint="Use http://HOST:9090 or https://HOST/PATH without name, password and query; "
            "a token goes into the file that PROMETHEUS_TOKEN_FILE names.",
        )
    if file and not url:
        yield Problem(
            id="console.E031",
            message=f"{TOKEN_FILE} is set but {URL} is not.",
            hint=f"Set {URL} as well, or leave both out.",
        )
    if file and not _is_token(file):
        yield Problem(
            id="console.E032",
            message=f"{TOKEN_FILE} is {file!r}, which holds no token that can be read.",
            hint="Name a file with the token in one line, which the console may read.",
        )
    if file and parts is not None and parts.scheme == "http":
        yield Problem(
            id="console.E033",
            message=f"{URL} begins with http, so the token would be sent in clear.",
            hint=f"Use https, or leave out {TOKEN_FILE}.",
        )


def _parts(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        is_usable = parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0
    except ValueError:  # a port or an address that is none
        return None
    is_plain = "@" not in parts.netloc and not parts.query and not parts.fragment
    return parts if is_usable and is_plain else None


def _is_token(file: str) -> bool:
    try:
        token = Path(file).read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return False
    return bool(token) and token.isprintable()
