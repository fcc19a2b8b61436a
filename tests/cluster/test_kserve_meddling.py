"""What others do to an InferenceService and beside it: told, taken back, and theirs left alone."""

from dataclasses import replace

import pytest

from providers.contract.checks import Result
from providers.contract.manifest import Manifest
from providers.contract.status import Phase
from providers.kserve import seeding
from providers.testing.samples import rescaled
from tests.cluster.harness.api import namespaced
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.inference_services import (
    APPS,
    SCALING,
    SECONDS,
    STOP,
    Cast,
    wait_for_the_first_replicas,
)
from tests.cluster.waiting import wait_for

THEIRS = {"app": "theirs"}


@pytest.fixture
def cast(
    foreign_plane: ControlPlane, foreign_namespace: str, monkeypatch: pytest.MonkeyPatch
) -> Cast:
    wait_for_the_first_replicas(monkeypatch)
    return Cast(foreign_plane, foreign_namespace)


def pod_of_theirs() -> Manifest:
    container = {"name": "theirs", "image": "registry.example/theirs:1"}
    return {"metadata": {"labels": THEIRS}, "spec": {"containers": [container]}}


@pytest.mark.parametrize("word", ["true", "True"])
def test_a_stop_by_hand_is_told_and_a_start_ends_it(cast: Cast, word: str) -> None:
    cast.launch(min_replicas=1)
    cast.until(Phase.READY, 1)
    cast.order(word)
    cast.until(Phase.STOPPED, 0)
    assert "stopped by somebody else's hand" in cast.noted()
    [field] = cast.drifted()
    assert (field.path, field.ours, field.theirs) == (
        f"metadata.annotations[{STOP}]",
        "false",
        word,
    )
    cast.rescale(min_replicas=2)
    cast.until(Phase.READY, 2)
    assert cast.drifted() == ()
    assert cast.noted() == ""


def test_a_start_by_hand_is_told_and_a_stop_can_be_put_back(cast: Cast) -> None:
    cast.launch(min_replicas=0)
    cast.until(Phase.STOPPED, 0)
    cast.order(None)
    wait_for(cast.pods, SECONDS, "it runs")
    [field] = cast.drifted()
    assert (field.ours, field.theirs) == ("true", "")
    cast.put_back()
    cast.until(Phase.STOPPED, 0)


@pytest.mark.parametrize(
    "told",
    [
        {"metadata": {"annotations": {STOP: None}}},
        {"spec": {"predictor": {"annotations": {"slipway.dev/pod-digest": "theirs"}}}},
    ],
)
def test_what_is_copied_to_pods_is_told_to_replace_them_and_does(
    cast: Cast, told: Manifest
) -> None:
    cast.launch(min_replicas=1)
    cast.until(Phase.READY, 1)
    begun = cast.pods()
    cast.meddle(told)
    wait_for(lambda: cast.pods() and not cast.pods() & begun, SECONDS, "pods of their words")
    cast.until(Phase.READY, 1)
    [field] = cast.drifted()
    assert field.restarts
    meddled = cast.pods()
    cast.put_back()
    wait_for(lambda: cast.pods() and not cast.pods() & meddled, SECONDS, "pods of ours")
    cast.until(Phase.READY, 1)


def test_a_deployment_of_its_name_that_is_somebody_elses_is_left_as_it_is(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = {"replicas": 1, "selector": {"matchLabels": THEIRS}, "template": pod_of_theirs()}
    cast.beside("deployments", APPS, cast.predictor, spec)
    # For one of its own it waits in vain.
    monkeypatch.setattr(seeding, "WAIT_SECONDS", 1.0)
    cast.launch(min_replicas=3)
    cast.until(Phase.FAILED, 0)
    status = cast.status()
    assert status.reason == "ReconcileFailed"
    assert "field is immutable" in status.message
    found = cast.deployment()
    assert (found["spec"]["replicas"], "ownerReferences" in found["metadata"]) == (1, False)


def test_a_service_of_its_name_that_is_somebody_elses_is_taken_over(cast: Cast) -> None:
    spec = {"ports": [{"port": 9000}], "selector": THEIRS}
    cast.beside("services", "api/v1", cast.predictor, spec)
    cast.launch(min_replicas=1)
    cast.until(Phase.READY, 1)
    found = cast.plane.api.get(namespaced(cast.namespace, "services", cast.predictor))
    assert found["spec"]["selector"] == {"app": f"isvc.{cast.predictor}"}
    assert [port["port"] for port in found["spec"]["ports"]] == [80]
    [owner] = found["metadata"]["ownerReferences"]
    assert owner["kind"] == "InferenceService"


def test_a_second_autoscaler_is_told_until_it_is_gone(cast: Cast) -> None:
    cast.launch(min_replicas=1, max_replicas=3, enable_auto_scaling=True)
    cast.until(Phase.READY, 1)
    target = {"apiVersion": "apps/v1", "kind": "Deployment", "name": cast.predictor}
    theirs = {"scaleTargetRef": target, "minReplicas": 1, "maxReplicas": 2}
    cast.beside("horizontalpodautoscalers", SCALING, "theirs", theirs)
    cast.until(Phase.DEGRADED, 1)
    assert cast.status().reason == "AutoscalerConflict"
    warning = cast.checked(cast.request)["AutoscalerConflict"]
    assert warning.result is Result.WARN
    assert f"theirs acts on Deployment {cast.predictor} already, beside" in warning.message
    path = namespaced(cast.namespace, "horizontalpodautoscalers", "theirs", api=SCALING)
    cast.plane.api.delete(path)
    cast.until(Phase.READY, 1)


def test_a_rollback_over_the_autoscaler_leaves_nothing_of_it(cast: Cast) -> None:
    cast.launch(min_replicas=2)
    cast.until(Phase.READY, 2)
    fixed, before = cast.request, cast.pods()
    cast.rescale(min_replicas=1, max_replicas=4, enable_auto_scaling=True)
    cast.until_bounded(1, 4)
    cast.with_variable("1")
    wait_for(lambda: not cast.pods() & before, SECONDS, "other pods")

    cast.change(replace(fixed, revision=4))
    cast.until_bounded(2, 2)
    cast.until(Phase.READY, 2)
    left = cast.plane.api.get(cast.path)["spec"]["predictor"]
    assert not left.keys() & {"scaleMetric", "scaleTarget"}
    assert cast.drifted() == ()


def test_a_start_of_an_autoscaled_one_begins_where_it_was_stopped(cast: Cast) -> None:
    cast.launch(min_replicas=1, max_replicas=4, enable_auto_scaling=True)
    cast.until(Phase.READY, 1)
    scaled = cast.request
    cast.rescale(min_replicas=0)
    cast.until(Phase.STOPPED, 0)
    cast.change(replace(scaled, revision=3, resume_at=3))
    assert cast.deployment()["spec"]["replicas"] == 3
    cast.until(Phase.READY, 3)


def test_more_replicas_amid_a_rollout_are_all_of_the_new_revision(cast: Cast) -> None:
    cast.launch(min_replicas=2)
    cast.until(Phase.READY, 2)
    before = cast.pods()
    cast.with_variable("1")
    cast.change(rescaled(cast.request, min_replicas=4))
    wait_for(lambda: not cast.pods() & before, SECONDS, "other pods")
    cast.until(Phase.READY, 4)
