"""A simulated pod's life as a function of time: the same input gives the same status, to the
second.
"""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from providers.contract.manifest import Manifest
from providers.simulation.pod_life.pace import Pace, back_off_seconds, go_duration
from providers.simulation.pod_life.pod_status import PodMoment, World, pod_moment
from providers.simulation.pod_life.references import Problems, problems_of
from providers.simulation.simulate import parse_simulation

BORN = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
IMAGE = "docker.io/vllm/vllm-openai:v0.11.0"
STARTUP = {"httpGet": {"path": "/health", "port": "http"}, "periodSeconds": 10}


def pod_of(**container: object) -> Manifest:
    ports = [{"name": "http", "containerPort": 8000}]
    engine = {"name": "engine", "image": IMAGE, "ports": ports} | container
    metadata = {"name": "qwen", "namespace": "team", "uid": "u-1", "generation": 1}
    return {"metadata": metadata, "spec": {"containers": [engine]}}


def world_of(word: str = "", problems: Problems | None = None) -> World:
    return World(
        host_ip="10.0.0.1",
        pod_ip="10.128.0.7",
        started_at=BORN,
        epoch=BORN,
        simulations={"engine": parse_simulation(word)},
        problems=problems or Problems(by_container={}, volumes=()),
        pace=Pace(pull_seconds=1, load_seconds=2, crash_seconds=1, notice_seconds=1),
    )


def after(seconds: float, world: World, pod: Manifest | None = None) -> PodMoment:
    return pod_moment(pod or pod_of(), world=world, now=BORN + timedelta(seconds=seconds))


def engine_after(seconds: float, word: str, **container: object) -> Manifest:
    status = after(seconds, world_of(word), pod_of(**container)).status
    entry: Manifest = status["containerStatuses"][0]
    return entry


def test_a_healthy_pod_is_pulled_started_and_ready_in_this_order() -> None:
    probe = {"readinessProbe": STARTUP}
    states = [engine_after(at, "", **probe) for at in (0.5, 1.5, 3.5)]

    assert [next(iter(entry["state"])) for entry in states] == ["waiting", "running", "running"]
    assert [entry["ready"] for entry in states] == [False, False, True]
    assert states[0]["state"]["waiting"] == {"reason": "ContainerCreating"}
    assert states[2]["state"]["running"] == {"startedAt": "2026-01-02T03:04:06Z"}


def test_a_healthy_pod_needs_no_further_look() -> None:
    assert after(1.5, world_of()).next_at == pytest.approx(3.0)
    assert after(100, world_of()).next_at is None


@pytest.mark.parametrize(
    ("seconds", "restarts", "state", "message"),
    [
        (1.5, 0, "running", ""),
        (2.5, 0, "terminated", ""),
        (3.5, 1, "running", ""),
        (6.0, 1, "waiting", "back-off 10s restarting failed container=engine pod=qwen_team(u-1)"),
        (14.5, 2, "running", ""),
        (20.0, 2, "waiting", "back-off 20s restarting failed container=engine pod=qwen_team(u-1)"),
    ],
)
def test_a_crash_loop_goes_by_the_back_off_of_a_kubelet(
    seconds: float, restarts: int, state: str, message: str
) -> None:
    entry = engine_after(seconds, "crash")

    assert (entry["restartCount"], next(iter(entry["state"]))) == (restarts, state)
    assert entry["state"][state].get("message", "") == message


def test_the_last_state_is_that_of_the_run_before() -> None:
    entry = engine_after(14.5, "oom")

    assert entry["lastState"]["terminated"]["reason"] == "OOMKilled"
    assert entry["lastState"]["terminated"]["startedAt"] == "2026-01-02T03:04:08Z"
    assert entry["lastState"]["terminated"]["containerID"] != entry["containerID"]


@pytest.mark.parametrize("word", ["crash", "oom"])
def test_what_ends_while_it_loads_is_never_ready(word: str) -> None:
    quick = replace(world_of(word), pace=Pace(pull_seconds=1, load_seconds=1, crash_seconds=4))
    pod = pod_of(readinessProbe=STARTUP)
    said = [after(at / 2, quick, pod).status["containerStatuses"][0] for at in range(20)]

    assert {next(iter(entry["state"])) for entry in said} >= {"running", "terminated"}
    assert not any(entry["ready"] for entry in said)


@pytest.mark.parametrize(("load", "killed"), [("slow-load:30", 0), ("slow-load:31", 1)])
def test_the_startup_budget_is_delay_and_period_times_failures(load: str, killed: int) -> None:
    assert engine_after(40, load, startupProbe=STARTUP)["restartCount"] == killed


def test_a_liveness_probe_kills_where_there_is_no_startup_probe() -> None:
    told = after(40, world_of("slow-load:60"), pod_of(livenessProbe=STARTUP)).happenings

    killing = [happening.message for happening in told if happening.reason == "Killing"]
    assert killing == ["Container engine failed liveness probe, will be restarted"]


