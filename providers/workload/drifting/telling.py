"""Differences as people read them: short texts without secrets, who, and what can be done."""

from collections.abc import Mapping
from typing import Any

from providers.contract.drifting import DriftedField, DriftKind, Holder
from providers.contract.fields import is_secret_name
from providers.contract.manifest import Manifest, ObjectKey, canonical_json, digest_of, key_of
from providers.contract.masking import MASK, mask_secrets
from providers.workload.drifting.comparing import REPLICAS, Difference, differences_of
from providers.workload.drifting.expressing import overrides_for, place_of
from providers.workload.drifting.holders import Entry
from providers.workload.drifting.narrowing import are_words, only_what_differs
from providers.workload.drifting.paths import Path, text_of
from providers.workload.drifting.replacing import replaces_pods
from providers.workload.drifting.words import who_is

MOST_CHARACTERS = 400


def tell(manifest: Manifest, live: Manifest, *, autoscaler: str = "") -> tuple[DriftedField, ...]:
    """Return every difference of one object; `autoscaler` names one that is not ours."""
    key = key_of(manifest)
    return tuple(_told(key, found, autoscaler) for found in differences_of(manifest, live))


def gone(key: ObjectKey, *, obstacle: str = "") -> DriftedField:
    """Return an object of ours that is not there any more."""
    return DriftedField(
        key=key,
        path="",
        kind=DriftKind.GONE,
        ours="is there",
        theirs="",
        holder=Holder(who=who_is(None)),
        fingerprint=digest_of([key.kind, key.name, DriftKind.GONE.value]),
        obstacle=obstacle,
        overrides=_without_autoscaler(key),
    )


def _told(key: ObjectKey, found: Difference, autoscaler: str) -> DriftedField:
    ours, theirs = only_what_differs(found.ours, found.theirs, found.path)
    overrides = overrides_for(found)
    return DriftedField(
        key=key,
        path=text_of(found.path),
        kind=found.kind,
        ours=_text(found.path, ours),
        theirs=_text(found.path, theirs),
        holder=_holder(found.holder),
        fingerprint=_fingerprint(key, found),
        restarts=replaces_pods(key.kind, found.path, ours=found.ours, theirs=found.theirs),
        obstacle=_obstacle(found.path, autoscaler),
        overrides=overrides,
        expressed_by="" if overrides else place_of(found.path),
    )


def _holder(entry: Entry | None) -> Holder:
    if entry is None:
        return Holder(who=who_is(None))
    return Holder(
        who=who_is(entry),
        manager=entry.manager,
        operation=entry.operation,
        subresource=entry.subresource,
        at=entry.at,
    )


def _fingerprint(key: ObjectKey, found: Difference) -> str:
    return digest_of([key.kind, key.name, text_of(found.path), found.kind.value, found.theirs])


def _obstacle(path: Path, autoscaler: str) -> str:
    if path != REPLICAS or not autoscaler:
        return ""
    return f"{autoscaler}, which is not of Slipway, sets it; remove that first"


def _without_autoscaler(key: ObjectKey) -> Mapping[str, object]:
    """An autoscaler that is gone is taken over by doing without one."""
    return {"enable_auto_scaling": False} if key.kind == "HorizontalPodAutoscaler" else {}


def _text(path: Path, value: Any) -> str:
    if value is None:
        return ""
    if _is_secret(path) and value != "":
        return MASK
    text = mask_secrets(_plain(_masked(value)))
    return text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]}…"


def _plain(value: Any) -> str:
    if isinstance(value, str):
        return value
    if are_words(value):
        return " ".join(value)
    return canonical_json(value)


def _is_secret(path: Path) -> bool:
    """Tell whether this is the value of a variable that is called like a secret."""
    named = (dict(step).get("name") for step in path if not isinstance(step, str))
    return path[-1] == "value" and any(is_secret_name(str(name)) for name in named if name)


def _masked(value: Any) -> Any:
    """Return a value in which those of variables that are called like a secret are masked."""
    if isinstance(value, Mapping):
        if value.get("value") and is_secret_name(str(value.get("name") or "")):
            return {**value, "value": MASK}
        return {name: _masked(item) for name, item in value.items()}
    return [_masked(item) for item in value] if isinstance(value, list) else value
