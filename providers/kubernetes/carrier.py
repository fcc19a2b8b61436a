"""How a deployment of this kind stands on a cluster: a Deployment, its ReplicaSets, their pods."""

from collections.abc import Sequence

from providers.carrying.carrier import Carrier, Kind
from providers.carrying.hashed_names import is_of_deployment
from providers.carrying.outside import OwnedMeta, slim_owned
from providers.contract.protocols import Endpoint
from providers.contract.request import DeploymentRef
from providers.kube.resources import DEPLOYMENTS, REPLICA_SETS
from providers.kubernetes.render import KIND
from providers.workload.addresses import endpoint_of
from providers.workload.objects import Deployment, ReplicaSet, Service
from providers.workload.objects.looked import DeploymentInFull, ReplicaSetInFull
from providers.workload.shape import DEPLOYMENT
from providers.workload.states.workloads import say_deployment, say_replica_set


class OwnedDeployment(Deployment, kw_only=True, frozen=True):
    """A Deployment with the managers of its fields."""

    metadata: OwnedMeta | None = None


def _endpoint_of(
    ref: DeploymentRef, workload: Deployment | None, services: Sequence[Service]
) -> Endpoint:
    del workload
    return endpoint_of(ref, services)


_REPLICA_SETS = Kind(
    resource=REPLICA_SETS,
    struct=ReplicaSet,
    in_full=ReplicaSetInFull,
    say=lambda found, is_current: say_replica_set(found, is_current=is_current),
)

CARRIER = Carrier(
    implementation=KIND,
    shape=DEPLOYMENT,
    workload=Kind(
        resource=DEPLOYMENTS,
        struct=OwnedDeployment,
        in_full=DeploymentInFull,
        say=lambda found, _: say_deployment(found),
        keep=slim_owned,
    ),
    further=(_REPLICA_SETS,),
    marked_by=(_REPLICA_SETS,),
    endpoint_of=_endpoint_of,
    is_ours=is_of_deployment,
)
