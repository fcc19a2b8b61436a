"""An InferenceService in the words of the status table: its pods, its Deployment, its conditions.

In this order of trust. Its Ready lies both ways: an old revision that serves is Ready, and so is a
Deployment of which every pod may be unavailable; a single pod that is lost is not. Its
`observedGeneration` is the Deployment's. What the controller has acted on is told by the digest of
the pods, which it copies to Deployment and ReplicaSets.
"""

from typing import Any

from providers.kserve.naming import SUFFIX, predictor_of
from providers.kserve.objects import InferenceService, PredictorDeployment, digest_on
from providers.kserve.refusing import refusal_of, undownloaded_in
from providers.kserve.render import NATIVE_SCALER
from providers.kube.resources import DEPLOYMENTS, INFERENCE_SERVICES
from providers.workload.bundle import Mark, Workload, mark_newest, workload_of
from providers.workload.objects import Deployment, Service, condition_of, moment
from providers.workload.shape import Carried, Shape, Told


def tell(seen: Carried) -> Told:
    """Return an InferenceService in common words."""
    found: InferenceService | None = seen.workload
    if found is None:
        return Told()
    deployment = deployment_of(found, seen)
    is_acted_on = deployment is not None and digest_on(deployment) == found.pod_digest
    current = _mark(found, seen) if is_acted_on else None
    refusal = refusal_of(found, deployment, seen.events)
    return Told(
        workload=_workload(found, deployment, is_acted_on=is_acted_on, is_refused=bool(refusal)),
        current=current,
        current_uids=frozenset([deployment.uid] if deployment and is_acted_on else ()),
        refusal=refusal or undownloaded_in(found, current, seen.pods),
    )


def deployment_of(found: InferenceService, seen: Carried) -> PredictorDeployment | None:
    """Return the Deployment below, None where there is none that stays."""
    named = predictor_of(found.name)
    items: tuple[PredictorDeployment, ...] = seen.further.get(DEPLOYMENTS.kind, ())
    return next((one for one in items if one.name == named and not one.is_terminating), None)


def wanted_of(found: InferenceService, deployment: Deployment | None) -> int:
    """Return how many replicas there are to be: the autoscaler's number within its bounds.

    An autoscaler leaves 0 alone, whoever set it.
    """
    if found.is_to_stop:
        return 0
    set_to = deployment.spec.replicas if deployment and deployment.spec else None
    least, most = _bounds(found)
    if found.scaler == "none":
        return 1 if found.predictor.min_replicas is None else found.predictor.min_replicas
    if set_to is None:
        return least
    if not set_to or found.scaler not in {"", NATIVE_SCALER}:
        return set_to
    return min(max(set_to, least), most)


def _bounds(found: InferenceService) -> tuple[int, int]:
    """Return fewest and most as the controller gives them to the autoscaler."""
    least = max(1, found.predictor.min_replicas or 1)
    return least, max(least, found.predictor.max_replicas or 0)


def _workload(
    found: InferenceService,
    deployment: Deployment | None,
    *,
    is_acted_on: bool,
    is_refused: bool,
) -> Workload:
    below = workload_of(deployment) if deployment else None
    if found.is_to_stop:
        stopped = condition_of(found.conditions, "Stopped")
        observed = deployment is None and stopped is not None and stopped.is_true
    else:
        observed = is_refused or (is_acted_on and below is not None and below.observed)
    return Workload(
        kind=INFERENCE_SERVICES.kind,
        name=found.name,
        uid=found.uid,
        created_at=moment(found.meta.creation_timestamp),
        is_terminating=found.is_terminating,
        observed=observed,
        desired=wanted_of(found, deployment),
        replicas=below.replicas if below else None,
        updated=below.updated if below else None,
        paused=below is not None and below.paused,
        surges=below is None or below.surges,
        refused=below.refused if below else "",
        silence=_silence(found),
    )


def _silence(found: InferenceService) -> str:
    """Tell a controller that is away from one that breaks down over the spec, saying nothing."""
    if found.status is None and found.finalizers:
        return (
            "took it up and says nothing: it breaks down over what it asks for; its log in the "
            "namespace of KServe says why"
        )
    return "does not answer; is the controller of KServe running?"


def _mark(found: InferenceService, seen: Carried) -> Mark | None:
    """Mark pods by the newest ReplicaSet of those that make the pods that are asked for."""
    sets: tuple[Any, ...] = seen.replica_sets
    making = tuple(one for one in sets if digest_on(one) == found.pod_digest)
    return mark_newest(making, seen.pods if not sets else ())


def is_predictors(service: Service) -> bool:
    """Tell whether a Service is the one that the controller makes before the pods."""
    return service.name.endswith(SUFFIX)


SHAPE = Shape(
    kind=INFERENCE_SERVICES.kind,
    tell=tell,
    serves=is_predictors,
    scaled_kind=DEPLOYMENTS.kind,
    scaled_suffix=SUFFIX,
)
