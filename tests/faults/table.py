"""The table of faults: how each is brought about on either back end, and what is said of it.

`sandbox` and `real` tell why where a fault cannot be brought about there.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from providers.contract.status import Phase
from providers.sandbox.faults import Fault
from tests.faults import deeds
from tests.faults.place import Cannot, Deed, Place

NO_NODE_CONTROLLER = Cannot(because="the simulated cluster has no controller that watches nodes")
NO_PRIORITIES = Cannot(because="the simulated scheduler knows no priorities")
NO_PAUSE = Cannot(because="the simulated controller knows no paused rollout")
REPLACED = Cannot(because="the next pod is ready before anybody looks; what remains is a note")
THREE_MINUTES = Cannot(because="it is told after three minutes, and this clock cannot be moved")

OWN_NODE: Mapping[str, object] = {"accelerator": {"type": "LONELY", "count": 1}}


@dataclass(frozen=True, kw_only=True, slots=True)
class Trouble:
    """A fault of one deployment, and the verdict: `says` is part of its sentence.

    `word` is what the pods simulate, `spec` other parts of the template, `budget` the seconds in
    which it must load. `first` is done before the launch, `then` once it is ready. `step` is how
    many seconds of the simulated cluster's clock pass between two looks.
    """

    name: str
    phase: Phase
    reason: str
    says: str
    word: str = ""
    spec: Mapping[str, object] = field(default_factory=dict)
    overrides: Mapping[str, object] = field(default_factory=dict)
    budget: int = 60
    in_doomed_namespace: bool = False
    first: Callable[[Place], None] | None = None
    then: Deed | None = None
    step: float = 5.0
    sandbox: Cannot | None = None
    real: Cannot | None = None


TROUBLES: Sequence[Trouble] = (
    Trouble(
        name="image not found",
        word="image-not-found",
        phase=Phase.FAILED,
        reason="ImageNotFound",
        says="not found",
    ),
    Trouble(
        name="image unauthorised",
        word="unauthorized",
        phase=Phase.FAILED,
        reason="ImageUnauthorized",
        says="may not be pulled",
    ),
    Trouble(
        name="secret missing",
        spec={
            "model_source": {
                "type": "huggingface",
                "uri": "Qwen/Qwen3-0.6B",
                "auth_secret_ref": deeds.TOKEN,
            }
        },
        first=deeds.add_token,
        then=deeds.remove_token,
        phase=Phase.FAILED,
        reason="SecretMissing",
        says=f"Secret {deeds.TOKEN} does not exist",
    ),
    Trouble(
        name="quota refused",
        then=deeds.forbid_pods,
        phase=Phase.FAILED,
        reason="QuotaExceeded",
        says="quota team is exceeded",
    ),
    Trouble(
        name="accelerators insufficient",
        word="unschedulable",
        phase=Phase.DEPLOYING,
        reason="InsufficientAccelerator",
        says="nvidia.com/gpu",
    ),
    Trouble(
        name="nodes tainted",
        then=deeds.taint_nodes,
        phase=Phase.DEPLOYING,
        reason="UntoleratedTaint",
        says="untolerated taint",
    ),
    Trouble(
        name="crash",
        word="crash",
        phase=Phase.FAILED,
        reason="CrashLoop",
        says="keeps ending with code 1",
    ),
    Trouble(
        name="out of memory",
        word="oom",
        phase=Phase.FAILED,
        reason="OutOfMemory",
        says="memory",
    ),
    Trouble(
        name="killed while loading",
        word="slow-load:600",
        budget=10,
        phase=Phase.FAILED,
        reason="KilledWhileLoading",
        says="was killed by its startup probe",
    ),
    Trouble(
        name="readiness failing",
        word="never-ready",
        budget=10,
        phase=Phase.FAILED,
        reason="ReadinessFailing",
        says="10 s were allowed",
    ),
    Trouble(
        name="evicted",
        word="evict:3",
        phase=Phase.DEGRADED,
        reason="Evicted",
        says="a pod was evicted",
        step=0.2,
        real=REPLACED,
    ),
    Trouble(
        name="node lost",
        spec=OWN_NODE,
        then=deeds.silence_node,
        phase=Phase.DEGRADED,
        reason="NodeLost",
        says="does not answer",
        sandbox=NO_NODE_CONTROLLER,
    ),
    Trouble(
        name="preempted",
        spec=OWN_NODE,
        then=deeds.push_aside,
        phase=Phase.DEPLOYING,
        reason="InsufficientAccelerator",
        says="nvidia.com/gpu",
        sandbox=NO_PRIORITIES,
    ),
    Trouble(
        name="service deleted",
        then=deeds.remove_service,
        phase=Phase.DEGRADED,
        reason="ServiceMissing",
        says="the Service is missing",
    ),
    Trouble(
        name="autoscaler deleted",
        overrides={"min_replicas": 1, "max_replicas": 3, "enable_auto_scaling": True},
        then=deeds.remove_autoscaler,
        phase=Phase.DEGRADED,
        reason="AutoscalerMissing",
        says="the autoscaler is missing",
    ),
    Trouble(
        name="autoscaler without metrics",
        overrides={"min_replicas": 1, "max_replicas": 3, "enable_auto_scaling": True},
        phase=Phase.DEGRADED,
        reason="AutoscalerNoMetrics",
        says="cannot read its metric",
        step=30.0,
        real=THREE_MINUTES,
    ),
    Trouble(
        name="workload deleted outside",
        then=deeds.remove_workload,
        phase=Phase.DELETED,
        reason="RemovedOutside",
        says="was removed outside of Slipway",
    ),
    Trouble(
        name="namespace terminating",
        word="slow-stop:20",
        in_doomed_namespace=True,
        then=deeds.remove_namespace,
        phase=Phase.FAILED,
        reason="NamespaceTerminating",
        says="is being deleted",
        step=0.2,
    ),
    Trouble(
        name="rollout paused",
        then=deeds.pause,
        phase=Phase.DEPLOYING,
        reason="RolloutPaused",
        says="is paused outside of Slipway",
        sandbox=NO_PAUSE,
    ),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Outage:
    """A fault of the way to a whole cluster, and with which code and sentence it is told.

    Without a code the cluster counts as reachable. `phase` and `reason` are of the deployments in
    it, `sentence` part of what is said of them. `leads_to` is where the way leads instead. `many`
    tells that lists must be longer than one page for it to happen.
    """

    name: str
    phase: Phase = Phase.READY
    reason: str = "Available"
    sentence: str = "1 of 1 replicas ready"
    code: str = ""
    says: str = ""
    faults: Sequence[Fault] = ()
    leads_to: str = ""
    many: bool = False


NOWHERE, SILENCE = "nowhere", "silence"
UNREACHABLE = "ClusterUnreachable"

OUTAGES: Sequence[Outage] = (
    Outage(name="down", leads_to=NOWHERE, code=UNREACHABLE, says="does not answer"),
    Outage(name="black hole", leads_to=SILENCE, code=UNREACHABLE, says="does not answer"),
    Outage(name="slow", faults=[Fault(latency=6.0)], code=UNREACHABLE, says="no answer within"),
    Outage(name="hangs up", faults=[Fault(drop=True)], code=UNREACHABLE, says="does not answer"),
    Outage(name="401 once", faults=[Fault(status=401, times=1)]),
    Outage(name="401", faults=[Fault(status=401)], code="CredentialsRefused", says="credential"),
    Outage(
        name="403 on pods",
        faults=[Fault(verb="list", resource="pods", status=403)],
        reason="Forbidden",
        sentence="pods cannot be read: ask an admin",
    ),
    Outage(name="403 on nodes", faults=[Fault(resource="nodes", status=403)]),
    Outage(name="429 once", faults=[Fault(status=429, retry_after=1, times=1)]),
    Outage(
        name="429",
        faults=[Fault(status=429, retry_after=40)],
        code=UNREACHABLE,
        says="is overloaded and asks to wait 40 s",
    ),
    Outage(name="500", faults=[Fault(status=500)], code=UNREACHABLE, says="answered 500"),
    Outage(name="cut stream", faults=[Fault(truncate=20)], code=UNREACHABLE, says="not answer"),
    Outage(name="410", faults=[Fault(continued=True, status=410, times=1)], many=True),
)
