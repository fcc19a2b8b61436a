"""A plain door to the test API server for the harness and its tests; Slipway's own code is not
involved.
"""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import urllib3

from providers.contract.manifest import Manifest

MERGE_PATCH = "application/merge-patch+json"
APPLY_PATCH = "application/apply-patch+yaml"
# Long enough for a busy machine: whatever is slower than this is broken.
TIMEOUT = urllib3.Timeout(connect=10, read=30)


class ApiError(RuntimeError):
    """The API server answered with an error."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(f"{status}: {message}")
        self.status = status


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """What the API server answered; `body` is empty where it sent no JSON."""

    status: int
    body: Manifest
    text: str
    warnings: list[str] = field(default_factory=list)


class Api:
    """Requests with one token; every call has a timeout, none is sent twice."""

    def __init__(self, url: str, ca: Path, token: str, *, connections: int = 16) -> None:
        self.url = url
        self.headers = {"Authorization": f"Bearer {token}", "Accept": "application/json"}
        self.pool = urllib3.PoolManager(
            ca_certs=str(ca), retries=False, maxsize=connections, timeout=TIMEOUT
        )

    def ask(
        self,
        method: str,
        path: str,
        body: Manifest | None = None,
        content_type: str = "application/json",
        **query: str,
    ) -> Answer:
        """Return the answer, whatever its status."""
        response = self.pool.request(
            method,
            self.url + path + ("?" + urlencode(query) if query else ""),
            body=None if body is None else json.dumps(body),
            headers=self.headers | ({"Content-Type": content_type} if body is not None else {}),
        )
        text = response.data.decode(errors="replace")
        return Answer(
            status=response.status,
            body=_parsed(text, response.headers.get("Content-Type", "")),
            text=text,
            warnings=list(response.headers.getlist("Warning")),
        )

    def get(self, path: str, **query: str) -> Manifest:
        """Return an object or list; raise ApiError where there is none."""
        return _succeeded(self.ask("GET", path, None, "", **query))

    def find(self, path: str) -> Manifest | None:
        """Return an object, None where there is none."""
        answer = self.ask("GET", path)
        return None if answer.status == 404 else _succeeded(answer)

    def create(self, path: str, body: Manifest) -> Manifest:
        """POST an object to a collection."""
        return _succeeded(self.ask("POST", path, body))

    def merge(self, path: str, body: Manifest, **query: str) -> Manifest:
        """Merge-patch an object."""
        return _succeeded(self.ask("PATCH", path, body, MERGE_PATCH, **query))

    def apply(self, path: str, body: Manifest, *, manager: str = "tests") -> Manifest:
        """Server-side apply of an object, with force."""
        return _succeeded(
            self.ask("PATCH", path, body, APPLY_PATCH, fieldManager=manager, force="true")
        )

    def delete(self, path: str, body: Manifest | None = None) -> Answer:
        """DELETE an object; one that is gone already is no error."""
        answer = self.ask("DELETE", path, body)
        if answer.status != 404:
            _succeeded(answer)
        return answer

    def stream(self, path: str, *, read_seconds: float, **query: str) -> urllib3.BaseHTTPResponse:
        """Open a watch or another endless answer; the caller closes it."""
        response = self.pool.request(
            "GET",
            f"{self.url}{path}?{urlencode(query)}",
            headers=self.headers,
            preload_content=False,
            timeout=urllib3.Timeout(connect=10, read=read_seconds),
        )
        if response.status != 200:
            text = response.data.decode(errors="replace")
            raise ApiError(response.status, text)
        return response


def namespaced(namespace: str, resource: str, name: str = "", *, api: str = "api/v1") -> str:
    """Return the path of a collection or object in a namespace; `api` as in "apis/apps/v1"."""
    return f"/{api}/namespaces/{namespace}/{resource}" + (f"/{quote(name)}" if name else "")


def path_of(manifest: Manifest) -> str:
    """Return the path of a namespaced object whose kind has a plural with an s."""
    version, metadata = manifest["apiVersion"], manifest["metadata"]
    return namespaced(
        metadata["namespace"],
        f"{manifest['kind'].lower()}s",
        metadata["name"],
        api=f"apis/{version}" if "/" in version else f"api/{version}",
    )


def _parsed(text: str, content_type: str) -> Manifest:
    if "json" not in content_type:
        return {}
    parsed: dict[str, Any] = json.loads(text)
    return parsed


def _succeeded(answer: Answer) -> Manifest:
    if answer.status >= 400:
        raise ApiError(answer.status, str(answer.body.get("message") or answer.text))
    return answer.body
