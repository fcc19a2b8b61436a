"""Rows 24 and 25: ready replicas that nobody reaches, autoscalers that cannot act."""

from providers.contract.status import Phase
from tests.cluster.cast import deployment, engine, pod_spec
from tests.cluster.launching import eventually
from tests.cluster.recording.pen import running
from tests.cluster.recording.scenes.scene import Scene
from tests.cluster.recording.scenes.written import launched
from tests.cluster.recording.stage import Stage
from tests.cluster.recording.strangers import withhold

AUTOSCALED = {"enable_auto_scaling": True, "min_replicas": 1, "max_replicas": 3}
SCALERS, VERSION = "horizontalpodautoscalers", "apis/autoscaling/v2"
METRICS_ARE_LATE, ENDPOINTS_ARE_LATE = 240, 15


def a_service_is_missing(stage: Stage) -> None:
    stage.create()
    stage.ready()
    stage.plane.api.delete(stage.path("services"))
    stage.record("24-service-missing", "somebody deleted it", Phase.DEGRADED, "ServiceMissing")


def services_are_hidden(stage: Stage) -> None:
    stage.create()
    stage.ready()
    withhold(stage, ["services"])
    stage.record(
        "24-services-unreadable-is-no-fault",
        "we may not read Services, so that none is missing",
        Phase.READY,
        "Available",
    )


def a_service_selects_nothing(stage: Stage) -> None:
    stage.create()
    stage.ready()
    stage.patch("services", {"spec": {"selector": {"app": "another"}}})
    stage.record(
        "24-selector-matches-no-pod",
        "somebody changed what the Service selects",
        Phase.DEGRADED,
        "NoEndpoints",
    )


def endpoints_are_late(stage: Stage) -> None:
    """The controllers stand still when the pod becomes ready."""
    pen, pod = launched(stage)
    pen.write(pod, running(since=1))
    stage.until(Phase.DEPLOYING, "LoadingModel")
    controllers = stage.plane.controllers
    controllers.freeze()
    stage.after.callback(controllers.resume)
    pen.write(pod, running(ready=True, since=1))
    stage.record(
        "24-endpoints-follow-in-a-moment",
        "ready for less than 10 s, without an endpoint",
        Phase.READY,
        "Available",
    )
    stage.later(
        "24-no-ready-endpoint",
        "24-endpoints-follow-in-a-moment",
        "ready for longer, and still without an endpoint",
        seconds=ENDPOINTS_ARE_LATE,
        phase=Phase.DEGRADED,
        reason="NoEndpoints",
    )


def an_autoscaler_is_missing(stage: Stage) -> None:
    stage.create(overrides=AUTOSCALED)
    stage.ready()
    stage.plane.api.delete(stage.path(SCALERS, api=VERSION))
    stage.record(
        "25-autoscaler-missing", "somebody deleted it", Phase.DEGRADED, "AutoscalerMissing"
    )


def an_autoscaler_is_blind(stage: Stage) -> None:
    stage.create(overrides=AUTOSCALED)
    stage.ready()
    path = stage.path(SCALERS, api=VERSION)
    eventually(
        "the autoscaler has looked",
        lambda: len((stage.plane.api.get(path).get("status") or {}).get("conditions") or ()) > 1,
        seconds=40.0,
    )
    stage.reachable()
    stage.record(
        "25-metrics-may-still-come",
        "no metrics for less than three minutes",
        Phase.READY,
        "Available",
    )
    stage.later(
        "25-autoscaler-is-blind",
        "25-metrics-may-still-come",
        "no metrics for more than three minutes",
        seconds=METRICS_ARE_LATE,
        phase=Phase.DEGRADED,
        reason="AutoscalerNoMetrics",
    )


def two_autoscalers(stage: Stage) -> None:
    stage.create(overrides=AUTOSCALED)
    stage.ready()
    found = stage.plane.api.get(stage.path(SCALERS, api=VERSION))
    body = {"metadata": {"name": "by-hand"}, "spec": found["spec"]}
    stage.make(SCALERS, body, api=VERSION)
    stage.record(
        "25-two-autoscalers",
        "somebody made another one for the same target",
        Phase.DEGRADED,
        "AutoscalerConflict",
    )


def another_autoscaler_counts_the_same_pods(stage: Stage) -> None:
    """Another Deployment selects our pods too, and has an autoscaler of its own."""
    stage.create(overrides=AUTOSCALED)
    stage.ready()
    api = stage.plane.api
    shared = {"app.kubernetes.io/managed-by": "slipway"}
    body = deployment("another", pod_spec(engine()))
    body["spec"]["selector"]["matchLabels"] = shared
    body["spec"]["template"]["metadata"]["labels"] = shared
    stage.make("deployments", body, api="apis/apps/v1")
    found = api.get(stage.path(SCALERS, api=VERSION))["spec"]
    target = {**found["scaleTargetRef"], "name": "another"}
    scaler = {"metadata": {"name": "another"}, "spec": {**found, "scaleTargetRef": target}}
    stage.make(SCALERS, scaler, api=VERSION)
    stage.record(
        "25-ambiguous-selector",
        "the autoscaler of another Deployment counts the same pods",
        Phase.DEGRADED,
        "AutoscalerConflict",
    )


SCENES = (
    *(
        Scene(play=play)
        for play in (
            a_service_is_missing,
            services_are_hidden,
            a_service_selects_nothing,
            an_autoscaler_is_missing,
            an_autoscaler_is_blind,
            two_autoscalers,
            another_autoscaler_counts_the_same_pods,
        )
    ),
    Scene(play=endpoints_are_late, alone=True),
)
