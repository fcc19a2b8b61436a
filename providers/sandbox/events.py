"""Events: written by controllers, scheduler and kubelets, each in its own fashion.

What happens to an object again is counted up in one event, as the real recorders do. Only what a
reader of ours looks for is told: warnings, and all that kubelets say.
"""

from datetime import UTC, datetime, timedelta

from providers.contract.manifest import Manifest, digest_of
from providers.sandbox.desk import Desk
from providers.sandbox.messages import Refused
from providers.sandbox.store import Key
from providers.simulation.pod_life.conditions import timestamp
from providers.simulation.pod_life.moments import Happening

KEPT_SECONDS = 3600.0


def reconcile(desk: Desk, event: Manifest) -> float | None:
    """Forget an event after an hour."""
    made = datetime.fromisoformat(event["metadata"]["creationTimestamp"])
    left = KEPT_SECONDS - (desk.clock.now() - made).total_seconds()
    if left > 0:
        return left
    desk.store.remove("events", event)
    return None


def warn(desk: Desk, item: Manifest, reason: str, message: str, *, by: str) -> None:
    """Write a controller's warning, or count it up with the newest message."""
    key = _key_of(item, reason)
    known = desk.store.at(key) or {"count": 0, "firstTimestamp": desk.time}
    told = {
        "message": message,
        "count": known["count"] + 1,
        "firstTimestamp": known["firstTimestamp"],
        "lastTimestamp": desk.time,
        "source": {"component": by},
        "reportingComponent": by,
    }
    _write(desk, item, key, {"reason": reason, "type": "Warning", "eventTime": None, **told})


def warn_of_scheduling(desk: Desk, pod: Manifest, message: str) -> None:
    """Write the scheduler's warning, which carries only its eventTime."""
    told: Manifest = {
        "reason": "FailedScheduling",
        "type": "Warning",
        "message": message,
        "source": {},
        "firstTimestamp": None,
        "lastTimestamp": None,
        "eventTime": desk.clock.now().astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
        "reportingComponent": "default-scheduler",
    }
    _write(desk, pod, _key_of(pod, "FailedScheduling"), told)


def tell_happening(desk: Desk, pod: Manifest, happening: Happening, epoch: datetime) -> None:
    """Write a kubelet's event as often as it has happened by now."""
    key = _key_of(pod, *happening.key)
    known = desk.store.at(key)
    if known and known["count"] >= happening.count:
        return
    field = "initContainers" if happening.init else "containers"
    path = f"spec.{field}{{{happening.container}}}" if happening.container else ""
    told = {
        "reason": happening.reason,
        "type": happening.type,
        "message": happening.message,
        "count": happening.count,
        "firstTimestamp": timestamp(epoch + timedelta(seconds=happening.first)),
        "lastTimestamp": timestamp(epoch + timedelta(seconds=happening.at)),
        "eventTime": None,
        "source": {"component": "kubelet", "host": pod["spec"]["nodeName"]},
        "reportingComponent": "kubelet",
    }
    _write(desk, pod, key, told, path)


def _key_of(item: Manifest, *what: str) -> Key:
    """Return where the event stands that tells this of this object."""
    metadata = item["metadata"]
    name = f"{metadata['name']}.{digest_of([metadata['uid'], *what])}"
    return Key("events", metadata["namespace"], name)


def _write(desk: Desk, item: Manifest, key: Key, told: Manifest, field_path: str = "") -> None:
    known = desk.store.at(key)
    if known:
        desk.write("events", known | told)
        return
    about = {name: item["metadata"][name] for name in ("namespace", "name", "uid")}
    about |= {"kind": item["kind"], "apiVersion": item["apiVersion"]}
    about |= {"fieldPath": field_path} if field_path else {}
    metadata = {"name": key.name, "namespace": key.namespace}
    try:
        desk.create("events", {"metadata": metadata, "involvedObject": about, **told})
    except Refused:
        return  # its namespace has gone meanwhile
