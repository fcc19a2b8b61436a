"""Thousands of copies of one real deployment, written where the API server keeps its objects.

The objects of the sample are as the control plane made them, with everything that controllers and
kubelets wrote into them; a copy differs in names and uids only. Written as JSON into etcd, which
the API server reads like its own encoding: so nobody acts on them, and it takes seconds.
"""

import base64
import json
import urllib.request
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from urllib3.exceptions import HTTPError

from providers.workload.labels import LABEL_ID
from tests.cluster.harness.api import ApiError
from tests.cluster.harness.control_plane import ControlPlane
from tests.ports import LOOPBACK

# Fewer than etcd takes in one transaction, by number (128) and by bytes (1.5 MB).
_BATCH = 100
_SECONDS = 60
_OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


@dataclass(frozen=True, kw_only=True, slots=True)
class Kind:
    """One kind of object of a deployment: where the API serves it, and where etcd keeps it."""

    name: str
    version: str
    plural: str
    stored: str

    @property
    def path(self) -> str:
        """Return the path of all objects of the kind."""
        return f"/{'apis' if '/' in self.version else 'api'}/{self.version}/{self.plural}"


KINDS = (
    Kind(name="Deployment", version="apps/v1", plural="deployments", stored="deployments"),
    Kind(name="ReplicaSet", version="apps/v1", plural="replicasets", stored="replicasets"),
    Kind(name="Pod", version="v1", plural="pods", stored="pods"),
    Kind(name="Service", version="v1", plural="services", stored="services/specs"),
    Kind(
        name="EndpointSlice",
        version="discovery.k8s.io/v1",
        plural="endpointslices",
        stored="endpointslices",
    ),
    Kind(
        name="HorizontalPodAutoscaler",
        version="autoscaling/v2",
        plural="horizontalpodautoscalers",
        stored="horizontalpodautoscalers",
    ),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Sample:
    """The objects of one deployment as text, by kind; `uids` are all that stand in them."""

    id: str
    objects: Mapping[Kind, Sequence[Mapping[str, Any]]]
    uids: Sequence[str]


def sample_of(plane: ControlPlane, deployment_id: str, *, kinds: Sequence[Kind] = KINDS) -> Sample:
    """Read a deployment's objects from the API server, those that controllers made included."""
    objects = {kind: _objects(plane, kind, deployment_id) for kind in kinds}
    uids = {item["metadata"]["uid"] for items in objects.values() for item in items}
    return Sample(id=deployment_id, objects=objects, uids=sorted(uids))


def copied(text: str, sample: Sample, number: int) -> str:
    """Return a text about the sample as one about its copy of that number.

    Names end in the first eight digits of the deployment's id; those are what differs.
    """
    own = f"{number:08x}"
    text = text.replace(sample.id[:8], own)
    for uid in sample.uids:
        text = text.replace(uid, own + uid[8:])
    return text


def copy_id(sample: Sample, number: int) -> uuid.UUID:
    """Return the id of a copy."""
    return uuid.UUID(copied(sample.id, sample, number))


def write_copies(plane: ControlPlane, sample: Sample, count: int) -> None:
    """Write so many copies of everything into etcd."""
    for kind, items in sample.objects.items():
        for item in items:
            meta = item["metadata"]
            key = f"/registry/{kind.stored}/{meta['namespace']}/{meta['name']}"
            text = json.dumps(item, separators=(",", ":"))
            for start in range(0, count, _BATCH):
                numbers = range(start, min(start + _BATCH, count))
                _put(plane, [(copied(key, sample, n), copied(text, sample, n)) for n in numbers])


def count_of(plane: ControlPlane, path: str) -> int:
    """Return how many objects the API server has at the path of a kind."""
    page = plane.api.get(path, limit="1")
    return len(page["items"]) + int(page["metadata"].get("remainingItemCount") or 0)


def is_up_to_date(plane: ControlPlane, path: str) -> bool:
    """Tell whether the API server's memory of a kind has all that etcd has.

    Until then it answers lists late or not at all.
    """
    try:
        version = plane.api.get(path, limit="1")["metadata"]["resourceVersion"]
        plane.api.get(path, limit="1", resourceVersion=version, resourceVersionMatch="NotOlderThan")
    except (ApiError, HTTPError):
        return False
    return True


def _objects(plane: ControlPlane, kind: Kind, deployment_id: str) -> Sequence[Mapping[str, Any]]:
    found = plane.api.get(kind.path, labelSelector=f"{LABEL_ID}={deployment_id}")["items"]
    return [{"apiVersion": kind.version, "kind": kind.name, **_without_version(x)} for x in found]


def _without_version(item: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return an object without what etcd tells of it when it is read."""
    metadata = {name: told for name, told in item["metadata"].items() if name != "resourceVersion"}
    return {**item, "metadata": metadata}


def _put(plane: ControlPlane, pairs: Sequence[tuple[str, str]]) -> None:
    puts = [{"requestPut": {"key": _encoded(key), "value": _encoded(text)}} for key, text in pairs]
    request = urllib.request.Request(
        f"http://{LOOPBACK}:{plane.layout.ports.etcd}/v3/kv/txn",
        data=json.dumps({"success": puts}).encode(),
    )
    with _OPENER.open(request, timeout=_SECONDS) as answer:
        answer.read()


def _encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()
