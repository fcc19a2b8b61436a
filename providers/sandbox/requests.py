"""One request taken apart: what it asks of which objects. It must not know what is stored."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, unquote, urlsplit

from providers.contract.manifest import Manifest
from providers.sandbox.answers import Refused, bad_request, no_such_path, no_such_resource
from providers.sandbox.faults import Asked
from providers.sandbox.kinds import BY_PLURAL, KINDS, Kind

_VERBS = {"GET": "get", "POST": "create", "PATCH": "patch", "DELETE": "delete", "PUT": "update"}
_API_VERSIONS = frozenset(kind.api_version for kind in KINDS)
_WITH_SUBRESOURCE = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class Request:
    """A request for objects: verb as in Kubernetes, kind, place, query and body."""

    verb: str
    kind: Kind
    namespace: str = ""
    name: str = ""
    subresource: str = ""
    query: Mapping[str, str] = field(default_factory=dict)
    content_type: str = ""
    agent: str = ""
    body: bytes = b""

    @property
    def manager(self) -> str:
        """Return who writes: the field manager, else the program that asks."""
        return self.query.get("fieldManager") or self.agent.partition("/")[0] or "unknown"

    @property
    def is_dry(self) -> bool:
        return self.query.get("dryRun") == "All"

    @property
    def asked(self) -> Asked:
        """Return what faults match."""
        return Asked(
            verb=self.verb,
            resource=self.kind.plural,
            namespace=self.namespace,
            name=self.name,
            continued="continue" in self.query,
        )

    def document(self) -> Manifest:
        """Return the body as an object; raises Refused when it is none."""
        if "protobuf" in self.content_type:
            told = f"the body of the request was in an unknown format: {self.content_type}"
            raise Refused(415, "UnsupportedMediaType", told)
        try:
            read = json.loads(self.body or b"{}")
        except ValueError as error:
            raise bad_request(f"the body is not JSON: {error}") from None
        if not isinstance(read, dict):
            raise bad_request("the body is not an object")
        return read


def read_request(method: str, target: str, headers: Mapping[str, str], body: bytes) -> Request:
    """Return what a request asks; raises Refused where nothing of that name is served."""
    parts = urlsplit(target)
    api_version, steps = _split(parts.path)
    namespace = ""
    if steps[0] == "namespaces" and len(steps) > _WITH_SUBRESOURCE:
        namespace, steps = steps[1], steps[2:]
    plural, name, subresource = [*steps, "", ""][:3]
    kind = BY_PLURAL.get(plural)
    if kind is None or kind.api_version != api_version or len(steps) > _WITH_SUBRESOURCE + 1:
        raise no_such_resource()
    verb = _VERBS.get(method, method.lower())
    return Request(
        verb="list" if verb == "get" and not name else verb,
        kind=kind,
        namespace=namespace,
        name=name,
        subresource=subresource,
        query=dict(parse_qsl(parts.query, keep_blank_values=True)),
        content_type=headers.get("Content-Type", "").partition(";")[0],
        agent=headers.get("User-Agent", ""),
        body=body,
    )


def _split(path: str) -> tuple[str, list[str]]:
    """Return apiVersion and the steps after it; raises Refused for an unknown group."""
    root, *steps = [unquote(step) for step in path.strip("/").split("/")]
    depth = {"api": 1, "apis": 2}.get(root, 0)
    api_version = "/".join(steps[:depth])
    if not depth or len(steps) <= depth or api_version not in _API_VERSIONS:
        raise no_such_path()
    return api_version, steps[depth:]
