"""Autoscalers, quotas and nodes: what bounds the number of pods."""

from collections.abc import Mapping

from providers.workload.objects.meta import Amount, Condition, Item, Part, condition_of, present


class ScaleTarget(Part, kw_only=True, frozen=True):
    kind: str | None = None
    name: str | None = None


class AutoscalerSpec(Part, kw_only=True, frozen=True):
    scale_target_ref: ScaleTarget | None = None
    min_replicas: int | None = None
    max_replicas: int | None = None


class AutoscalerStatus(Part, kw_only=True, frozen=True):
    conditions: list[Condition | None] | None = None


class HorizontalPodAutoscaler(Item, kw_only=True, frozen=True):
    spec: AutoscalerSpec | None = None
    status: AutoscalerStatus | None = None

    @property
    def target(self) -> ScaleTarget:
        return (self.spec.scale_target_ref if self.spec else None) or ScaleTarget()

    @property
    def conditions(self) -> tuple[Condition, ...]:
        return present(self.status.conditions if self.status else None)


class ScopeRule(Part, kw_only=True, frozen=True):
    scope_name: str | None = None


class ScopeSelector(Part, kw_only=True, frozen=True):
    match_expressions: list[ScopeRule | None] | None = None


class ResourceQuotaSpec(Part, kw_only=True, frozen=True):
    scopes: list[str | None] | None = None
    scope_selector: ScopeSelector | None = None


class ResourceQuotaStatus(Part, kw_only=True, frozen=True):
    hard: dict[str, Amount] | None = None
    used: dict[str, Amount] | None = None


class ResourceQuota(Item, kw_only=True, frozen=True):
    spec: ResourceQuotaSpec | None = None
    status: ResourceQuotaStatus | None = None

    @property
    def scopes(self) -> frozenset[str]:
        """Return the scopes that a pod must match all to count; none: every pod counts."""
        if self.spec is None:
            return frozenset()
        selector = self.spec.scope_selector
        rules = present(selector.match_expressions if selector else None)
        return frozenset((*present(self.spec.scopes), *(rule.scope_name or "" for rule in rules)))


class Taint(Part, kw_only=True, frozen=True):
    key: str | None = None
    value: str | None = None
    effect: str | None = None


class NodeSpec(Part, kw_only=True, frozen=True):
    unschedulable: bool | None = None
    taints: list[Taint | None] | None = None


class NodeStatus(Part, kw_only=True, frozen=True):
    allocatable: dict[str, Amount] | None = None
    conditions: list[Condition | None] | None = None


class Node(Item, kw_only=True, frozen=True):
    spec: NodeSpec | None = None
    status: NodeStatus | None = None

    @property
    def allocatable(self) -> Mapping[str, Amount]:
        return (self.status.allocatable if self.status else None) or {}

    @property
    def is_ready(self) -> bool:
        ready = condition_of(self.status.conditions if self.status else None, "Ready")
        return ready is not None and ready.is_true

    @property
    def takes_pods(self) -> bool:
        """Tell whether the scheduler may put anything there: ready and not cordoned."""
        return self.is_ready and not (self.spec and self.spec.unschedulable)
