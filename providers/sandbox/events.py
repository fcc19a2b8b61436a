"""Events: written by controllers, scheduler and kubelets, each in its own fashion.

What happens to an object again is counted up in one event, as the real recorders do. Only what a
reader of ours looks for is told: warnings, and all that kubelets say.
"""

from contextlib import suppress
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
    left = KEPT_SECONDS - (desk.now() - made).total_seconds()
    if left > 0:
        return left
    desk.store.remove(event)
    return None


def warn(desk: Desk, item: Manifest, reason: str, message: str, *, by: str) -> None:
    """Write a controller's warning, or count it up with the newest message."""
    key = _key_of(item, reason)
    known = desk.store.at(key) or {"count": 0, "firstTimestamp": desk.time}
    times = {"firstTimestamp": known["firstTimestamp"], "lastTimestamp": desk.time}
    told = {"reason": reason, "type": "Warning", "message": message, "count": known["count"] + 1}
    _write(desk, item, key, told | times | {"source": {"component": by}})


def warn_of_scheduling(desk: Desk, pod: Manifest, message: str) -> None:
    """Write the scheduler's warning, which carries only its eventTime."""
    at = desk.now().astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    told = {"reason": "FailedScheduling", "type": "Warning", "message": message, "eventTime": at}
    _write(desk, pod, _key_of(pod, "FailedScheduling"), told)


def tell_happening(desk: Desk, pod: Manifest, happening: Happening, epoch: datetime) -> None:
    """Write a kubelet's event as often as it has happened by now."""
    key = _key_of(pod, *happening.key)
    known = desk.store.at(key)
    if known and known["count"] >= happening.count:
        return
    told = {
        "reason": happening.reason,
        "type": happening.type,
        "message": happening.message,
        "count": happening.count,
        "firstTimestamp": timestamp(epoch + timedelta(seconds=happening.first)),
        "lastTimestamp": timestamp(epoch + timedelta(seconds=happening.at)),
        "source": {"component": "kubelet"},
    }
    field = "initContainers" if happening.init else "containers"
    path = f"spec.{field}{{{happening.container}}}" if happening.container else ""
    _write(desk, pod, key, told, path)


def _key_of(item: Manifest, *what: str) -> Key:
    """Return where the event stands that tells this of this object."""
    metadata = item["metadata"]
    name = f"{metadata['name']}.{digest_of([metadata['uid'], *what])}"
    return Key("events", metadata["namespace"], name)


def _write(desk: Desk, item: Manifest, key: Key, told: Manifest, field_path: str = "") -> None:
    known = desk.store.at(key)
    if known:
        desk.write(known | told)
        return
    about = {name: item["metadata"][name] for name in ("namespace", "name", "uid")}
    about |= {"kind": item["kind"]} | ({"fieldPath": field_path} if field_path else {})
    event: Manifest = dict.fromkeys(("eventTime", "firstTimestamp", "lastTimestamp"))
    event |= {"kind": "Event", "metadata": {"name": key.name, "namespace": key.namespace}}
    with suppress(Refused):  # its namespace may have gone meanwhile
        desk.create(event | {"involvedObject": about, "source": {}} | told)
