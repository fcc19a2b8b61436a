"""Events: written by controllers, scheduler and kubelets, each in its own fashion.

What happens to an object again is counted up in one event, as the real recorders do.
"""

from contextlib import suppress
from datetime import UTC, datetime, timedelta

from providers.contract.manifest import Manifest, digest_of
from providers.sandbox.desk import Desk
from providers.sandbox.kinds import BY_NAME
from providers.sandbox.messages import Refused
from providers.sandbox.store import Key
from providers.simulation.pod_life.conditions import timestamp
from providers.simulation.pod_life.moments import Happening

KEPT_SECONDS = 3600.0
_WARNINGS = {"FailedCreate", "FailedScheduling"}


def reconcile(desk: Desk, event: Manifest) -> float | None:
    """Forget an event after an hour."""
    made = datetime.fromisoformat(event["metadata"]["creationTimestamp"])
    left = KEPT_SECONDS - (desk.now() - made).total_seconds()
    if left > 0:
        return left
    desk.store.remove(event)
    return None


def tell(desk: Desk, item: Manifest, reason: str, message: str) -> None:
    """Write what a controller or the scheduler did, or count it up.

    Warnings of one reason are one event; a scheduler's carries only its eventTime.
    """
    kind, teller = "Warning" if reason in _WARNINGS else "Normal", BY_NAME[item["kind"]].teller
    key = _key_of(item, reason, message if kind == "Normal" else "")
    told: Manifest = {"reason": reason, "type": kind, "message": message}
    if item["kind"] == "Pod":
        told["eventTime"] = desk.now().astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    else:
        known = desk.store.at(key) or {"count": 0, "firstTimestamp": desk.time}
        told |= {"count": known["count"] + 1, "source": {"component": teller}}
        told |= {"firstTimestamp": known["firstTimestamp"], "lastTimestamp": desk.time}
    _write(desk, item, key, told | {"reportingComponent": teller})


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
        "reportingComponent": "kubelet",
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
    about = {name: item["metadata"][name] for name in ("namespace", "name", "uid")}
    about |= {"kind": item["kind"]} | ({"fieldPath": field_path} if field_path else {})
    metadata = {"name": key.name, "namespace": key.namespace}
    with suppress(Refused):  # its namespace may have gone meanwhile
        desk.keep({"kind": "Event", "metadata": metadata, "involvedObject": about, **told})
