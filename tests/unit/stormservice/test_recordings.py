"""What AIBrix's own controllers left on a cluster gets the verdict that its notes ask for."""

from dataclasses import replace

import msgspec
import pytest

from providers.contract.request import Intent
from providers.contract.status import Phase, Status
from providers.stormservice.carrier import slim_pod_set
from providers.stormservice.objects import (
    Metadata,
    PodSet,
    PodTemplate,
    Role,
    RoleSetSpec,
    RoleSetTemplate,
    StormServiceSpec,
)
from providers.stormservice.render import LABEL_POD_DIGEST
from providers.workload.status.autoscaling import find_autoscaler_faults
from providers.workload.status.facts import gather_facts
from tests.beside import beside
from tests.unit.stormservice.recorded import recorded

D, F, G, R, S = Phase.DEPLOYING, Phase.FAILED, Phase.DEGRADED, Phase.READY, Phase.SCALING

# Case, whether the revision was whole before, seconds after the recording: verdict, ready, wanted.
VERDICTS = [
    ("standard-ready", True, 0, R, "Available", 2, 2),
    ("multi-node-ready", True, 0, R, "Available", 1, 1),
    ("disaggregated-ready", True, 0, R, "Available", 1, 1),
    ("scaled-to-zero", True, 0, Phase.STOPPED, "ScaledToZero", 0, 0),
    ("image-not-found", False, 0, F, "ImageNotFound", 0, 1),
    ("crash-loop", False, 0, F, "CrashLoop", 0, 1),
    ("insufficient-accelerator", False, 60, D, "InsufficientAccelerator", 0, 1),
    ("disaggregated-decode-out-of-memory", True, 0, G, "OutOfMemory", 0, 1),
    ("quota-exceeded", False, 0, G, "QuotaExceeded", 1, 2),
    ("multi-node-quota-exceeded", False, 0, F, "QuotaExceeded", 0, 1),
    ("roleset-refused-by-quota", False, 0, G, "QuotaExceeded", 1, 2),
    ("name-too-long", False, 0, F, "AdmissionDenied", 0, 1),
    ("replicas-absent", False, 0, F, "ReconcileFailed", 0, 1),
    ("service-name-taken", False, 0, D, "WaitingForController", 0, 1),
    ("paused-with-new-image", False, 0, D, "RolloutPaused", 0, 2),
    ("pod-deleted-by-hand", True, 0, S, "ScalingUp", 1, 2),
    ("multi-node-rank-lost", True, 0, S, "ScalingUp", 0, 2),
    ("rolling-update-half-replace", False, 0, D, "LoadingModel", 0, 3),
    ("rolling-update-half-surge", False, 0, D, "RolloutInProgress", 1, 3),
    ("rolling-update-surge-image-not-found", False, 0, G, "ImageNotFound", 0, 2),
    ("role-replicas-changed-replaces", False, 0, D, "Starting", 0, 1),
    ("role-removed-inplace", False, 0, D, "RolloutInProgress", 1, 2),
    ("disaggregated-role-scale-up-half", True, 0, S, "ScalingUp", 0, 1),
    ("disaggregated-inplace-image-half", False, 0, D, "Starting", 0, 1),
    ("inplace-update-ready-too-early", False, 0, D, "Starting", 0, 1),
    ("ready-though-update-failed", False, 0, G, "ImageNotFound", 0, 1),
    ("hpa-native-no-metrics", True, 0, S, "ScalingUp", 1, 2),
    ("podautoscaler-role-decode", False, 0, D, "Starting", 0, 1),
    ("podautoscaler-apa-minimum", False, 0, D, "Starting", 0, 2),
    ("podautoscaler-apa-unreadable-metric", False, 0, D, "Starting", 0, 1),
    ("podautoscaler-hpa", False, 0, D, "Starting", 0, 2),
]
DELETING = ["deleting-background", "deleting-foreground"]
LATER = "2026-11-30T09:36:08Z"
# Four deployments at once: the controller was away when they were made, changed and deleted.
CONTROLLER_AWAY = [
    ("newone", D, "WaitingForController"),
    ("live", D, "WaitingForController"),
    ("gone", Phase.DELETING, "RemovedOutside"),
    ("fg", Phase.DELETING, "RemovedOutside"),
]


