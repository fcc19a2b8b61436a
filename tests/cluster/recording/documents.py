"""What was seen at one moment, as the document of a case, and how that is written.

Names of this run (its namespaces, its machine, its ports) become the same in every recording; all
else, times and uids too, stays as the API server wrote it.
"""

import io
import json
import socket
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap

from providers.contract.manifest import Manifest
from providers.contract.request import DeploymentRef
from providers.contract.status import Status
from tests.cluster.kubelet.nodes import HOST_IP

NAMESPACE = "team-a"
MACHINE, ADDRESS, KUBELET_PORT = "control-plane", "192.0.2.10", 10250
KINDS = (
    "Namespace",
    "Deployment",
    "ReplicaSet",
    "Pod",
    "Event",
    "Service",
    "EndpointSlice",
    "HorizontalPodAutoscaler",
    "Node",
)
SHORT, ONE_LINE = 34, 120
CHANGED = " was changed outside of Slipway"


@dataclass(frozen=True, kw_only=True, slots=True)
class Look:
    """One look at a deployment: what was remembered before, what was told, what came out."""

    known: DeploymentRef
    objects: tuple[Manifest, ...]
    status: Status

    @property
    def now(self) -> datetime:
        """The cluster's clock at the look."""
        assert self.status.observed_at is not None
        return self.status.observed_at

    def document(self, seen: str) -> Manifest:
        """Return the case; `seen` says in words what it shows."""
        return {
            "seen": seen,
            "recorded": True,
            "now": self.now.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "known": known_document(self.known, self.now),
            "cluster": _cluster(self.status),
            "expect": expect_document(self.status),
            "objects": sorted(filter(_tells, self.objects), key=_order),
        }


def _tells(item: Manifest) -> bool:
    """Tell whether an object can matter: a node that is ready is none of ours."""
    if item["kind"] != "Node":
        return True
    conditions = item["status"]["conditions"]
    return any(each["type"] == "Ready" and each["status"] != "True" for each in conditions)


def _order(item: Manifest) -> tuple[int, str, str]:
    metadata = item["metadata"]
    return KINDS.index(item["kind"]), metadata["creationTimestamp"], metadata["name"]


def later(document: Manifest, *, seen: str, seconds: int, status: Status) -> Manifest:
    """Return the case of the same objects, looked at again so many seconds later."""
    now = datetime.fromisoformat(document["now"]) + timedelta(seconds=seconds)
    known = {**document["known"], "intent_since": document["known"]["intent_since"] + seconds}
    last = known["last_apply"]
    known["last_apply"] = {**last, "at": last["at"] + seconds}
    known["last_status"] = _remembered(status)
    known["once_full"] = status.once_full
    return {
        **{key: document[key] for key in ("recorded", "cluster")},
        "seen": seen,
        "now": now.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "known": known,
        "objects": document["objects"],
    }


def in_terms_of(document: Manifest, name: str, other: Manifest) -> Manifest:
    """Return the objects of a document beside those of another, of which none is said again."""
    known = {_version(item): item["metadata"]["uid"] for item in other["objects"]}
    same = [known[_version(item)] for item in document["objects"] if _version(item) in known]
    fresh = [item for item in document["objects"] if _version(item) not in known]
    return {"objects_of": name, "same": same, "objects": fresh}


def _version(item: Manifest) -> tuple[str, str]:
    return item["metadata"]["uid"], item["metadata"]["resourceVersion"]


def known_document(known: DeploymentRef, now: datetime) -> Manifest:
    """Return what was remembered, times as seconds ago."""
    scaling, last = known.scaling, known.last_apply
    return {
        "intent": known.intent.value,
        "intent_since": _ago(known.intent_since, now),
        "revision": known.revision,
        "applied_revision": known.applied_revision,
        "min": scaling.min_replicas,
        "max": scaling.max_replicas,
        "autoscaled": scaling.autoscaled,
        "startup_budget_seconds": known.startup_budget_seconds,
        "workload_uid": known.workload_uid,
        "once_full": known.once_full,
        "last_status": _remembered(known.last_status),
        "last_apply": {"code": last.code, "message": last.message, "at": _ago(last.at, now)},
    }


def _ago(at: datetime | None, now: datetime) -> int:
    return max(0, round((now - at).total_seconds())) if at else 0


def _remembered(status: Status | None) -> Manifest | None:
    if status is None:
        return None
    return {
        "phase": status.phase.value,
        "reason": status.reason,
        "message": status.message,
        "desired": status.desired_replicas,
        "ready": status.ready_replicas,
        "evidence": [item.as_dict() for item in status.evidence],
    }


def _cluster(status: Status) -> Manifest:
    """Return what a look knows besides objects, from what it notes."""
    hidden = {note.object: _why(note.message) for note in status.notes if note.row == 2}
    changed = [
        note.message.removesuffix(CHANGED)
        for note in status.notes
        if note.reason == "ChangedOutside" and note.message.endswith(CHANGED)
    ]
    return {"unreadable": hidden, "changed_outside": changed}


def _why(message: str) -> str:
    return message.partition(" could not be read: ")[2]


def expect_document(status: Status) -> Manifest:
    """Return what came out."""
    return {
        "phase": status.phase.value,
        "reason": status.reason,
        "message": status.message,
        "notes": sorted({note.reason for note in status.notes}),
        "desired": status.desired_replicas,
        "ready": status.ready_replicas,
        "available": status.available_replicas,
        "once_full": status.once_full,
        "closed": status.closed,
    }


def normalised(document: Manifest, namespace: str) -> Manifest:
    """Return the document without names of this run and of this machine."""
    text = json.dumps(document)
    for found, written in (
        (namespace, NAMESPACE),
        (f"-{socket.gethostname()}", f"-{MACHINE}"),
        (HOST_IP, ADDRESS),
    ):
        text = text.replace(found, written)
    plain: Manifest = json.loads(text)
    for item in plain.get("objects", ()):
        if item["kind"] == "Node":
            item["status"]["daemonEndpoints"]["kubeletEndpoint"]["Port"] = KUBELET_PORT
    return plain


def write(path: Path, document: Manifest) -> None:
    """Write a case; what stands in it several times is written once and referred to."""
    yaml = YAML()
    yaml.width = 1_000_000
    text = io.StringIO()
    yaml.dump(_laid_out(document, {}), text)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text.getvalue(), encoding="utf-8")


def _laid_out(value: Any, known: dict[str, Any]) -> Any:  # any part of a JSON document
    """Return a part as it is to be written: equal parts of some size are one and the same."""
    if not isinstance(value, dict | list):
        return value
    key = json.dumps(value)
    if key not in known:
        fresh = _fresh(value, known)
        if len(key) < SHORT:
            return fresh
        known[key] = fresh
    return known[key]


def _fresh(value: Any, known: dict[str, Any]) -> Any:
    if isinstance(value, list):
        return [_laid_out(each, known) for each in value]
    laid_out = CommentedMap({key: _laid_out(each, known) for key, each in value.items()})
    if "fieldsV1" in value or _is_small(value):
        laid_out.fa.set_flow_style()
    return laid_out


def _is_small(value: Manifest) -> bool:
    """Tell whether a mapping is flat and fits on one line."""
    is_flat = not any(isinstance(each, dict | list) for each in value.values())
    return len(value) > 1 and is_flat and len(json.dumps(value)) <= ONE_LINE
