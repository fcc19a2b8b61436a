"""One InferenceService of a test on a real control plane: what Slipway and others do to it."""

from dataclasses import replace

import pytest

from providers.contract.checks import Check
from providers.contract.drifting import DriftedField
from providers.contract.manifest import Manifest
from providers.contract.protocols import Applied
from providers.contract.request import DeployRequest
from providers.contract.status import Phase, Status
from providers.kserve import seeding
from providers.kserve.provider import provider
from providers.kube.clock import deadline_in
from providers.testing.samples import make_request, ref_of, rescaled
from tests.cluster.harness.api import namespaced
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.launching import target_for
from tests.cluster.waiting import wait_for

SECONDS = 90.0
KSERVE, APPS = "apis/serving.kserve.io/v1beta1", "apis/apps/v1"
SCALING = "apis/autoscaling/v2"
STOP = "serving.kserve.io/stop"


def wait_for_the_first_replicas(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a busy machine, on which the controller acts late, not leave them to the autoscaler."""
    monkeypatch.setattr(seeding, "WAIT_SECONDS", 50.0)


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
        return self._made("deployments", APPS)

    def strategy(self) -> Manifest:
        found: Manifest = self.deployment()["spec"]["strategy"]
        return found

    def autoscaler(self) -> Manifest:
        return self._made("horizontalpodautoscalers", SCALING)

    def _made(self, plural: str, api: str) -> Manifest:
        """Return what the controller has made of it."""
        return self.plane.api.get(namespaced(self.namespace, plural, self.predictor, api=api))

    @property
    def path(self) -> str:
        return namespaced(
            self.namespace, "inferenceservices", self.request.runtime_name, api=KSERVE
        )

    @property
    def predictor(self) -> str:
        return f"{self.request.runtime_name}-predictor"

    def order(self, word: str | None) -> None:
        """Tell the controller to stop or not, past Slipway."""
        self.meddle({"metadata": {"annotations": {STOP: word}}})

    def meddle(self, told: Manifest) -> None:
        """Change it as somebody with kubectl would."""
        self.plane.api.merge(self.path, told, fieldManager="kubectl-edit")

    def drifted(self) -> tuple[DriftedField, ...]:
        ref, until = ref_of(self.request, self.applied), deadline_in(60)
        return provider.drift(self.manifests, ref, self.target, deadline=until).fields

    def put_back(self) -> None:
        seen = {field.fingerprint for field in self.drifted()}
        ref, until = ref_of(self.request, self.applied), deadline_in(60)
        provider.put_back(self.manifests, ref, self.target, seen=seen, deadline=until)

    def noted(self) -> str:
        return "; ".join(note.message for note in self.status().notes)

    def checked(self, request: DeployRequest) -> dict[str, Check]:
        """Return the last of each code that a preflight tells."""
        until = deadline_in(60)
        checks = provider.preflight(request, self.target, capacity=None, deadline=until)
        return {check.code: check for check in checks}

    @property
    def manifests(self) -> tuple[Manifest, ...]:
        return provider.render(self.request, self.target)

    def beside(self, plural: str, api: str, name: str, spec: Manifest) -> None:
        body = {"metadata": {"name": name}, "spec": spec}
        self.plane.api.create(namespaced(self.namespace, plural, api=api), body)

    def with_variable(self, value: str) -> None:
        engine = self.request.spec.engine.model_copy(update={"env": {"VALUE": value}})
        spec = self.request.spec.model_copy(update={"engine": engine})
        self.change(replace(self.request, spec=spec, revision=self.request.revision + 1))
