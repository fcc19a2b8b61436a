"""Rows 14 to 16, 19, 23 and 27 on a node that nobody tends: containers and pods that end or heal.

The words are those of a kubelet 1.36.
"""

from providers.contract.status import Phase
from tests.cluster.recording.nodes import bound_pods, newest_bound, quiet_node
from tests.cluster.recording.pen import ended, running, waiting
from tests.cluster.recording.scenes.scene import Scene
from tests.cluster.recording.scenes.written import healthy, launched
from tests.cluster.recording.stage import OWN, Stage

PAST_THE_BUDGET, HALF_AN_HOUR = 65, 1800
TWO = {"min_replicas": 2}


def memory_runs_out_with_exit_code_zero(stage: Stage) -> None:
    pen, pod = healthy(stage)
    last = ended(0, "OOMKilled", ago=2)
    pen.write(pod, running(since=1, last=last, restarts=1))
    stage.record(
        "14-out-of-memory-with-exit-code-zero",
        "killed for its memory, its shell ended with 0",
        Phase.FAILED,
        "OutOfMemory",
    )
    pen.write(pod, running(ready=True, since=1, last=last, restarts=1))
    stage.reachable()
    stage.record(
        "14-ready-again",
        "ready again within ten minutes of the kill",
        Phase.DEGRADED,
        "OutOfMemory",
    )
    stage.later(
        "14-healed-half-an-hour-ago-is-a-note",
        "14-ready-again",
        "ready for half an hour since the kill",
        seconds=HALF_AN_HOUR,
        phase=Phase.READY,
        reason="Available",
    )


def an_engine_crashes_and_heals(stage: Stage) -> None:
    pen, pod = launched(stage)
    pen.write(pod, running(since=1, last=ended(1, ago=2), restarts=1))
    stage.record(
        "15-one-restart-is-no-loop",
        "ended once with an error, and loads again",
        Phase.DEPLOYING,
        "LoadingModel",
    )
    last = ended(1, ago=2, restarts=1)
    pen.write(pod, running(since=1, last=last, restarts=2))
    stage.record(
        "15-crash-loop-between-two-tries",
        "runs between two crashes",
        Phase.FAILED,
        "CrashLoop",
    )
    pen.write(pod, running(ready=True, since=1, last=last, restarts=2))
    stage.reachable()
    stage.record(
        "15-ready-after-two-crashes",
        "ready, the last crash was a moment ago",
        Phase.DEGRADED,
        "CrashLoop",
    )
    stage.later(
        "15-healed-crash-is-a-note",
        "15-ready-after-two-crashes",
        "ready for half an hour since the last crash",
        seconds=HALF_AN_HOUR,
        phase=Phase.READY,
        reason="Available",
    )


def one_of_two_crashes(stage: Stage) -> None:
    pen = quiet_node(stage)
    stage.create(overrides=TWO, **OWN)
    first, second = bound_pods(stage, 2)
    pen.write(first, running(ready=True, since=1))
    pen.write(second, running(since=1, last=ended(1, ago=2, restarts=1), restarts=2))
    stage.record(
        "15-one-of-two-crashes", "one serves, the other crashes", Phase.DEGRADED, "CrashLoop"
    )


def a_slow_engine_is_killed_twice(stage: Stage) -> None:
    pen, pod = launched(stage)
    killed = ended(143, ago=2, restarts=1)
    pen.tell(pod, "Unhealthy", "Startup probe failed: connection refused", count=6)
    pen.write(pod, running(since=1, last=killed, restarts=2))
    stage.record(
        "15-killed-while-loading-by-warnings-only",
        "no event of the kill, but a probe that failed and the code of a kill",
        Phase.FAILED,
        "KilledWhileLoading",
    )


def a_crash_beside_a_failing_probe(stage: Stage) -> None:
    pen, pod = launched(stage)
    pen.tell(pod, "Unhealthy", "Startup probe failed: connection refused", count=6)
    pen.write(pod, running(since=1, last=ended(1, ago=2, restarts=1), restarts=2))
    stage.record(
        "15-crash-while-the-probe-fails-is-a-crash",
        "the probe failed because the engine had ended by itself",
        Phase.FAILED,
        "CrashLoop",
    )


