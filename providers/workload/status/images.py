"""Row 12: an image that cannot be pulled, told apart by the container runtime's words."""

import re
from collections.abc import Iterator

from providers.workload.objects import present
from providers.workload.status.facts import Facts, Seat
from providers.workload.status.hits import Hit
from providers.workload.status.wording import short

_WAITING = frozenset(
    {
        "ErrImagePull",
        "ImagePullBackOff",
        "ErrImageNeverPull",
        "InvalidImageName",
        "ImageInspectError",
        "RegistryUnavailable",
        "SignatureValidationFailed",
    }
)
# In this order: a registry that hides private repositories says "does not exist" and "denied" in
# one breath, and an image for another processor is "not found" too.
_WORDS = (
    ("ImageInvalid", re.compile(r"no match for platform|invalid reference format|parse image")),
    (
        "ImageUnauthorized",
        re.compile(
            r"unauthorized|denied|authorization failed|authentication required|no basic auth|"
            r"\b401\b|\b403\b|failed to authorize",
        ),
    ),
    ("ImageNotFound", re.compile(r"not found|notfound|manifest unknown|name unknown|\b404\b")),
)
_UNREACHED = re.compile(r"dial tcp|no such host|i/o timeout|connection refused|toomanyrequests")
_REASONS = ("ImageNotFound", "ImageUnauthorized", "ImageInvalid", "ImagePullFailed")

_SENTENCES = {
    "ImageNotFound": "image {image} not found; check engine.image",
    "ImageUnauthorized": (
        "image {image} may not be pulled; check its name and the cluster's image pull secrets"
    ),
    "ImageInvalid": "image {image} cannot be used: {told}",
    "ImagePullFailed": "image {image} cannot be pulled: {told}",
}


def find_image_faults(seen: Facts) -> Iterator[Hit]:
    """Row 12: app and init containers alike."""
    for seat in seen.seats:
        if seat.waits_for in _WAITING:
            yield _image_fault(seen, seat)


def _image_fault(seen: Facts, seat: Seat) -> Hit:
    told = _told(seen, seat)
    reason = _reason_of(seat.waits_for, told) or _remembered(seen, seat)
    sentence = _SENTENCES[reason].format(image=_image_of(seat), told=short(told) or seat.waits_for)
    return seen.fault(12, reason, sentence, seat.where)


def _told(seen: Facts, seat: Seat) -> str:
    """Return the runtime's words: a back-off may hide them, then the events have them."""
    waiting = seat.status.now.waiting
    words = (waiting.message or "") if waiting else ""
    if _has_cause(words):
        return words
    told = [
        event.message or ""
        for event in seen.events_of(seat.pod)
        if event.reason in {"Failed", "InspectFailed", "ErrImageNeverPull"}
    ]
    return next((text for text in reversed(told) if _has_cause(text)), words)


def _has_cause(words: str) -> bool:
    text = words.casefold()
    return bool(_UNREACHED.search(text)) or any(found.search(text) for _, found in _WORDS)


def _reason_of(waits_for: str, told: str) -> str:
    if waits_for == "InvalidImageName":
        return "ImageInvalid"
    text = told.casefold()
    if _UNREACHED.search(text):
        return "ImagePullFailed"
    return next((reason for reason, found in _WORDS if found.search(text)), "")


def _remembered(seen: Facts, seat: Seat) -> str:
    """Return what was found while the events were there."""
    known = (reason for reason in _REASONS if seen.remembers(reason, seat.where))
    return next(known, "ImagePullFailed")


def _image_of(seat: Seat) -> str:
    """Return the image as it was asked for; the status may have it rewritten."""
    spec = seat.pod.wanted
    containers = (*present(spec.containers), *present(spec.init_containers))
    asked = next((item.image for item in containers if item.name == seat.status.name), None)
    return asked or seat.status.image or "?"
