"""Changing what an apply does not name, such as who holds the fields of an object.

A merge patch that names the version it was made for: of two that meet, the later one is refused.
"""

from typing import Any

from providers.contract.manifest import Manifest, key_of
from providers.contract.protocols import Deadline
from providers.kube.apply import MANAGER
from providers.kube.client import Call, KubeClient
from providers.kube.errors import CONFLICT, raise_unless_ok
from providers.kube.resources import path_of

MERGE = "application/merge-patch+json"


def patch_object(
    client: KubeClient, live: Manifest, changes: Manifest, *, deadline: Deadline
) -> bool:
    """Change an object as it was read; False, and nothing written, when it is a newer one now."""
    metadata: Any = changes.get("metadata") or {}
    version = live["metadata"].get("resourceVersion")
    call = Call(
        method="PATCH",
        path=path_of(live),
        query={"fieldManager": MANAGER},
        body={**changes, "metadata": {**metadata, "resourceVersion": version}},
        content_type=MERGE,
    )
    answer = client.send(call, deadline=deadline)
    if answer.status == CONFLICT:
        return False
    raise_unless_ok(answer, doing=f"changing {key_of(live)}")
    return True
