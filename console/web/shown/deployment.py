"""One deployment as its page shows it: the verdict with what to do, its replicas, facts, history.

Put together from what was read and from stored rows; asks no cluster itself.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from django.urls import reverse
from django.utils import timezone

from console.web.launch.fields import SWITCH
from console.web.shown.causes import cause_step_of
from console.web.shown.figures import in_accelerators
from console.web.shown.listing import poll_seconds
from console.web.shown.load_times import LoadingSoFar, loading_so_far
from console.web.shown.next_steps import next_step_of
from console.web.shown.pods import ShownPods, show_pods
from console.web.shown.progress import Loading, ProgressStep, loading_of, steps_of
from console.web.shown.requests import SampleRequest, sample_of
from console.web.shown.templates import accelerators_of
from deployments.diffing.labels import label_of
from deployments.load_times import load_times_of
from deployments.models import Deployment, Revision, StatusChange
from deployments.services.reading import Reading
from providers.contract.errors import InvalidRequest
from providers.contract.manifest import digest_of
from providers.contract.status import Evidence, Phase, Status
from providers.contract.template import parse_spec
from providers.registry import title_of
from templates_app.selectors import newer_active

# How many changes of status the page tells, and how many replicas it draws one by one.
CHANGES, REPLICAS = 8, 64
_AT_REST = frozenset({Phase.READY, Phase.STOPPED, Phase.DELETED})


@dataclass(frozen=True, kw_only=True, slots=True)
class Fact:
    """One thing that holds for a deployment; `detail` is said more quietly, `more` leads on."""

    label: str
    value: str
    detail: str = ""
    is_code: bool = False
    address: str = ""
    more: str = ""
    more_address: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownDeployment:
    """The page of one deployment. `poll` is in seconds, 0 for never; `told` stands for the verdict.

    `replicas` has one mark per replica, True for a ready one; empty where they are too many.
    """

    deployment: Deployment
    reading: Reading
    status: Status
    told: str
    poll: int
    since: datetime | None
    next_step: str
    steps: tuple[ProgressStep, ...]
    loading: Loading | None
    so_far: LoadingSoFar | None
    replicas: tuple[bool, ...]
    pods: ShownPods
    evidence: tuple[Evidence, ...]
    sample: SampleRequest | None
    facts: tuple[Fact, ...]
    overrides: tuple[Fact, ...]
    changes: tuple[StatusChange, ...]

    @property
    def is_going(self) -> bool:
        """Tell whether it is about to go or gone: nobody asks for replicas or address then."""
        is_gone = self.status.phase is Phase.DELETED
        return is_gone or self.deployment.is_closed or self.deployment.is_deleting

    @property
    def said(self) -> str:
        """Return the verdict as one sentence to be read out."""
        return f"{self.status.phase}: {self.status.message}"


def show_deployment(reading: Reading, revision: Revision) -> ShownDeployment:
    """Return everything that the page of a deployment says."""
    deployment, status = reading.deployment, reading.status
    changes = tuple(deployment.status_changes.all()[:CHANGES])
    since = _since(status, changes)
    return ShownDeployment(
        deployment=deployment,
        reading=reading,
        status=status,
        told=told(reading),
        poll=0 if deployment.is_closed else poll_seconds([status.phase.value]),
        since=since,
        next_step="" if deployment.is_closed else _next_step(reading),
        steps=() if deployment.is_closed else steps_of(status),
        loading=loading_of(
            status,
            since=since,
            allowed=deployment.startup_budget_seconds,
            now=timezone.now(),
        ),
        so_far=_so_far(reading),
        replicas=_marks(status),
        pods=show_pods(deployment, reading.pods),
        evidence=_beyond_the_verdict(status),
        sample=_sample(reading, revision),
        facts=tuple(_facts(deployment, revision)),
        overrides=tuple(_flat(deployment.overrides)),
        changes=changes,
    )


def told(reading: Reading) -> str:
    """Return a short word that is another one exactly when the verdict says something else."""
    status = reading.status
    return digest_of([status.phase.value, status.reason, status.message, reading.cause_code])[:8]


def _next_step(reading: Reading) -> str:
    if reading.stale:
        return next_step_of(reading.cause_code, reading.status.phase)
    usual = next_step_of(reading.status.reason, reading.status.phase)
    return cause_step_of(reading.status) or usual


def _since(status: Status, changes: Iterable[StatusChange]) -> datetime | None:
    """Return since when it has been so: the oldest of the latest changes that say the same."""
    at = None
    for change in changes:
        if (change.phase, change.reason) != (status.phase.value, status.reason):
            break
        at = change.at
    return at


def _so_far(reading: Reading) -> LoadingSoFar | None:
    """Ask for load times only of what has a replica on its way."""
    if reading.on_node_since is None:
        return None
    template = reading.deployment.template_id
    times = load_times_of([template]).get(template)
    return loading_so_far(reading.status, times, on_node_since=reading.on_node_since)


def _marks(status: Status) -> tuple[bool, ...]:
    wanted = max(status.desired_replicas, status.ready_replicas)
    if wanted > REPLICAS:
        return ()
    return tuple(number < status.ready_replicas for number in range(wanted))


def _beyond_the_verdict(status: Status) -> tuple[Evidence, ...]:
    """Return what was seen, without the words that the verdict said before.

    Nothing for a single entry that only repeats that nothing is amiss.
    """
    seen, is_well = status.evidence, status.phase in _AT_REST
    if is_well and len(seen) == 1 and seen[0].message == status.message:
        return ()
    return tuple(
        replace(one, message="") if one.object and one.message in status.message else one
        for one in seen
    )


def _sample(reading: Reading, revision: Revision) -> SampleRequest | None:
    if reading.deployment.is_closed:
        return None
    supported = revision.spec.get("supported_endpoints") or ()
    return sample_of(
        reading.endpoint,
        serving_name=revision.serving_name,
        supported=[str(path) for path in supported],
    )


def _facts(deployment: Deployment, revision: Revision) -> Iterable[Fact]:
    model_id, template_id = deployment.model_id, deployment.template_id
    yield Fact(
        label="Model", value=deployment.model.name, address=reverse("model", args=[model_id])
    )
    newer = None if deployment.is_closed else newer_active(deployment.template)
    yield Fact(
        label="Template",
        value=f"{deployment.template.name} {deployment.template_version}",
        address=reverse("template", args=[model_id, template_id]),
        more=f"{newer.version} is available: what changes" if newer else "",
        more_address=reverse("deployment-newer", args=[deployment.pk, newer.pk]) if newer else "",
    )
    yield Fact(label="Served as", value=deployment.serving_name, is_code=True)
    yield Fact(label="Place", value=f"{deployment.cluster.name} / {deployment.namespace}")
    if deployment.region:
        yield Fact(label="Region", value=deployment.region)
    yield Fact(label="Runs as", value=title_of(deployment.kind))
    yield Fact(label="Object", value=deployment.runtime_name, is_code=True)
    yield _accelerators(deployment)
    yield _scaling(deployment)
    yield Fact(label="Revision", value=str(deployment.revision), detail=_applied(deployment))
    if revision.reason:
        yield Fact(label="Reason", value=revision.reason)


def _accelerators(deployment: Deployment) -> Fact:
    count = deployment.accelerator_count
    if not count:
        return Fact(label="Accelerators", value="none")
    value = _by_role(deployment) or in_accelerators(count, deployment.accelerator_type)
    return Fact(label="Accelerators", value=value, detail="for each replica")


def _by_role(deployment: Deployment) -> str:
    """Say the accelerators of each role; empty where there are none, or the template is unread."""
    try:
        spec = parse_spec(deployment.template.spec)
    except InvalidRequest:
        return ""
    return accelerators_of(spec) if spec.topology.roles else ""


def _scaling(deployment: Deployment) -> Fact:
    low, high = deployment.min_replicas, deployment.max_replicas
    if not deployment.autoscaled:
        return Fact(label="Replicas", value=str(low), detail="fixed")
    metric = deployment.scaling.get("metric") or {}
    name = metric.get("name") or metric.get("type") or "cpu"
    return Fact(label="Replicas", value=f"{low} to {high}", detail=f"autoscaled by {name}")


def _applied(deployment: Deployment) -> str:
    if deployment.applied_revision == deployment.revision:
        return "applied"
    if deployment.applied_revision:
        return f"not applied yet; {deployment.applied_revision} is"
    return "not applied yet"


def _flat(overrides: Mapping[str, object]) -> Iterable[Fact]:
    for name, value in overrides.items():
        if isinstance(value, Mapping):
            yield from _flat({f"{name}.{key}": inner for key, inner in value.items()})
        else:
            said = dict(SWITCH).get(str(value).lower(), str(value))
            yield Fact(label=label_of(name), value=said, is_code=said == str(value))