def an_engine_stops_answering(stage: Stage) -> None:
    pen, pod = healthy(stage)
    pen.write(pod, running(since=3))
    stage.record(
        "18-not-ready-for-a-moment",
        "once ready, not ready within the budget",
        Phase.SCALING,
        "ScalingUp",
    )
    stage.later(
        "19-stopped-answering",
        "18-not-ready-for-a-moment",
        "once ready, not ready past the budget",
        seconds=PAST_THE_BUDGET,
        phase=Phase.FAILED,
        reason="ReadinessFailing",
    )


def an_engine_ends_by_itself(stage: Stage) -> None:
    pen, pod = healthy(stage)
    pen.write(pod, running(since=1, last=ended(0, "Completed", ago=2), restarts=1))
    stage.record(
        "18-ended-by-itself-and-starts-again",
        "the engine ended by itself and loads again",
        Phase.SCALING,
        "ScalingUp",
    )


def a_state_that_nobody_knows(stage: Stage) -> None:
    pen, pod = launched(stage)
    pen.write(pod, waiting("Frobnicating", "the runtime frobnicates"))
    stage.record(
        "27-a-state-nobody-knows",
        "a container waits for something that is in no table",
        Phase.DEPLOYING,
        "Unknown",
    )


def one_of_two_is_in_a_state_that_nobody_knows(stage: Stage) -> None:
    pen = quiet_node(stage)
    stage.create(overrides=TWO, **OWN)
    first, second = bound_pods(stage, 2)
    for pod in (first, second):
        pen.write(pod, running(ready=True, since=1))
    stage.ready()
    pen.write(second, waiting("Frobnicating", "the runtime frobnicates"))
    stage.record(
        "23-partly-ready",
        "one of two waits for something that is in no table",
        Phase.DEGRADED,
        "PartlyReady",
    )


def a_pod_is_evicted(stage: Stage) -> None:
    pen, pod = healthy(stage)
    words = "The node was low on resource: ephemeral-storage. "
    pen.end(pod, reason="Evicted", message=words)
    fresh = newest_bound(stage, beside=pod)
    pen.write(fresh, running(since=1))
    stage.record(
        "16-evicted-and-the-next-one-loads",
        "evicted, and the pod in its place loads",
        Phase.DEGRADED,
        "Evicted",
    )
    pen.write(fresh, running(ready=True, since=2))
    stage.reachable()
    stage.record(
        "16-evicted-lately-and-replaced-is-a-note",
        "evicted, and the pod in its place is ready",
        Phase.READY,
        "Available",
    )
    stage.later(
        "16-evicted-and-replaced",
        "16-evicted-lately-and-replaced-is-a-note",
        "evicted long ago",
        seconds=HALF_AN_HOUR,
        phase=Phase.READY,
        reason="Available",
    )


def a_pod_is_evicted_before_it_was_ready(stage: Stage) -> None:
    pen, pod = launched(stage)
    pen.end(pod, reason="Evicted", message="The node was low on resource: memory. ")
    pen.write(newest_bound(stage, beside=pod), running(since=1))
    stage.record(
        "16-evicted-before-it-was-ever-full",
        "evicted while it loaded for the first time",
        Phase.DEPLOYING,
        "Evicted",
    )


SCENES = tuple(
    Scene(play=play)
    for play in (
        memory_runs_out_with_exit_code_zero,
        an_engine_crashes_and_heals,
        one_of_two_crashes,
        a_slow_engine_is_killed_twice,
        a_crash_beside_a_failing_probe,
        an_engine_stops_answering,
        an_engine_ends_by_itself,
        a_state_that_nobody_knows,
        one_of_two_is_in_a_state_that_nobody_knows,
        a_pod_is_evicted,
        a_pod_is_evicted_before_it_was_ready,
    )
)
