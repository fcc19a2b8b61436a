"""Writes a pod's happenings as core/v1 Events of the component kubelet, folding repeated ones by
count.
"""

from datetime import datetime, timedelta

from providers.contract.manifest import Manifest
from providers.simulation.pod_life.conditions import timestamp
from providers.simulation.pod_life.moments import Happening
from tests.cluster.harness.api import Api, ApiError, namespaced

COMPONENT = "kubelet"


class EventLedger:
    """What has been told about one pod, and how often before this epoch of its life."""

    def __init__(self, pod: Manifest, node: str) -> None:
        self._pod = pod["metadata"]
        self._node = node
        self._names: dict[tuple[str, str, str], str] = {}
        self._before: dict[tuple[str, str, str], int] = {}
        self._told: dict[tuple[str, str, str], int] = {}

    def begin_epoch(self) -> None:
        """Count on from here when a pod's life begins anew."""
        self._before = dict(self._told)

    def write(self, api: Api, happening: Happening, epoch: datetime) -> None:
        """Create or count up the event of a happening, unless it was told as often already."""
        count = self._before.get(happening.key, 0) + happening.count
        if count == self._told.get(happening.key):
            return
        last = timestamp(epoch + timedelta(seconds=happening.at))
        name = self._names.get(happening.key)
        if name is None or not self._count_up(api, name, count, last):
            self._create(api, happening, count, epoch)
        self._told[happening.key] = count

    def _count_up(self, api: Api, name: str, count: int, last: str) -> bool:
        path = namespaced(self._pod["namespace"], "events", name)
        try:
            api.merge(path, {"count": count, "lastTimestamp": last})
        except ApiError as error:
            if error.status != 404:
                raise
            return False
        return True

    def _create(self, api: Api, happening: Happening, count: int, epoch: datetime) -> None:
        name = f"{self._pod['name']}.{self._pod['uid'][:8]}.{len(self._names):x}"
        event = {
            "apiVersion": "v1",
            "kind": "Event",
            "metadata": {"name": name, "namespace": self._pod["namespace"]},
            "involvedObject": self._involved(happening),
            "type": happening.type,
            "reason": happening.reason,
            "message": happening.message,
            "count": count,
            "firstTimestamp": timestamp(epoch + timedelta(seconds=happening.first)),
            "lastTimestamp": timestamp(epoch + timedelta(seconds=happening.at)),
            "source": {"component": COMPONENT, "host": self._node},
            "reportingComponent": COMPONENT,
            "reportingInstance": self._node,
        }
        answer = api.ask("POST", namespaced(self._pod["namespace"], "events"), event)
        # 409: told by us before a restart. 403 and 404: the namespace is going or gone.
        if answer.status >= 400 and answer.status not in {403, 404, 409}:
            raise ApiError(answer.status, answer.text)
        self._names[happening.key] = name

    def _involved(self, happening: Happening) -> Manifest:
        involved = {
            "apiVersion": "v1",
            "kind": "Pod",
            "namespace": self._pod["namespace"],
            "name": self._pod["name"],
            "uid": self._pod["uid"],
            "resourceVersion": self._pod["resourceVersion"],
        }
        if happening.container:
            field = "initContainers" if happening.init else "containers"
            involved["fieldPath"] = f"spec.{field}{{{happening.container}}}"
        return involved
