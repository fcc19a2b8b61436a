"""The third step: where there is room, and which implementations can carry the template."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.utils import timezone

from console.web.launch.needs import Room, room_for
from console.web.launch.state import LaunchState
from console.web.launch.steps import StepFault
from console.web.launch.templates import kind_reason
from console.web.shown.clusters import ClusterLook, look_of
from console.web.shown.figures import in_unit
from deployments.access import clusters_for
from deployments.models import Cluster
from deployments.services.capacity import capacity_of, stored_capacity
from deployments.services.clusters import synchronise_default_cluster, unseen_kinds, without_kind
from deployments.services.deadlines import COUNT_SECONDS, deadline_in
from providers import registry
from providers.contract.capacity import Capacity, Quota
from providers.contract.protocols import Provider
from providers.contract.template import TemplateSpec
from templates_app.access import Person

# A namespace may have many quotas; those with the least left say most.
SHOWN_QUOTAS = 3
NOT_INSTALLED = "Not installed on {clusters}; whoever runs clusters here can install it."
ELSEWHERE = "Not installed on {clusters}; it can be chosen elsewhere."
UNSEEN = (
    "Whether it is installed on {clusters} could not be read; ask an admin there for the right to "
    "get and list its objects."
)


@dataclass(frozen=True, kw_only=True, slots=True)
class NamespaceOffer:
    """One namespace; `value` is what the form sends, `quotas` what is left, in words."""

    name: str
    value: str
    quotas: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class ClusterOffer:
    """One enabled cluster with its namespaces."""

    cluster: Cluster
    look: ClusterLook
    room: Room
    counted_at: datetime | None
    namespaces: tuple[NamespaceOffer, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class KindOffer:
    """One implementation; with a `reason` it cannot be chosen, a `note` only warns.

    `lack` is the reason in a word or two.
    """

    kind: str
    title: str
    lack: str = ""
    reason: str = ""
    note: str = ""


def enabled_clusters(user: Person) -> list[Cluster]:
    """Return where a person may launch, the default cluster first."""
    synchronise_default_cluster()
    return list(clusters_for(user).enabled().default_first())


def count_uncounted(clusters: Sequence[Cluster]) -> None:
    """Count clusters that nobody has counted yet, as far as a moment allows."""
    deadline = deadline_in(COUNT_SECONDS)
    for cluster in clusters:
        if cluster.capacity is None and cluster.reachable is not False:
            capacity_of(cluster, deadline=deadline)


def offer_places(clusters: Sequence[Cluster], spec: TemplateSpec) -> tuple[ClusterOffer, ...]:
    """Return every cluster with its namespaces, free accelerators and what quotas leave."""
    now = timezone.now()
    return tuple(_offer(cluster, spec, now) for cluster in clusters)


def offer_kinds(clusters: Sequence[Cluster], spec: TemplateSpec) -> tuple[KindOffer, ...]:
    """Return every implementation, those that cannot be had last and with the reason."""
    usable = [_offer_kind(clusters, spec, one) for one in registry.providers().values()]
    broken = [
        KindOffer(kind=app, title=app, lack="Not available", reason=f"It does not load: {cause}")
        for app, cause in registry.broken().items()
    ]
    return (*sorted(usable, key=lambda offer: bool(offer.reason)), *broken)


def _offer_kind(clusters: Sequence[Cluster], spec: TemplateSpec, provider: Provider) -> KindOffer:
    offer = KindOffer(kind=provider.kind, title=provider.title)
    if reason := kind_reason(spec, provider):
        return replace(offer, lack="Not compatible", reason=reason)
    missing = without_kind(clusters, provider.kind)
    names = ", ".join(missing)
    if missing and len(missing) == len(clusters):
        return replace(offer, lack="Not installed", reason=NOT_INSTALLED.format(clusters=names))
    return replace(offer, note=" ".join(_notes(clusters, provider.kind, names)))


def _notes(clusters: Sequence[Cluster], kind: str, missing: str) -> Iterator[str]:
    if missing:
        yield ELSEWHERE.format(clusters=missing)
    if unseen := ", ".join(one.name for one in clusters if kind in unseen_kinds(one)):
        yield UNSEEN.format(clusters=unseen)


def with_defaults(
    state: LaunchState, clusters: Sequence[Cluster], kinds: Sequence[KindOffer]
) -> LaunchState:
    """Return a state in which what is not chosen yet is what would be taken anyway."""
    able = [offer.kind for offer in kinds if not offer.reason]
    usual = registry.DEFAULT_KIND if registry.DEFAULT_KIND in able else next(iter(able), "")
    first = next((one for one in clusters if one.reachable is not False), None)
    place = f"{first.name}/{first.default_namespace}" if first else ""
    return state.with_place(state.place or place, state.kind or usual)


def choose_place(state: LaunchState, clusters: Sequence[Cluster], spec: TemplateSpec) -> Cluster:
    """Return the chosen cluster; raises StepFault for a place or kind that cannot be had."""
    if not state.place or not state.kind:
        raise StepFault("place", "Choose a place and an implementation first.")
    cluster = next((one for one in clusters if one.name == state.cluster), None)
    if cluster is None:
        text = f"Cluster {state.cluster} is not there (any more) or is switched off."
        raise StepFault("place", f"{text} Choose another place.")
    if state.namespace not in cluster.launch_namespaces:
        text = f"{state.namespace} may not be launched into on {cluster.name}."
        raise StepFault("place", f"{text} Choose another place.")
    _refuse_unfit_kind(state, cluster, spec)
    return cluster


def _refuse_unfit_kind(state: LaunchState, cluster: Cluster, spec: TemplateSpec) -> None:
    try:
        provider = registry.get(state.kind)
    except registry.UnknownKind as error:
        text = f"There is no implementation {state.kind} (any more); choose another."
        raise StepFault("place", text) from error
    reason = kind_reason(spec, provider)
    if not reason and without_kind([cluster], provider.kind):
        reason = f"It is not installed on {cluster.name}."
    if reason:
        raise StepFault("place", f"{state.kind} cannot be had: {reason}")


def _offer(cluster: Cluster, spec: TemplateSpec, now: datetime) -> ClusterOffer:
    counted = stored_capacity(cluster)
    return ClusterOffer(
        cluster=cluster,
        look=look_of(cluster, now=now),
        room=room_for(spec, counted),
        counted_at=cluster.capacity_at if counted else None,
        namespaces=tuple(
            NamespaceOffer(
                name=name,
                value=f"{cluster.name}/{name}",
                quotas=tuple(_quotas(counted, name)),
            )
            for name in cluster.launch_namespaces
        ),
    )


def _quotas(counted: Capacity | None, namespace: str) -> Iterator[str]:
    found = [one.quotas for one in counted.namespaces if one.name == namespace] if counted else []
    scarcest = sorted((quota for quotas in found for quota in quotas), key=_share_left)
    for quota in scarcest[:SHOWN_QUOTAS]:
        left = in_unit(quota.free, quota.resource)
        yield f"{left} of {in_unit(quota.hard, quota.resource)} {quota.resource} left"
    if len(scarcest) > SHOWN_QUOTAS:
        yield f"{len(scarcest) - SHOWN_QUOTAS} more with a larger share left"


def _share_left(quota: Quota) -> float:
    return float(quota.free / quota.hard) if quota.hard else 0.0
