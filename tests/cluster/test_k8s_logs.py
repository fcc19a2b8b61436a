"""Logs of a deployment on a real control plane, and the verdict that they explain."""

import pytest

from providers.contract.observing import LogQuery
from providers.kube.clock import deadline_in
from providers.kube.door import door
from providers.kubernetes.provider import provider
from providers.observing.log_causes import forget_causes
from providers.testing.samples import spec_with
from tests.cluster.cast import engine, launch_pod, pod_spec
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.launching import launch_in, target_for
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
        30,
        "a cause in the verdict",
    )

    assert (seen.reason, seen.evidence[1].reason) == ("CrashLoop", "KvCacheTooSmall")
    target = target_for(control_plane, namespace)
    shared = door.read_shared(target, with_events_of=(namespace,), deadline=deadline_in(9))
    listing = provider.list(target, [launch.ref], shared, deadline=deadline_in(9))
    assert TOLD in listing.observations[launch.request.id].status.message


def test_the_run_before_is_read_and_a_pod_without_our_label_does_not_exist(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch_pod(control_plane.api, namespace, pod_spec(engine()))
    launch = launch_in(
        control_plane, namespace, spec=spec_with(engine={"env": {"SLIPWAY_SIMULATE": "crash"}})
    )
    launch.create()
    wait_for(lambda: launch.get().status.reason == "CrashLoop", 30, "a crash loop")

    before = provider.logs(
        launch.ref, launch.target, LogQuery(previous=True), deadline=deadline_in(5)
    )
    foreign = provider.logs(
        launch.ref, launch.target, LogQuery(pod="engine"), deadline=deadline_in(5)
    )

    assert before.lines[-1].text.startswith("RuntimeError: Engine core initialization failed")
    assert (foreign.is_absent, foreign.lines) == (True, ())


def test_a_container_whose_image_is_missing_says_that_it_has_not_started(
    control_plane: ControlPlane, namespace: str
) -> None:
    words = {"env": {"SLIPWAY_SIMULATE": "image-not-found"}}
    launch = launch_in(control_plane, namespace, spec=spec_with(engine=words))
    launch.create()
    wait_for(lambda: launch.get().status.reason == "ImageNotFound", 30, "a missing image")

    log = provider.logs(launch.ref, launch.target, LogQuery(), deadline=deadline_in(5))

    assert "has not started yet: " in log.note
    assert "image" in log.note
