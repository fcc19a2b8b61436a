"""An InferenceService on a real control plane: begun, scaled, stopped, changed by others."""

import pytest

from providers.contract.manifest import Manifest
from providers.contract.protocols import Applied
from providers.contract.request import DeployRequest
from providers.contract.status import Phase, Status
from providers.kserve import seeding
from providers.kserve.provider import provider
from providers.kube.apply import SCALE_MANAGER
from providers.kube.clock import deadline_in
from providers.testing.samples import make_request, ref_of, rescaled
from tests.cluster.harness.api import namespaced
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.launching import target_for
from tests.cluster.waiting import wait_for

SECONDS = 90.0
KSERVE = "apis/serving.kserve.io/v1beta1"


class Cast:
    """One deployment of a namespace, and what runs of it."""

    def __init__(self, plane: ControlPlane, namespace: str) -> None:
        self.plane, self.namespace = plane, namespace
        self.target = target_for(plane, namespace)
        self.request = make_request(provider, namespace=namespace)
        self.applied: Applied | None = None

    def launch(self, **overrides: object) -> None:
        self.request = rescaled(self.request, **overrides)
        self.applied = provider.create(self.request, self.target, deadline=deadline_in(60))

    def change(self, request: DeployRequest) -> None:
        ref = ref_of(request, self.applied)
        self.request = request
        self.applied = provider.update(request, ref, self.target, deadline=deadline_in(60))

    def rescale(self, **overrides: object) -> None:
        self.change(rescaled(self.request, **overrides))

    def until(self, phase: Phase, ready: int) -> None:
        def is_so() -> bool:
            seen = self.status()
            return (seen.phase, seen.ready_replicas) == (phase, ready)

        wait_for(is_so, SECONDS, f"{phase} with {ready} ready")

    def status(self) -> Status:
        ref = ref_of(self.request, self.applied)
        return provider.get(ref, self.target, deadline=deadline_in(60)).status

    def until_bounded(self, least: int, most: int) -> None:
        """Wait until the controller has given these bounds to the autoscaler."""

        def is_so() -> bool:
            bounds = self.autoscaler()["spec"]
            return (bounds["minReplicas"], bounds["maxReplicas"]) == (least, most)

        wait_for(is_so, SECONDS, f"the autoscaler keeps {least} to {most}")

    def pods(self) -> set[str]:
        """Return the uids of the pods that are not being deleted."""
        found = self.plane.api.get(namespaced(self.namespace, "pods"))["items"]
        return {
            pod["metadata"]["uid"] for pod in found if "deletionTimestamp" not in pod["metadata"]
        }

    def deployment(self) -> Manifest:
        return self._made("deployments", "apis/apps/v1")

    def autoscaler(self) -> Manifest:
        return self._made("horizontalpodautoscalers", "apis/autoscaling/v2")

    def _made(self, plural: str, api: str) -> Manifest:
        """Return what the controller has made of it."""
        name = f"{self.request.runtime_name}-predictor"
        return self.plane.api.get(namespaced(self.namespace, plural, name, api=api))

    @property
    def path(self) -> str:
        return namespaced(
            self.namespace, "inferenceservices", self.request.runtime_name, api=KSERVE
        )


@pytest.fixture
def cast(
    foreign_plane: ControlPlane, foreign_namespace: str, monkeypatch: pytest.MonkeyPatch
) -> Cast:
    # Else a busy machine, on which the controller acts late, leaves it to the autoscaler.
    monkeypatch.setattr(seeding, "WAIT_SECONDS", 50.0)
    return Cast(foreign_plane, foreign_namespace)


def test_it_begins_with_all_its_replicas(cast: Cast) -> None:
    cast.launch(min_replicas=3)
    found = cast.deployment()
    assert found["spec"]["replicas"] == 3
    holders = {entry["manager"]: entry for entry in found["metadata"]["managedFields"]}
    assert holders[SCALE_MANAGER]["subresource"] == "scale"
    cast.until(Phase.READY, 3)


@pytest.mark.parametrize("after", [1, 4])
def test_another_number_replaces_no_pod_that_stays(cast: Cast, after: int) -> None:
    cast.launch(min_replicas=2)
    cast.until(Phase.READY, 2)
    before = cast.pods()

    cast.rescale(min_replicas=after)
    cast.until(Phase.READY, after)

    assert len(cast.pods() & before) == min(2, after)


def test_turning_the_autoscaler_on_and_off_replaces_no_pod(cast: Cast) -> None:
    cast.launch(min_replicas=2)
    cast.until(Phase.READY, 2)
    before = cast.pods()

    cast.rescale(min_replicas=2, max_replicas=4, enable_auto_scaling=True)
    cast.until_bounded(2, 4)
    cast.until(Phase.READY, 2)
    cast.rescale(min_replicas=2)
    cast.until_bounded(2, 2)
    cast.until(Phase.READY, 2)

    assert cast.pods() == before


def test_a_stop_ends_when_the_last_pod_is_gone_and_a_start_begins_whole(cast: Cast) -> None:
    cast.launch(min_replicas=2)
    cast.until(Phase.READY, 2)

    cast.rescale(min_replicas=0)
    cast.until(Phase.STOPPED, 0)
    assert cast.pods() == set()

    cast.rescale(min_replicas=2)
    assert cast.deployment()["spec"]["replicas"] == 2
    cast.until(Phase.READY, 2)


def test_what_others_changed_on_it_is_told_and_put_back(cast: Cast) -> None:
    cast.launch(min_replicas=1)
    cast.until(Phase.READY, 1)
    ref, manifests = ref_of(cast.request, cast.applied), provider.render(cast.request, cast.target)
    stranger = {"spec": {"predictor": {"maxReplicas": 5}}}
    cast.plane.api.merge(cast.path, stranger, fieldManager="kubectl-edit")

    found = provider.drift(manifests, ref, cast.target, deadline=deadline_in(60))
    [field] = found.fields
    assert (field.path, field.ours, field.theirs) == ("spec.predictor.maxReplicas", "1", "5")

    seen = {field.fingerprint}
    provider.put_back(manifests, ref, cast.target, seen=seen, deadline=deadline_in(60))
    assert cast.plane.api.get(cast.path)["spec"]["predictor"]["maxReplicas"] == 1
    assert provider.drift(manifests, ref, cast.target, deadline=deadline_in(60)).fields == ()


def test_bounds_that_others_set_are_taken_over_by_what_overrides_say(cast: Cast) -> None:
    cast.launch(min_replicas=1)
    cast.until(Phase.READY, 1)
    ref, manifests = ref_of(cast.request, cast.applied), provider.render(cast.request, cast.target)
    stranger = {"spec": {"predictor": {"minReplicas": 2, "maxReplicas": 5}}}
    cast.plane.api.merge(cast.path, stranger, fieldManager="kubectl-edit")
    fields = provider.drift(manifests, ref, cast.target, deadline=deadline_in(60)).fields
    overrides = {name: value for one in fields for name, value in one.overrides.items()}

    assert overrides == {"min_replicas": 2, "max_replicas": 5, "enable_auto_scaling": True}
    cast.rescale(**overrides)

    cast.until(Phase.READY, 2)
    ref, manifests = ref_of(cast.request, cast.applied), provider.render(cast.request, cast.target)
    assert provider.drift(manifests, ref, cast.target, deadline=deadline_in(60)).fields == ()
