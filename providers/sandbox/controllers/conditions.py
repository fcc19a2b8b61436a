"""Conditions of a status: one per type, whose transition time moves only when its status does."""

from providers.contract.manifest import Manifest


def condition_of(item: Manifest, kind: str) -> Manifest:
    """Return a condition, empty where there is none."""
    conditions = item["status"].get("conditions") or ()
    return next((entry for entry in conditions if entry["type"] == kind), {})


def condition(item: Manifest, kind: str, status: str, why: tuple[str, str], now: str) -> Manifest:
    """Return a condition as it follows on what the object has; `why` is reason and message."""
    old = condition_of(item, kind)
    turned = old.get("status") != status
    return {
        "type": kind,
        "status": status,
        "reason": why[0],
        "message": why[1],
        "lastTransitionTime": now if turned else old["lastTransitionTime"],
    }
