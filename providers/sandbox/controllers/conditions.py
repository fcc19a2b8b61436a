"""Conditions of a status: one per type, whose transition time moves only when its status does."""

from collections.abc import Sequence
from datetime import datetime

from providers.contract.manifest import Manifest
from providers.simulation.pod_life.conditions import timestamp


def condition_of(item: Manifest, kind: str) -> Manifest:
    """Return a condition, empty where there is none."""
    conditions: Sequence[Manifest] = (item.get("status") or {}).get("conditions") or ()
    return next((entry for entry in conditions if entry["type"] == kind), {})


def condition(
    item: Manifest, kind: str, status: str, reason: str, message: str, *, now: datetime
) -> Manifest:
    """Return a condition as it follows on what the object has."""
    old = condition_of(item, kind)
    turned = old.get("status") != status
    return {
        "type": kind,
        "status": status,
        "lastTransitionTime": timestamp(now) if turned else old["lastTransitionTime"],
        "reason": reason,
        "message": message,
    }


def updated_condition(
    item: Manifest, kind: str, status: str, reason: str, message: str, *, now: datetime
) -> Manifest:
    """Return a condition of a Deployment, which tells when it was last looked at anew."""
    new = condition(item, kind, status, reason, message, now=now)
    old = condition_of(item, kind)
    same = (old.get("status"), old.get("reason")) == (status, reason)
    return {**new, "lastUpdateTime": old["lastUpdateTime"] if same else timestamp(now)}
