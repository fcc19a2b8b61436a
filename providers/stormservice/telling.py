"""A StormService in the words of the status table.

Its own Ready is no proof: it stays from before a change, comes too early, and for some failed
updates never goes. What counts is what RoleSets and pods say themselves: RoleSets of the wanted
revision that are not being deleted, and pods with the digest of the role they belong to.
"""

from collections.abc import Sequence

from providers.kube.resources import POD_AUTOSCALERS, STORM_SERVICES, Resource
from providers.stormservice.objects import (
    LABEL_ROLE_SET,
    PodAutoscaler,
    Role,
    RoleSet,
    StormService,
    StormServiceSpec,
    StormServiceStatus,
)
from providers.stormservice.refusing import POD_SET, refused_of
from providers.stormservice.render import LABEL_POD_DIGEST
from providers.stormservice.roles import LABEL_ROLE
from providers.workload.bundle import Group, Mark, Trouble, Workload
from providers.workload.objects import (
    AutoscalerStatus,
    Condition,
    HorizontalPodAutoscaler,
    condition_of,
    moment,
)
from providers.workload.shape import Carried, Shape, Told

ROLE_SETS = Resource(api_version=STORM_SERVICES.api_version, kind="RoleSet", plural="rolesets")
POD_SETS = Resource(api_version=STORM_SERVICES.api_version, kind=POD_SET, plural="podsets")


def tell(seen: Carried) -> Told:
    """Return a StormService in common words."""
    found: StormService | None = seen.workload
    if found is None:
        return Told()
    sets: tuple[RoleSet, ...] = seen.further.get(ROLE_SETS.kind, ())
    live = tuple(item for item in sets if not item.is_terminating)
    current = tuple(item for item in live if _is_current(found, item))
    return Told(
        workload=_workload(found, live, current, seen),
        current=_mark(found, current),
        current_uids=frozenset(item.uid for item in current),
        refusal=_refusal(found),
        autoscalers=_autoscalers(seen),
    )


def _workload(
    found: StormService, live: Sequence[RoleSet], current: Sequence[RoleSet], seen: Carried
) -> Workload:
    spec, status = found.spec or StormServiceSpec(), found.status or StormServiceStatus()
    observed = (status.observed_generation or 0) >= (found.meta.generation or 0)
    return Workload(
        kind=STORM_SERVICES.kind,
        name=found.name,
        uid=found.uid,
        created_at=moment(found.meta.creation_timestamp),
        is_terminating=found.is_terminating,
        observed=observed,
        desired=spec.replicas,
        replicas=len(live),
        updated=len(current) if found.update_revision else None,
        paused=bool(spec.paused),
        surges=spec.update_strategy is not None and spec.update_strategy.surges,
        refused=refused_of(found, current or live, seen),
        silence="does not answer; is the controller manager of AIBrix running?",
        group=group_of(found, live),
    )


def group_of(found: StormService, sets: Sequence[RoleSet]) -> Group | None:
    """Return how pods make up a replica; they answer together where none of them has a twin.

    A RoleSet of before a change is whole by its own numbers, unless others than then answer.
    """
    pods = _pods_by_role(found.roles)
    if not any(pods.values()):
        return None
    shape = _shape_of(found.roles)
    alike = (item for item in sets if _shape_of(item.roles) == shape)
    return Group(
        label=LABEL_ROLE_SET,
        role_label=LABEL_ROLE,
        roles=pods,
        otherwise={item.name: _pods_by_role(item.roles) for item in alike},
        together=all((role.replicas or 0) <= 1 for role in found.roles),
    )


def _shape_of(roles: Sequence[Role]) -> set[tuple[str | None, bool]]:
    """Return what says which pods answer: the names of the roles, and whether there are ranks."""
    return {(role.name, role.nodes > 1) for role in roles}


def _pods_by_role(roles: Sequence[Role]) -> dict[str, int]:
    return {role.name or "": role.pods for role in roles}


def _is_current(found: StormService, role_set: RoleSet) -> bool:
    return bool(found.update_revision) and role_set.revision == found.update_revision


def _mark(found: StormService, current: Sequence[RoleSet]) -> Mark | None:
    """Mark pods by the digest of their role, or by their RoleSet where a role has none."""
    digests = [role.digest for role in found.roles]
    if digests and all(digests):
        return _one_of(LABEL_POD_DIGEST, digests)
    return _one_of(LABEL_ROLE_SET, sorted(item.name for item in current))


def _one_of(label: str, values: Sequence[str]) -> Mark | None:
    if not values:
        return None
    return Mark(label=label, value=values[0], others=frozenset(values[1:]))


def _refusal(found: StormService) -> Trouble | None:
    """The controller breaks down in each pass over a number that is not there, and says nothing."""
    missing = [
        *(["spec.replicas"] if found.spec is None or found.spec.replicas is None else []),
        *(f"replicas of {_named(role)}" for role in found.roles if role.replicas is None),
    ]
    if not missing:
        return None
    message = f"{missing[0]} is not set, and its controller does nothing until it is"
    return Trouble(code="ReconcileFailed", message=message)


def _named(role: Role) -> str:
    return f"role {role.name}" if role.name else "a role without a name"


def _autoscalers(seen: Carried) -> tuple[HorizontalPodAutoscaler, ...]:
    """One with the strategy HPA acts through an autoscaler of Kubernetes, which is there too."""
    found: tuple[PodAutoscaler, ...] = seen.further.get(POD_AUTOSCALERS.kind, ())
    acting = (item for item in found if item.spec is None or item.spec.scaling_strategy != "HPA")
    return tuple(_as_autoscaler(item) for item in acting)


def _as_autoscaler(found: PodAutoscaler) -> HorizontalPodAutoscaler:
    conditions = found.status.conditions if found.status else None
    rival = condition_of(conditions, "MultiPodAutoscalerConflict")
    told: list[Condition | None] = (
        [_ambiguous(rival)] if rival is not None and rival.is_false else []
    )
    return HorizontalPodAutoscaler(
        metadata=found.metadata,
        spec=found.spec,
        status=AutoscalerStatus(conditions=told),
    )


def _ambiguous(rival: Condition) -> Condition:
    """False means that there is a conflict; the same of a HorizontalPodAutoscaler is told so."""
    return Condition(
        type="ScalingActive",
        status="False",
        reason="AmbiguousSelector",
        message=rival.message,
        last_transition_time=rival.last_transition_time,
    )


SHAPE = Shape(kind=STORM_SERVICES.kind, tell=tell)