def test_equal_happenings_are_counted_and_keep_their_first_time() -> None:
    told = after(
        14, world_of("slow-load:30"), pod_of(readinessProbe=STARTUP | {"periodSeconds": 3})
    )

    unhealthy = [happening for happening in told.happenings if happening.reason == "Unhealthy"]
    assert [(each.count, each.first, each.at) for each in unhealthy] == [(4, 4.0, 13.0)]
    assert unhealthy[0].message == (
        'Readiness probe failed: Get "http://10.128.0.7:8000/health": '
        "dial tcp 10.128.0.7:8000: connect: connection refused"
    )


def test_a_condition_that_did_not_turn_keeps_its_time() -> None:
    pod = pod_of(readinessProbe=STARTUP)
    pod["status"] = after(1.5, world_of(), pod).status

    times = {
        entry["type"]: entry["lastTransitionTime"]
        for entry in after(60, world_of(), pod).status["conditions"]
    }
    assert times["Initialized"] == "2026-01-02T03:04:06Z"
    assert times["Ready"] == "2026-01-02T03:05:05Z"


def test_a_condition_of_somebody_else_stays() -> None:
    pod = pod_of()
    pod["status"] = {"conditions": [{"type": "example.org/gate", "status": "True"}]}

    kinds = [entry["type"] for entry in after(60, world_of(), pod).status["conditions"]]
    assert "example.org/gate" in kinds


def test_the_engine_waits_for_its_init_container() -> None:
    pod = pod_of()
    pod["spec"]["initContainers"] = [{"name": "fetch", "image": IMAGE}]
    world = world_of()
    both = World(
        host_ip=world.host_ip,
        pod_ip=world.pod_ip,
        started_at=BORN,
        epoch=BORN,
        simulations={"engine": parse_simulation(""), "fetch": parse_simulation("")},
        pace=world.pace,
    )

    early, late = after(2, both, pod).status, after(30, both, pod).status

    assert early["containerStatuses"][0]["state"] == {"waiting": {"reason": "PodInitializing"}}
    assert early["phase"] == "Pending"
    assert late["initContainerStatuses"][0]["state"]["terminated"]["exitCode"] == 0
    assert late["phase"] == "Running"


def test_a_pod_that_is_not_restarted_ends() -> None:
    pod = pod_of()
    pod["spec"]["restartPolicy"] = "Never"

    ended = after(60, world_of("crash"), pod)
    assert (ended.status["phase"], ended.next_at) == ("Failed", None)


def test_an_eviction_comes_after_its_seconds_and_is_final() -> None:
    world = world_of("evict:5")

    assert after(7.9, world).status["phase"] == "Running"
    assert after(8.1, world).status["reason"] == "Evicted"
    assert after(8.1, world).status == after(9000, world).status


@pytest.mark.parametrize(
    ("source", "data", "problem"),
    [
        ({"secretKeyRef": {"name": "hf", "key": "token"}}, None, 'secret "hf" not found'),
        (
            {"secretKeyRef": {"name": "hf", "key": "token"}},
            {"other": ""},
            "couldn't find key token in Secret team/hf",
        ),
        (
            {"configMapKeyRef": {"name": "hf", "key": "token"}},
            {},
            "couldn't find key token in ConfigMap team/hf",
        ),
        ({"secretKeyRef": {"name": "hf", "key": "token"}}, {"token": ""}, None),
        ({"secretKeyRef": {"name": "hf", "key": "token", "optional": True}}, None, None),
        ({"fieldRef": {"fieldPath": "metadata.name"}}, None, None),
    ],
)
def test_a_missing_reference_is_told_in_the_words_of_a_kubelet(
    source: Manifest, data: Manifest | None, problem: str | None
) -> None:
    pod = pod_of(env=[{"name": "TOKEN", "valueFrom": source}])

    found = problems_of(pod, lambda _kind, _name: data)

    assert found.by_container.get("engine") == problem


def test_a_pod_whose_volume_cannot_be_mounted_has_no_sandbox_and_no_address() -> None:
    problems = Problems(by_container={}, volumes=('secret "tls" not found',))

    status = after(5, world_of(problems=problems)).status

    turned = {each["type"]: each["status"] for each in status["conditions"]}
    assert turned["PodReadyToStartContainers"] == "False"
    assert status["phase"] == "Pending"
    assert "podIP" not in status


@pytest.mark.parametrize(
    ("failures", "words"), [(1, "10s"), (2, "20s"), (4, "1m20s"), (6, "5m0s"), (60, "5m0s")]
)
def test_back_offs_double_up_to_five_minutes(failures: int, words: str) -> None:
    assert go_duration(back_off_seconds(failures)) == words
