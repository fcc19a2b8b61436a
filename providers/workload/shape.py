"""What a provider tells of its kind, so that one table of rules judges all kinds alike.

The objects of one deployment as they were read go in, the same in the table's words come out. Pure:
nothing here fetches, keeps time or knows another kind than its own.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from providers.contract.request import DeploymentRef
from providers.workload.bundle import Mark, Trouble, Workload, mark_newest, workload_of
from providers.workload.objects import (
    Event,
    HorizontalPodAutoscaler,
    Pod,
    ReplicaSet,
    Service,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Carried:
    """The objects of one deployment; `workload` is None where there is none.

    `further` are objects between workload and pods by kind, without those of a copy that has the
    same labels. `events` are those about any of them, as far as events were read. `services` are
    those that serve (see Shape).
    """

    ref: DeploymentRef
    workload: Any
    replica_sets: tuple[ReplicaSet, ...] = ()
    further: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    pods: tuple[Pod, ...] = ()
    services: tuple[Service, ...] = ()
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """The same in common words.

    `current` marks pods of the current revision, None before there are any; `current_uids` are
    objects of it above pods that do not bear that mark. `refusal` is why the
    controller does not act at all (row 6). `autoscalers` are other kinds of autoscalers put as one.
    """

    workload: Workload | None = None
    current: Mark | None = None
    current_uids: frozenset[str] = frozenset()
    refusal: Trouble | None = None
    autoscalers: tuple[HorizontalPodAutoscaler, ...] = ()


def is_no_controllers(service: Service) -> bool:
    """Tell whether a Service is ours, and none that a controller made with our labels."""
    owner = service.controller
    return owner is None or owner.controller is not True


@dataclass(frozen=True, kw_only=True, slots=True)
class Shape:
    """A kind of runtime object; `kind` is what the cluster calls it.

    `serves` tells which Services with our labels lead to the model. Autoscalers point at the object
    of kind `scaled_kind` (empty: the workload itself) with the runtime name and `scaled_suffix`.
    """

    kind: str
    tell: Callable[[Carried], Told]
    serves: Callable[[Service], bool] = is_no_controllers
    scaled_kind: str = ""
    scaled_suffix: str = ""

    def scaled_name(self, runtime_name: str) -> str:
        """Return the name of what autoscalers point at."""
        return runtime_name + self.scaled_suffix

    def scaled(self, runtime_name: str) -> tuple[str, str] | None:
        """Return kind and name of what autoscalers point at, None for the workload itself."""
        if not (self.scaled_kind or self.scaled_suffix):
            return None
        return self.scaled_kind or self.kind, self.scaled_name(runtime_name)


def tell_deployment(seen: Carried) -> Told:
    """Return a Deployment in common words; its newest ReplicaSet says which pods are current."""
    return Told(
        workload=workload_of(seen.workload) if seen.workload else None,
        current=mark_newest(seen.replica_sets, seen.pods),
    )


DEPLOYMENT = Shape(kind="Deployment", tell=tell_deployment)
