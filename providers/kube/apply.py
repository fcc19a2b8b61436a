"""Writes: server-side apply under our two field managers, dry runs, and deletion by uid.

`slipway` owns what is rendered; `slipway-scale` holds nothing but a number of replicas, so that it
can be handed to an autoscaler and taken back. Knows objects, not what they are for.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from providers.contract.errors import Unavailable
from providers.contract.manifest import Manifest, ObjectKey, key_of
from providers.contract.protocols import Deadline
from providers.kube.answer import Answer
from providers.kube.client import Call, KubeClient
from providers.kube.clock import require_time
from providers.kube.errors import CONFLICT, NOT_FOUND, causes_of, error_of, raise_unless_ok
from providers.kube.resources import Resource, path_of, resource_of

MANAGER = "slipway"
SCALE_MANAGER = "slipway-scale"
APPLY = "application/apply-patch+yaml"
_CREATED = 201
_FIRST_PAUSE = 0.02
_LONGEST_PAUSE = 0.25


class FieldConflict(Unavailable):
    """Another field manager holds what an unforced apply would change; `fields` names it."""

    code = "Conflict"

    def __init__(self, message: str, *, fields: tuple[str, ...]) -> None:
        super().__init__(message)
        self.fields = fields


@dataclass(frozen=True, kw_only=True, slots=True)
class Written:
    """An object after a write (or a dry run of one); `body` is the whole object."""

    key: ObjectKey
    uid: str
    created: bool
    body: Manifest
    warnings: tuple[str, ...] = ()


def apply_object(
    client: KubeClient, manifest: Manifest, *, deadline: Deadline, manager: str = MANAGER
) -> Written:
    """Apply an object and take over the fields that it names, whoever held them."""
    return _apply(client, manifest, {"fieldManager": manager, "force": "true"}, deadline)


def offer_object(
    client: KubeClient, manifest: Manifest, *, deadline: Deadline, manager: str = MANAGER
) -> Written:
    """Apply an object unless that changes what another holds; raises FieldConflict then."""
    return _apply(client, manifest, {"fieldManager": manager, "force": "false"}, deadline)


def set_scale(
    client: KubeClient, workload: ObjectKey, replicas: int, *, deadline: Deadline
) -> bool:
    """Give a workload a number of replicas over whoever holds it; False where it has no scale."""
    metadata = {"name": workload.name, "namespace": workload.namespace}
    call = Call(
        method="PATCH",
        path=f"{resource_of(workload).item(workload.name, workload.namespace)}/scale",
        query={"fieldManager": SCALE_MANAGER, "force": "true"},
        body={
            "apiVersion": "autoscaling/v1",
            "kind": "Scale",
            "metadata": metadata,
            "spec": {"replicas": replicas},
        },
        content_type=APPLY,
        repeatable=True,
    )
    answer = client.send(call, deadline=deadline)
    if answer.status == NOT_FOUND:
        return False
    raise_unless_ok(answer, doing=f"scaling {workload}")
    return True


def rehearse_object(client: KubeClient, manifest: Manifest, *, deadline: Deadline) -> Written:
    """Apply in a dry run: everything is judged, nothing is stored."""
    query = {"fieldManager": MANAGER, "force": "true", **_DRY}
    return _apply(client, manifest, query, deadline)


def rehearse_creation(client: KubeClient, manifest: Manifest, *, deadline: Deadline) -> Written:
    """Create in a dry run, which meets quotas and admission that an apply of a parent does not."""
    key = key_of(manifest)
    call = Call(
        method="POST",
        path=resource_of(key).collection(key.namespace),
        query={"fieldManager": MANAGER, **_DRY},
        body=manifest,
    )
    answer = raise_unless_ok(client.send(call, deadline=deadline), doing=f"trying {key}")
    return _written(key, answer)


def create_object(client: KubeClient, manifest: Manifest, *, deadline: Deadline) -> Written | None:
    """Create an object; None when one of that name is there already."""
    key = key_of(manifest)
    call = Call(
        method="POST",
        path=resource_of(key).collection(key.namespace),
        query={"fieldManager": MANAGER},
        body=manifest,
    )
    answer = client.send(call, deadline=deadline)
    if answer.status == CONFLICT:
        return None
    return _written(key, raise_unless_ok(answer, doing=f"creating {key}"))


def delete_object(
    client: KubeClient,
    key: ObjectKey,
    *,
    uid: str,
    deadline: Deadline,
    propagation: str = "Foreground",
) -> None:
    """Ask for the deletion of exactly this object; one that is gone, or is another now, is fine."""
    call = Call(
        method="DELETE",
        path=resource_of(key).item(key.name, key.namespace),
        body={
            "apiVersion": "v1",
            "kind": "DeleteOptions",
            "preconditions": {"uid": uid},
            "propagationPolicy": propagation,
        },
    )
    answer = client.send(call, deadline=deadline)
    if answer.status not in {NOT_FOUND, CONFLICT}:
        raise_unless_ok(answer, doing=f"deleting {key}")


def wait_until_gone(
    client: KubeClient, resource: Resource, key: ObjectKey, *, uid: str, deadline: Deadline
) -> None:
    """Wait until the object is gone or is another one; raises Unavailable at the deadline."""
    pause = _FIRST_PAUSE
    path = resource.item(key.name, key.namespace)
    while True:
        answer = client.get(path, deadline=deadline)
        if answer.status == NOT_FOUND or _uid_of(answer.document()) != uid:
            return
        time.sleep(min(pause, require_time(deadline, client.host)))
        pause = min(pause * 2, _LONGEST_PAUSE)


def managers_of(live: Mapping[str, Any], *path: str) -> frozenset[str]:
    """Return the field managers that hold the field at a path such as ("spec", "replicas")."""
    entries = (live.get("metadata") or {}).get("managedFields") or []
    return frozenset(
        str(entry.get("manager")) for entry in entries if _holds(entry.get("fieldsV1"), path)
    )


_DRY = {"dryRun": "All", "fieldValidation": "Strict"}


def _apply(
    client: KubeClient, manifest: Manifest, query: Mapping[str, str], deadline: Deadline
) -> Written:
    key = key_of(manifest)
    call = Call(
        method="PATCH",
        path=path_of(manifest),
        query=query,
        body=manifest,
        content_type=APPLY,
        repeatable=True,
    )
    answer = client.send(call, deadline=deadline)
    if answer.status == CONFLICT:
        raise _conflict(answer, key)
    return _written(key, raise_unless_ok(answer, doing=f"applying {key}"))


def _conflict(answer: Answer, key: ObjectKey) -> FieldConflict:
    error = error_of(answer, doing=f"applying {key}")
    fields = tuple(field for field, _ in causes_of(answer) if field)
    return FieldConflict(error.message, fields=fields)


def _written(key: ObjectKey, answer: Answer) -> Written:
    body = answer.document()
    return Written(
        key=key,
        uid=_uid_of(body),
        created=answer.status == _CREATED,
        body=body,
        warnings=answer.warnings,
    )


def _uid_of(body: Mapping[str, Any]) -> str:
    return str((body.get("metadata") or {}).get("uid") or "")


def _holds(fields: object, path: tuple[str, ...]) -> bool:
    for step in path:
        if not isinstance(fields, dict) or f"f:{step}" not in fields:
            return False
        fields = fields[f"f:{step}"]
    return True
