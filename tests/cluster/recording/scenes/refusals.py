"""Rows 6, 8 and 9: what the API server or a controller refuses, or does not come to."""

from dataclasses import replace

from providers.contract.status import Phase
from providers.contract.template import Resources
from tests.cluster.launching import set_quota
from tests.cluster.recording.scenes.scene import Scene
from tests.cluster.recording.stage import Stage
from tests.cluster.recording.strangers import break_webhook, deny

OUR_RULES = "the team of this namespace has to be named in a label"


def a_first_revision_is_refused(stage: Stage) -> None:
    deny(stage, "deployments", group="apps", message=OUR_RULES)
    stage.create()
    stage.record(
        "06-first-revision-refused",
        "a policy denies the Deployment, so that there is nothing",
        Phase.FAILED,
        stage.last_apply.code,
    )


def a_second_revision_is_refused(stage: Stage) -> None:
    stage.create()
    stage.ready()
    deny(stage, "deployments", group="apps", message=OUR_RULES)
    stage.update(stage.launch.with_env(COLOUR="blue"))
    stage.record(
        "06-second-revision-refused-first-serves",
        "a policy denies the change, what ran before serves",
        Phase.DEGRADED,
        stage.last_apply.code,
    )


def a_webhook_is_down_at_apply(stage: Stage) -> None:
    stage.create()
    stage.ready()
    break_webhook(stage, "deployments", group="apps")
    stage.update(stage.launch.with_env(COLOUR="blue"))
    stage.record(
        "06-webhook-down",
        "nobody answers for the webhook that must see the change",
        Phase.DEGRADED,
        "WebhookUnavailable",
    )


def a_quota_is_full(stage: Stage) -> None:
    set_quota(stage.plane.api, stage.namespace, pods="0")
    stage.create()
    stage.record("09-quota-exceeded", "the quota of pods is used up", Phase.FAILED, "QuotaExceeded")


def a_quota_is_full_beside_what_serves(stage: Stage) -> None:
    stage.create()
    stage.ready()
    set_quota(stage.plane.api, stage.namespace, pods="1")
    stage.update(stage.launch.with_env(COLOUR="blue"))
    stage.record(
        "09-quota-exceeded-while-the-old-one-serves",
        "no quota for the new pod, the old one serves",
        Phase.DEGRADED,
        "QuotaExceeded",
    )


def only_the_old_one_is_refused(stage: Stage) -> None:
    """The first revision may make no pod, the next one asks for little enough."""
    set_quota(stage.plane.api, stage.namespace, **{"requests.cpu": "1"})
    stage.create(resources={"cpu": "2", "memory": "64Mi"}, word="slow-load:20")
    stage.until(Phase.FAILED, "QuotaExceeded")
    request = stage.launch.request
    less = Resources(cpu="100m", memory="64Mi")
    spec = request.spec.model_copy(update={"resources": less})
    stage.update(replace(request, spec=spec, revision=2))
    stage.record(
        "09-only-the-old-replicaset-is-refused",
        "the old revision is refused still, the new one loads",
        Phase.DEPLOYING,
        "LoadingModel",
    )


def a_quota_wants_limits(stage: Stage) -> None:
    set_quota(stage.plane.api, stage.namespace, **{"limits.cpu": "8"})
    stage.create()
    stage.record(
        "09-quota-wants-limits",
        "a quota wants a limit that the template does not give",
        Phase.FAILED,
        "AdmissionDenied",
    )


def a_policy_denies_pods(stage: Stage) -> None:
    deny(stage, "pods", message=OUR_RULES)
    stage.create()
    stage.record(
        "09-admission-policy-denies-pods", "a policy denies pods", Phase.FAILED, "AdmissionDenied"
    )


def a_webhook_is_down_for_pods(stage: Stage) -> None:
    break_webhook(stage, "pods")
    stage.create()
    stage.record(
        "09-webhook-down-for-pods",
        "nobody answers for the webhook that must see pods",
        Phase.FAILED,
        "WebhookUnavailable",
    )


def an_account_is_missing(stage: Stage) -> None:
    stage.changes = {"service_account": "runner"}
    stage.create()
    stage.record(
        "09-service-account-missing",
        "pods run under an account that does not exist",
        Phase.FAILED,
        "ServiceAccountMissing",
    )


def the_controllers_stand_still(stage: Stage) -> None:
    stage.create()
    stage.ready()
    controllers = stage.plane.controllers
    controllers.freeze()
    stage.after.callback(controllers.resume)
    stage.update(stage.launch.rescaled(min_replicas=2))
    stage.record(
        "08-controller-has-not-looked-yet",
        "written a moment ago, not seen by the controller yet",
        Phase.DEPLOYING,
        "WaitingForController",
    )
    stage.later(
        "08-controller-does-not-answer",
        "08-controller-has-not-looked-yet",
        "not seen by the controller after half a minute",
        seconds=31,
        phase=Phase.DEPLOYING,
        reason="ControllerNotResponding",
    )


SCENES = (
    *(
        Scene(play=play)
        for play in (
            a_first_revision_is_refused,
            a_second_revision_is_refused,
            a_webhook_is_down_at_apply,
            a_quota_is_full,
            a_quota_is_full_beside_what_serves,
            only_the_old_one_is_refused,
            a_quota_wants_limits,
            a_policy_denies_pods,
            a_webhook_is_down_for_pods,
            an_account_is_missing,
        )
    ),
    Scene(play=the_controllers_stand_still, alone=True),
)
