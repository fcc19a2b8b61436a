"""What a log told of a fault, as a next step, and the ways on from there for who may go them."""

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse

from console.web.launch.state import ARGUMENT
from console.web.shown.again import again_address
from deployments.access import can_change
from deployments.models import Deployment, Revision
from providers.contract.status import Status
from providers.engines.signatures import BY_CODE, Signature
from templates_app.access import Person, can_curate, can_launch

# Faults of what has begun to run: its log is the next thing to read.
_LOGGED = frozenset(
    {"CrashLoop", "KilledWhileLoading", "OutOfMemory", "ReadinessFailing", "ModelDownloadFailed"}
)

NEEDS_SPARE = "RolloutNeedsSpareAccelerator"
REPLACE = "replace"


@dataclass(frozen=True, kw_only=True, slots=True)
class Way:
    """Where to go, and in which words."""

    address: str
    label: str


def cause_of(status: Status) -> Signature | None:
    """Return the cause of a verdict that a log told, None where none did."""
    for item in status.evidence[1:]:
        if item.row == status.evidence[0].row and item.reason in BY_CODE:
            return BY_CODE[item.reason]
    return None


def cause_step_of(status: Status) -> str:
    """Return what to do about the cause that a log told, empty where none did."""
    cause = cause_of(status)
    return f"{cause.advice[:1].upper()}{cause.advice[1:]}." if cause else ""


def ways_on(
    status: Status, deployment: Deployment, revision: Revision, user: Person
) -> Iterator[Way]:
    """Yield the ways to what tells more and to what has to be changed, as far as one may."""
    if status.reason in _LOGGED:
        yield Way(address=_log_address(status, deployment), label="Read its log")
    if status.reason == NEEDS_SPARE and may_replace(deployment, revision, user):
        yield Way(
            address=f"{reverse('deployment-change-review', args=[deployment.pk])}"
            f"?{urlencode({'base': deployment.revision, 'rollout': REPLACE})}",
            label="Let an old pod go first",
        )
    cause = cause_of(status)
    if cause is not None:
        yield from ways_to_change(cause, deployment, revision, user)


def may_replace(deployment: Deployment, revision: Revision, user: Person) -> bool:
    """Tell whether a person may have old pods go before new ones, and whether it is not so yet."""
    bound = (revision.spec.get("overridable") or {}).get("rollout") or {}
    is_open = REPLACE in (bound.get("values") or (REPLACE,))
    return is_open and revision.rollout != REPLACE and can_change(user, deployment)


def ways_to_change(
    cause: Signature, deployment: Deployment, revision: Revision, user: Person
) -> Iterator[Way]:
    """Yield the ways to the field that cures a cause, as far as one may change it."""
    if cause.field in (revision.spec.get("overridable") or {}):
        name = cause.field.rpartition(".")[2]
        if can_change(user, deployment):
            form = reverse("deployment-change", args=[deployment.pk])
            yield Way(address=f"{form}#field-{_field_of(cause.field)}", label=f"Change {name}")
        elif can_launch(user):
            yield Way(address=again_address(deployment), label=f"Launch another with other {name}")
    if can_curate(user):
        page = "admin:templates_app_modeldeploymenttemplate_change"
        yield Way(address=reverse(page, args=[deployment.template_id]), label="Curate the template")


def _field_of(path: str) -> str:
    return path.replace("engine_args.", ARGUMENT, 1).replace(".", "-")


def _log_address(status: Status, deployment: Deployment) -> str:
    path = reverse("deployment-logs", args=[deployment.pk])
    seen = status.evidence[0].object if status.evidence else ""
    kind, _, pod = seen.partition(" ")
    return f"{path}?{urlencode({'pod': pod})}" if kind == "Pod" and pod else path