@pytest.mark.parametrize(
    ("case", "full", "after", "phase", "reason", "ready", "wanted"),
    VERDICTS,
    ids=[row[0] for row in VERDICTS],
)
def test_a_recording_gets_its_verdict(
    case: str, *, full: bool, after: float, phase: Phase, reason: str, ready: int, wanted: int
) -> None:
    status = recorded(case, once_full=full).status(after=after)
    assert (status.phase, status.reason) == (phase, reason)
    assert (status.ready_replicas, status.desired_replicas) == (ready, wanted)


@pytest.mark.parametrize("case", DELETING)
def test_a_deletion_waits_for_pods_whatever_its_ready_says(case: str) -> None:
    status = recorded(case, once_full=True, intent=Intent.DELETED).status()
    assert (status.phase, status.reason) == (Phase.DELETING, "WaitingForPods")


@pytest.mark.parametrize(("name", "phase", "reason"), CONTROLLER_AWAY)
def test_without_its_controller_nothing_is_taken_for_done(
    name: str, phase: Phase, reason: str
) -> None:
    status = recorded("controller-stopped", name=name).status()
    assert (status.phase, status.reason) == (phase, reason)


def test_no_recording_is_without_its_verdict() -> None:
    found = {path.stem for path in (beside("recorded") / "stormservice").glob("*.yaml")}
    assert found == {*(row[0] for row in VERDICTS), *DELETING, "controller-stopped"}


def test_a_silent_controller_is_asked_after() -> None:
    found = recorded("controller-stopped", name="newone")
    status = found.status(after=60, last=found.status(after=30))
    assert status.reason == "ControllerNotResponding"
    assert status.message.endswith("is the controller manager of AIBrix running?")


def test_a_rank_that_is_refused_is_told_by_the_event_of_its_pod_set() -> None:
    status = recorded("multi-node-quota-exceeded").status()
    assert "quota team is exceeded: requests.nvidia.com/gpu asks for 1, 1 of 1 used" in (
        status.message
    )


def test_a_first_rank_that_is_refused_is_told_though_there_is_no_pod() -> None:
    status = recorded("multi-node-quota-exceeded", without={"Pod"}).status()
    assert (status.phase, status.reason) == (F, "QuotaExceeded")


def test_a_refusal_is_of_the_past_once_a_pod_was_made_after_it() -> None:
    found = recorded("multi-node-quota-exceeded")
    [pod] = found.objects.pods
    later = msgspec.structs.replace(pod.meta, creation_timestamp=LATER)
    objects = replace(found.objects, pods=[msgspec.structs.replace(pod, metadata=later)])
    assert replace(found, objects=objects).status().reason != "QuotaExceeded"


def test_a_refusal_is_of_the_past_once_every_pod_of_the_pod_set_is_there() -> None:
    found = recorded("multi-node-quota-exceeded")
    objects = replace(found.objects, pods=[*found.objects.pods] * 2)
    assert replace(found, objects=objects).status().reason != "QuotaExceeded"


def test_a_pod_set_bears_the_id_of_the_pods_that_it_makes() -> None:
    [pod_set] = recorded("multi-node-ready").objects.further["PodSet"]
    assert pod_set.labels["slipway.dev/id"] == recorded("multi-node-ready").ref.id


def test_what_stays_of_a_pod_set_in_memory_bears_that_id_too() -> None:
    [pod_set] = recorded("multi-node-ready").objects.further["PodSet"]
    assert isinstance(pod_set, PodSet)
    slimmed = slim_pod_set(pod_set)
    assert slimmed.spec is not None
    assert slimmed.spec.template is None
    assert slimmed.labels["slipway.dev/id"] == pod_set.labels["slipway.dev/id"]


def test_the_brackets_of_a_role_sets_refusal_are_no_part_of_the_quota() -> None:
    assert recorded("quota-exceeded").status().message.endswith("asks for 1, 1 of 1 used")


