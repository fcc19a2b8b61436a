"""What a provider says of its kind once, so that everything that reads is the same for all kinds.

Data and small functions of its own room; nothing here asks a cluster.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from providers.contract.manifest import Manifest
from providers.contract.protocols import Endpoint
from providers.contract.request import DeploymentRef
from providers.kube.resources import AUTOSCALERS, PODS, SERVICES, Resource, know
from providers.workload.checks import MadeBeside
from providers.workload.objects import Item, ObjectReference, Service
from providers.workload.shape import Shape
from providers.workload.slimming import slim
from providers.workload.states.said import Said

Say = Callable[[Any, bool], Said]
"""Puts an object into words; the flag tells whether it is of the current revision."""
IsOurs = Callable[[ObjectReference, str, Sequence[Item]], bool]
"""Tells whether an event is about an object of the deployment of this runtime name, be it there or
gone; the items are those between workload and pods that are there."""
EndpointOf = Callable[[DeploymentRef, Any, Sequence[Service]], Endpoint]
"""Returns where the model answers, by the workload (None: there is none) and what serves it."""


def is_named_after(about: ObjectReference, runtime_name: str, items: Sequence[Item]) -> bool:
    """Tell whether an object bears the runtime name, or one that begins with it and a dash."""
    del items
    name = about.name or ""
    return name == runtime_name or name.startswith(f"{runtime_name}-")


def spec_replicas(workload: Manifest) -> int:
    """Return the number of replicas that a workload asks for now; the API's default is 1."""
    replicas = (workload.get("spec") or {}).get("replicas")
    return 1 if replicas is None else int(replicas)


def without_replicas(workload: Manifest) -> Manifest:
    """Return a workload without the number of its replicas."""
    spec = {name: value for name, value in workload["spec"].items() if name != "replicas"}
    return {**workload, "spec": spec}


def one_template(workload: Manifest) -> tuple[Manifest, ...]:
    """Return the only pod template of a workload, where most have it."""
    return (workload["spec"]["template"],)


def nothing_beside(workload: Manifest) -> MadeBeside:
    """Return what most controllers make beside pods that a quota counts: nothing."""
    del workload
    return MadeBeside()


@dataclass(frozen=True, kw_only=True, slots=True)
class Kind:
    """One kind of object that holds pods, or holds what holds them.

    `struct` is what passes decode, `in_full` what a look decodes besides. `keep` returns what of an
    object stays in memory (see `workload/slimming.py`). `named_by` is the label by which its
    controller names the workload, where it copies none of our labels; the struct has them then.
    """

    resource: Resource
    struct: type[Item]
    in_full: type[Item]
    say: Say
    keep: Callable[[Any], Any] = slim
    named_by: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Carrier:
    """How the deployments of one implementation stand on a cluster.

    `further` are the kinds between workload and pods, outermost first, read by our labels; what has
    an owner among them goes with it. `companions` are what we apply beside the workload, in the
    order in which it is deleted. `marked_by` are the kinds that tell which pods are current.
    `controllers` are field managers, beside those of Kubernetes, whose writes are meant.
    `told_kinds` are kinds whose events verdicts rest on. The Service that leads to the model has
    the runtime name and `service_suffix`; `names` are the suffixes of all objects that are named
    after the workload. `templates_of` returns for each pod of a replica the template that a
    workload's manifest has for it, `replicas_of` the number of replicas that the workload asks for,
    `without_scaling` what of the manifest is no scaling.

    `takes` are the kinds of which its controller makes one by the workload's own name, and without
    which it does nothing. `made_beside` returns what a workload's manifest is made into beside pods
    that a quota may count.

    `is_scaled`: the workload has `spec.replicas` and a scale subresource, so that the number can
    change hands. `needs_number`: its controller does nothing while it has no number.
    """

    implementation: str
    shape: Shape
    workload: Kind
    endpoint_of: EndpointOf
    further: tuple[Kind, ...] = ()
    companions: tuple[Resource, ...] = (AUTOSCALERS, SERVICES)
    marked_by: tuple[Kind, ...] = ()
    controllers: frozenset[str] = frozenset()
    told_kinds: tuple[str, ...] = ("Pod",)
    is_ours: IsOurs = is_named_after
    service_suffix: str = ""
    names: tuple[str, ...] = ("",)
    templates_of: Callable[[Manifest], Sequence[Manifest]] = one_template
    replicas_of: Callable[[Manifest], int] = spec_replicas
    without_scaling: Callable[[Manifest], Manifest] = without_replicas
    takes: tuple[Resource, ...] = ()
    made_beside: Callable[[Manifest], MadeBeside] = nothing_beside
    is_scaled: bool = True
    needs_number: bool = False

    def __post_init__(self) -> None:
        others = (*(kind.resource for kind in self.further), *self.companions)
        know(self.implementation, self.workload.resource, others)

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """Return the workload's kind and those below it."""
        return (self.workload, *self.further)

    @property
    def own(self) -> tuple[Resource, ...]:
        """Return the kinds that we apply, the workload first."""
        return (self.workload.resource, *reversed(self.companions))

    @property
    def autoscalers(self) -> tuple[Resource, ...]:
        """Return the kinds of autoscalers that we apply."""
        return tuple(kind for kind in self.companions if kind is not SERVICES)

    @property
    def deleted(self) -> tuple[Resource, ...]:
        """Return the kinds of which nothing may be left, in the order in which they go.

        What is named by a label of its controller goes with its owner, and is not asked for.
        """
        below = (kind.resource for kind in self.further if not kind.named_by)
        asked = (*self.companions, AUTOSCALERS, SERVICES, self.workload.resource, *below, PODS)
        return tuple(dict.fromkeys(asked))

    def named_by(self, resource: Resource) -> str:
        """Return the label that names the workload on objects of a kind without ours, or none."""
        return next((kind.named_by for kind in self.further if kind.resource is resource), "")

    def scaled(self, runtime_name: str) -> tuple[str, str]:
        """Return kind and name of what autoscalers point at."""
        return self.shape.scaled(runtime_name) or (self.shape.kind, runtime_name)

    def service_name(self, runtime_name: str) -> str:
        """Return the name of the Service that leads to the model."""
        return runtime_name + self.service_suffix
