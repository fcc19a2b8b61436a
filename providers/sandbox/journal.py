"""Events: written by controllers, scheduler and kubelets, each in its own fashion, and forgotten.

Equal ones are counted up; many alike of one object are folded into one, as the real recorder does.
"""

from datetime import datetime

from providers.contract.manifest import Manifest
from providers.sandbox.answers import Refused
from providers.sandbox.clock import micro_time, read_time, seconds
from providers.sandbox.desk import Desk
from providers.sandbox.kinds import BY_PLURAL
from providers.simulation.pod_life.conditions import timestamp
from providers.simulation.pod_life.moments import Happening

KEPT_SECONDS = 3600
_MANY = 10
_PRUNE_EVERY = 50


class Journal:
    """Writes events about objects."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._names: dict[tuple[str, str, str], str] = {}
        self._written = 0

    def tell(
        self, item: Manifest, reason: str, message: str, *, by: str, kind: str = "Normal"
    ) -> None:
        """Write a controller's event, or count it up."""
        now = timestamp(self._desk.clock.now())
        uid = item["metadata"]["uid"]
        if sum(key[:2] == (uid, reason) for key in self._names) >= _MANY:
            message = f"(combined from similar events): {message}"
            known = self._find((uid, reason, "(many)"))
            key = (uid, reason, "(many)")
        else:
            key = (uid, reason, message)
            known = self._find(key)
        count = known["count"] + 1 if known else 1
        times = {"firstTimestamp": known["firstTimestamp"] if known else now, "lastTimestamp": now}
        told = {"message": message, "count": count, **times}
        self._write(item, key, known, {"reason": reason, "type": kind, **told, **_source(by)})

    def tell_scheduled(
        self, pod: Manifest, reason: str, message: str, *, kind: str = "Normal"
    ) -> None:
        """Write a scheduler's event, which carries only its eventTime."""
        now = self._desk.clock.now()
        body: Manifest = {
            "reason": reason,
            "type": kind,
            "message": message,
            "source": {},
            "firstTimestamp": None,
            "lastTimestamp": None,
            "eventTime": micro_time(now),
            "action": "Scheduling" if reason == "FailedScheduling" else "Binding",
            "reportingComponent": "default-scheduler",
            "reportingInstance": "default-scheduler-sandbox",
        }
        self._write(pod, (pod["metadata"]["uid"], reason, micro_time(now)), None, body)

    def tell_happening(self, pod: Manifest, happening: Happening, epoch: datetime) -> None:
        """Write a kubelet's event as often as it has happened by now."""
        key = (pod["metadata"]["uid"], happening.reason, "/".join(happening.key))
        known = self._find(key)
        if known and known["count"] >= happening.count:
            return
        body: Manifest = {
            "reason": happening.reason,
            "type": happening.type,
            "message": happening.message,
            "count": happening.count,
            "firstTimestamp": timestamp(epoch + seconds(happening.first)),
            "lastTimestamp": timestamp(epoch + seconds(happening.at)),
            **_source("kubelet"),
        }
        body["source"] = {"component": "kubelet", "host": pod["spec"]["nodeName"]}
        self._write(pod, key, known, body, _field_path(happening))

    def _find(self, key: tuple[str, str, str]) -> Manifest | None:
        place = self._names.get(key)
        namespace, _, name = (place or "").partition("/")
        return self._desk.store.get("events", name, namespace) if place else None

    def _write(
        self,
        item: Manifest,
        key: tuple[str, str, str],
        known: Manifest | None,
        body: Manifest,
        field_path: str = "",
    ) -> None:
        if known:
            self._desk.write("events", {**known, **body})
            return
        metadata = item["metadata"]
        namespace = metadata.get("namespace") or "default"
        name = f"{metadata['name']}.{self._desk.chance.getrandbits(64):016x}"
        event = {"metadata": {"name": name, "namespace": namespace}, "eventTime": None, **body}
        event["involvedObject"] = _involved(item, field_path)
        try:
            self._desk.create(BY_PLURAL["events"], event)
        except Refused:
            return  # its namespace has gone meanwhile
        self._names[key] = f"{namespace}/{name}"
        self._written += 1
        if self._written % _PRUNE_EVERY == 0:
            self._prune()

    def _prune(self) -> None:
        store, oldest = self._desk.store, self._desk.clock.now() - seconds(KEPT_SECONDS)
        for event in store.items("events"):
            last = event.get("lastTimestamp") or event["metadata"]["creationTimestamp"]
            if read_time(last) < oldest:
                store.remove("events", event)
        self._names = {key: name for key, name in self._names.items() if self._find(key)}


def _source(component: str) -> Manifest:
    return {"source": {"component": component}, "reportingComponent": component}


def _involved(item: Manifest, field_path: str) -> Manifest:
    metadata = item["metadata"]
    named = {name: metadata.get(name) for name in ("namespace", "name", "uid", "resourceVersion")}
    involved = {"kind": item["kind"], "apiVersion": item["apiVersion"], **named}
    involved = {name: value for name, value in involved.items() if value}
    return involved | ({"fieldPath": field_path} if field_path else {})


def _field_path(happening: Happening) -> str:
    field = "initContainers" if happening.init else "containers"
    return f"spec.{field}{{{happening.container}}}" if happening.container else ""