def test_an_old_revision_that_serves_on_is_counted_as_such() -> None:
    message = recorded("ready-though-update-failed").status().message
    assert "1 of the old revision serving" in message


def test_two_pod_autoscalers_on_one_target_are_a_conflict() -> None:
    found = recorded("podautoscaler-apa-minimum")
    facts = gather_facts(found.bundle(), found.ref, found.at)
    assert [hit.reason for hit in find_autoscaler_faults(facts)] == ["AutoscalerConflict"]


@pytest.mark.parametrize("case", ["disaggregated-ready", "standard-ready"])
def test_a_number_below_none_counts_as_none(case: str) -> None:
    """The kind keeps whatever whole number somebody writes."""
    found = recorded(case, once_full=True)
    [(place, live)] = found.objects.workloads.items()
    odd = msgspec.structs.replace(live, spec=StormServiceSpec(replicas=-4))
    status = replace(found, objects=replace(found.objects, workloads={place: odd})).status()
    assert (status.desired_replicas, status.phase) == (0, Phase.SCALING)


def test_a_pod_too_many_of_one_role_does_not_stand_in_for_one_of_another() -> None:
    found = recorded("disaggregated-ready", once_full=True)
    decode, *_ = pods = found.objects.pods
    lacking = [pod for pod in pods if pod.labels["role-name"] != "prefill"]
    objects = replace(found.objects, pods=[*lacking, decode])
    status = replace(found, objects=objects).status()
    assert (status.phase, status.reason) == (S, "ScalingUp")
    assert status.message == "0 of 1 replicas ready; 1 pod not made yet"


def wanting(case: str, *roles: Role) -> Status:
    """Return the verdict on a case whose StormService wants one replica of other roles."""
    found = recorded(case, once_full=True)
    [(place, live)] = found.objects.workloads.items()
    template = RoleSetTemplate(spec=RoleSetSpec(roles=[*roles]))
    spec = StormServiceSpec(replicas=1, template=template)
    odd = {place: msgspec.structs.replace(live, spec=spec)}
    return replace(found, objects=replace(found.objects, workloads=odd)).status()


def role(name: str, replicas: int | None, digest: str = "new", nodes: int = 1) -> Role:
    labels: dict[str, str | None] = {LABEL_POD_DIGEST: digest}
    template = PodTemplate(metadata=Metadata(labels=labels))
    return Role(name=name, replicas=replicas, pod_group_size=nodes, template=template)


@pytest.mark.parametrize(
    ("name", "told"), [("decode", "role decode"), ("", "a role without a name")]
)
def test_a_role_without_a_number_is_told_by_its_name_where_it_has_one(name: str, told: str) -> None:
    status = wanting("disaggregated-ready", role("prefill", 1, "prefill"), role(name, None))
    assert f"replicas of {told} is not set" in status.message


@pytest.mark.parametrize("number", [0, -1, None])
def test_pods_of_a_role_that_somebody_left_without_any_are_no_replicas(number: int | None) -> None:
    status = wanting(
        "disaggregated-ready", role("prefill", 1, "prefill"), role("decode", number, "decode")
    )
    assert (status.ready_replicas, status.desired_replicas) == (1, 1)


@pytest.mark.parametrize(
    ("case", "roles", "serving"),
    [
        ("disaggregated-ready", [role("prefill", 2), role("decode", 3)], 1),
        ("disaggregated-ready", [role("main", 1)], 0),
        ("multi-node-ready", [role("main", 1, nodes=3)], 1),
        ("multi-node-ready", [role("main", 1)], 1),
        ("standard-ready", [role("main", 1)], 2),
        ("standard-ready", [role("main", 1, nodes=2)], 0),
        ("standard-ready", [role("prefill", 1), role("decode", 1)], 0),
    ],
)
def test_a_replica_of_before_serves_by_its_own_numbers_where_the_same_roles_answer(
    case: str, roles: list[Role], serving: int
) -> None:
    status = wanting(case, *roles)
    assert (status.ready_replicas, status.available_replicas) == (0, serving)
