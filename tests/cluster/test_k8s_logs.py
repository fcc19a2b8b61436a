"""Logs of a deployment on a real control plane, and the verdict that they explain."""

import pytest

from providers.contract.observing import Log, LogQuery
from providers.contract.status import Status
from providers.kube.clock import deadline_in
from providers.kube.door import door
from providers.kubernetes.provider import provider
from providers.observing.log_causes import forget_causes
from providers.testing.samples import spec_with
from tests.cluster.cast import engine, launch_pod, pod_spec
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.launching import PATIENCE_SECONDS, SECONDS, Launch, launch_in
from tests.cluster.waiting import wait_for

pytestmark = pytest.mark.usefixtures("cluster_nodes")

TOLD = "the KV cache is too small for max_model_len (lower engine_args.max_model_len"


def test_a_live_read_and_a_pass_tell_why_an_engine_keeps_ending(
    control_plane: ControlPlane, namespace: str
) -> None:
    forget_causes()
    launch = launch_in(
        control_plane, namespace, spec=spec_with(engine={"env": {"SLIPWAY_SIMULATE": "crash"}})
    )
    launch.create()

    seen = wait_for(
        lambda: status if TOLD in (status := launch.get().status).message else None,
        PATIENCE_SECONDS,
        "a cause in the verdict",
    )

    assert (seen.reason, seen.evidence[1].reason) == ("CrashLoop", "KvCacheTooSmall")
    wait_for(
        lambda: TOLD in listed(launch, namespace).message,
        PATIENCE_SECONDS,
        "a cause in the verdict of a pass",
    )


def listed(launch: Launch, namespace: str) -> Status:
    target, refs = launch.target, [launch.ref]
    shared = door.read_shared(target, with_events_of=(namespace,), deadline=deadline_in(SECONDS))
    listing = provider.list(target, refs, shared, deadline=deadline_in(SECONDS))
    return listing.observations[launch.request.id].status


def test_the_run_before_is_read_and_a_pod_without_our_label_does_not_exist(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch_pod(control_plane.api, namespace, pod_spec(engine()))
    launch = launch_in(
        control_plane, namespace, spec=spec_with(engine={"env": {"SLIPWAY_SIMULATE": "crash"}})
    )
    launch.create()
    wait_for(lambda: launch.get().status.reason == "CrashLoop", PATIENCE_SECONDS, "a loop")

    before = wait_for(
        lambda: log if (log := log_of(launch, LogQuery(previous=True))).lines else None,
        PATIENCE_SECONDS,
        "the log of a run that has ended",
    )
    foreign = log_of(launch, LogQuery(pod="engine"))

    assert before.lines[-1].text.startswith("RuntimeError: Engine core initialization failed")
    assert (foreign.is_absent, foreign.lines) == (True, ())


def test_a_container_whose_image_is_missing_says_that_it_has_not_started(
    control_plane: ControlPlane, namespace: str
) -> None:
    words = {"env": {"SLIPWAY_SIMULATE": "image-not-found"}}
    launch = launch_in(control_plane, namespace, spec=spec_with(engine=words))
    launch.create()
    wait_for(
        lambda: launch.get().status.reason == "ImageNotFound", PATIENCE_SECONDS, "a missing image"
    )

    log = log_of(launch, LogQuery())

    assert "has not started yet: " in log.note
    assert "image" in log.note


def log_of(launch: Launch, query: LogQuery) -> Log:
    return provider.logs(launch.ref, launch.target, query, deadline=deadline_in(SECONDS))
