"""How a deployment of this kind stands on a cluster: a StormService, its RoleSets, their pods."""

from collections.abc import Sequence

from msgspec.structs import replace

from providers.carrying.carrier import Carrier, Kind
from providers.carrying.outside import slim_owned
from providers.contract.fields import MAX_REPLICAS
from providers.contract.manifest import Manifest
from providers.contract.protocols import Endpoint
from providers.contract.request import DeploymentRef
from providers.kube.resources import AUTOSCALERS, POD_AUTOSCALERS, SERVICES, STORM_SERVICES
from providers.stormservice.naming import SERVICE_SUFFIX
from providers.stormservice.objects import LABEL_NAME, PodAutoscaler, PodSet, RoleSet, StormService
from providers.stormservice.render import KIND
from providers.stormservice.roles import roles_in
from providers.stormservice.saying import (
    say_pod_autoscaler,
    say_pod_set,
    say_role_set,
    say_storm_service,
)
from providers.stormservice.telling import POD_SETS, ROLE_SETS, SHAPE
from providers.workload.addresses import endpoint_of
from providers.workload.checks import MadeBeside
from providers.workload.objects import Service
from providers.workload.slimming import slim


def _endpoint_of(
    ref: DeploymentRef, workload: StormService | None, services: Sequence[Service]
) -> Endpoint:
    del workload
    return endpoint_of(ref, services, suffix=SERVICE_SUFFIX)


def templates_of(workload: Manifest) -> tuple[Manifest, ...]:
    """Return a pod template for each pod of a replica: of each role as many as it has pods.

    Others may write any number: of a role no more are told than we could ask for.
    """
    return tuple(
        role.get("template") or {} for role in roles_in(workload) for _ in range(_pods_of(role))
    )


def _pods_of(role: Manifest) -> int:
    return min(_replicas_of(role) * (role.get("podGroupSize") or 1), MAX_REPLICAS)


def _replicas_of(role: Manifest) -> int:
    """Return the number of a role: without one its controller does nothing."""
    return max(0, role.get("replicas") or 0)


def slim_pod_set(found: PodSet) -> PodSet:
    """Return what stays of a PodSet: the labels of its pods that count have become its own."""
    slimmed = slim(found)
    if slimmed.spec is None:
        return slimmed
    return replace(slimmed, spec=replace(slimmed.spec, template=None))


def made_beside(workload: Manifest) -> MadeBeside:
    """Return what a StormService is made into: two Services, one of them ours, and its sets."""
    grouped = sum(_replicas_of(role) for role in roles_in(workload) if role.get("podGroupSize"))
    group = STORM_SERVICES.api_version.partition("/")[0]
    return MadeBeside(
        once={"services": 2, "count/services": 2},
        each={
            f"count/{ROLE_SETS.plural}.{group}": 1,
            f"count/{POD_SETS.plural}.{group}": grouped,
        },
    )


_ROLE_SETS = Kind(
    resource=ROLE_SETS,
    struct=RoleSet,
    in_full=RoleSet,
    say=lambda found, is_current: say_role_set(found, is_current=is_current),
)
_POD_SETS = Kind(
    resource=POD_SETS,
    struct=PodSet,
    in_full=PodSet,
    say=lambda found, is_current: say_pod_set(found, is_current=is_current),
    keep=slim_pod_set,
    named_by=LABEL_NAME,
)
_POD_AUTOSCALERS = Kind(
    resource=POD_AUTOSCALERS,
    struct=PodAutoscaler,
    in_full=PodAutoscaler,
    say=lambda found, _: say_pod_autoscaler(found),
)

CARRIER = Carrier(
    implementation=KIND,
    shape=SHAPE,
    workload=Kind(
        resource=STORM_SERVICES,
        struct=StormService,
        in_full=StormService,
        say=lambda found, _: say_storm_service(found),
        keep=slim_owned,
    ),
    further=(_POD_AUTOSCALERS, _ROLE_SETS, _POD_SETS),
    companions=(POD_AUTOSCALERS, AUTOSCALERS, SERVICES),
    marked_by=(_ROLE_SETS,),
    # The binary of AIBrix's controllers, by whose name its autoscaler writes the number.
    controllers=frozenset({"manager", "aibrix-controllers"}),
    told_kinds=("Pod", "PodSet"),
    endpoint_of=_endpoint_of,
    service_suffix=SERVICE_SUFFIX,
    names=("", SERVICE_SUFFIX),
    takes=(SERVICES,),
    made_beside=made_beside,
    templates_of=templates_of,
    needs_number=True,
)
