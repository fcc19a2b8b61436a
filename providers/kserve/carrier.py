"""How a deployment of this kind stands on a cluster: an InferenceService, and what it is made into.

Deployment, Service and autoscaler are its controller's and bear our labels, since it copies them.
"""

from collections.abc import Sequence

from providers.carrying.carrier import Carrier, Kind
from providers.carrying.outside import slim_owned
from providers.contract.protocols import Endpoint
from providers.contract.request import DeploymentRef
from providers.kserve.addresses import endpoint_of
from providers.kserve.changing import without_scaling
from providers.kserve.naming import SUFFIX
from providers.kserve.objects import (
    InferenceService,
    PredictorDeployment,
    PredictorDeploymentInFull,
    PredictorReplicaSet,
    PredictorReplicaSetInFull,
)
from providers.kserve.render import KIND, replicas_of, templates_of
from providers.kserve.saying import say_inference_service
from providers.kserve.telling import SHAPE
from providers.kube.resources import DEPLOYMENTS, INFERENCE_SERVICES, REPLICA_SETS
from providers.workload.objects import Service
from providers.workload.states.workloads import say_deployment, say_replica_set


def _endpoint_of(
    ref: DeploymentRef, workload: InferenceService | None, services: Sequence[Service]
) -> Endpoint:
    del services
    return endpoint_of(ref, workload)


_DEPLOYMENTS = Kind(
    resource=DEPLOYMENTS,
    struct=PredictorDeployment,
    in_full=PredictorDeploymentInFull,
    say=lambda found, _: say_deployment(found),
)
_REPLICA_SETS = Kind(
    resource=REPLICA_SETS,
    struct=PredictorReplicaSet,
    in_full=PredictorReplicaSetInFull,
    say=lambda found, is_current: say_replica_set(found, is_current=is_current),
)

CARRIER = Carrier(
    implementation=KIND,
    shape=SHAPE,
    workload=Kind(
        resource=INFERENCE_SERVICES,
        struct=InferenceService,
        in_full=InferenceService,
        say=lambda found, _: say_inference_service(found),
        keep=slim_owned,
    ),
    further=(_DEPLOYMENTS, _REPLICA_SETS),
    companions=(),
    marked_by=(_DEPLOYMENTS, _REPLICA_SETS),
    controllers=frozenset({"manager"}),
    told_kinds=("Pod", INFERENCE_SERVICES.kind),
    endpoint_of=_endpoint_of,
    service_suffix=SUFFIX,
    names=("", SUFFIX),
    templates_of=templates_of,
    replicas_of=replicas_of,
    without_scaling=without_scaling,
    is_scaled=False,
)
