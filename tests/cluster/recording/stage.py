"""One scene's own corner of the control plane: a namespace, nodes, one deployment, and looks at it.

The deployment is launched and remembered as the core does it; strangers go past it through `api`.
"""

import json
import uuid
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from time import sleep

from providers.contract.errors import ProviderError
from providers.contract.manifest import Manifest
from providers.contract.request import (
    ApplyResult,
    DeploymentRef,
    DeployRequest,
    Intent,
    Rollout,
)
from providers.contract.status import Phase, Status
from providers.contract.target import AcceleratorMapping, ClusterTarget, Connection
from providers.kube.clock import deadline_in
from providers.kubernetes.provider import provider
from providers.testing.samples import make_request, make_target, ref_of, spec_with
from tests.cluster.harness.api import namespaced
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.launching import Launch
from tests.cluster.recording.book import Book
from tests.cluster.recording.documents import Look
from tests.cluster.recording.door import ListeningDoor
from tests.cluster.waiting import wait_for

ID, NAME = "7b1f0c52-8f0a-4c7e-9d61-2f6a3c9e5b10", "qwen3-8b"
LOOK_EVERY_SECONDS = 0.2
OWN = {"accelerator": {"type": "OWN", "count": 1}}


@dataclass(kw_only=True)
class Stage:
    """`launch` is the deployment; `intent`, `applied_at` and so on are what the core remembers."""

    plane: ControlPlane
    door: ListeningDoor
    kubeconfig: Path
    namespace: str
    book: Book
    after: ExitStack
    changes: Mapping[str, object] = field(default_factory=dict)
    intent: Intent = Intent.RUNNING
    intent_since: datetime = field(default_factory=lambda: datetime.now(UTC))
    last_status: Status | None = None
    last_apply: ApplyResult = field(default_factory=ApplyResult)
    once_full: bool = False
    applied_revision: int = 0
    _launch: Launch | None = None

    @property
    def launch(self) -> Launch:
        """The deployment, once there is one."""
        assert self._launch is not None
        return self._launch

    def path(self, plural: str, name: str = "", api: str = "api/v1") -> str:
        """Return the path of an object that goes by the deployment's name, or by another."""
        return namespaced(self.namespace, plural, name or self.launch.request.runtime_name, api=api)

    @property
    def target(self) -> ClusterTarget:
        """Where the deployment goes."""
        pool = {"pool": self.namespace}
        own = {"key": "pool", "operator": "Equal", "value": self.namespace, "effect": "NoSchedule"}
        mapping = AcceleratorMapping(node_selector=pool, tolerations=(own,))
        target = make_target(
            key=str(self.kubeconfig),
            connection=Connection(kubeconfig=str(self.kubeconfig)),
            default_namespace=self.namespace,
            namespaces=(self.namespace,),
            accelerators={"OWN": mapping},
        )
        return replace(target, **self.changes)  # type: ignore[arg-type]

    def prepare(
        self,
        *,
        overrides: Mapping[str, object] | None = None,
        rollout: Rollout = Rollout.SURGE,
        word: str = "",
        budget: int = 60,
        **spec: object,
    ) -> Launch:
        """Resolve a launch; `word` is what its pods simulate, `budget` how long they may load."""
        env = {"SLIPWAY_SIMULATE": word} if word else {}
        engine = {"ready_timeout_seconds": budget, "env": env}
        request = make_request(
            provider,
            name=NAME,
            namespace=self.namespace,
            spec=spec_with(engine=engine, **spec),
            overrides=overrides,
            deployment_id=ID,
        )
        request = replace(request, rollout=rollout, serving_name=NAME)
        self._launch = Launch(target=self.target, request=request, api=self.plane.api)
        return self._launch

    def create(self, **given: object) -> None:
        """Launch as `prepare` says; a refusal is remembered."""
        self.prepare(**given)  # type: ignore[arg-type]
        self._write(self.launch.create)

    def update(self, request: DeployRequest) -> None:
        """Apply the next revision; a refusal is remembered."""
        is_scaling = request.spec == self.launch.request.spec
        self.launch.request = request
        self._write(lambda: self.launch.update(request))
        self.once_full = self.once_full and is_scaling

    def _write(self, write: Callable[[], object]) -> None:
        now = datetime.now(UTC)
        try:
            write()
        except ProviderError as error:
            self.last_apply = ApplyResult(code=error.code, message=error.message, at=now)
            return
        self.applied_revision = self.launch.request.revision
        self.last_apply = ApplyResult(at=now)

    def ask_for(self, intent: Intent) -> None:
        """Remember what a person wants from now on."""
        self.intent, self.intent_since = intent, datetime.now(UTC)

    @property
    def known(self) -> DeploymentRef:
        """What the core remembers now."""
        ref = ref_of(self.launch.request, self.launch.applied, intent=self.intent)
        return replace(
            ref,
            intent_since=self.intent_since,
            applied_revision=self.applied_revision,
            once_full=self.once_full,
            last_status=self.last_status,
            last_apply=self.last_apply,
        )

    def look(self) -> Look:
        """Look once, as a request for one deployment does, and remember what came out."""
        known = self.known
        self.door.begin()
        status = provider.get(known, self.launch.target, deadline=deadline_in(10)).status
        self.last_status, self.once_full = status, status.once_full
        return Look(known=known, objects=self._ours(), status=status)

    def _ours(self) -> tuple[Manifest, ...]:
        """Return what was told, without what only tells which cluster it is."""
        return tuple(
            item
            for item in self.door.heard()
            if item["kind"] != "Namespace" or item["metadata"]["name"] == self.namespace
        )

    def record(
        self,
        name: str,
        seen: str,
        phase: Phase,
        reason: str,
        *,
        within: float = 60.0,
        shows: str = "",
    ) -> Look:
        """Look until this comes out of pods that have the word `shows`; write that down."""

        def is_good(look: Look) -> bool:
            pods = [item for item in look.objects if item["kind"] == "Pod"]
            return shows in json.dumps(pods) and self.book.comes_out(look, self.namespace)

        look = self.until(phase, reason, within=within, what=name, is_good=is_good)
        self.book.keep(name, look, seen=seen, namespace=self.namespace)
        return look

    def until(
        self,
        phase: Phase,
        reason: str,
        *,
        within: float = 60.0,
        what: str = "",
        is_good: Callable[[Look], bool] = lambda _: True,
    ) -> Look:
        """Look until this comes out."""
        last: list[str] = []

        def found() -> Look | None:
            look = self.look()
            status = look.status
            last[:] = [f"{status.phase.value} {status.reason}: {status.message}"]
            return (
                look if (status.phase, status.reason) == (phase, reason) and is_good(look) else None
            )

        try:
            return wait_for(found, within, what, every=LOOK_EVERY_SECONDS)
        except AssertionError as error:
            raise AssertionError(f"{what}: never {phase.value} {reason}, but {last}") from error

    def ready(self) -> Look:
        """Wait until the deployment is ready and its replicas can be reached."""
        return self.until(Phase.READY, "Available", what="ready")

    def reachable(self) -> None:
        """Wait until the Service leads to as many ready pods as there are."""
        path = namespaced(self.namespace, "endpointslices", api="apis/discovery.k8s.io/v1")

        def follows() -> bool:
            slices = self.plane.api.get(path)["items"]
            found = [each for item in slices for each in item.get("endpoints") or ()]
            return bool(found) and all(each["conditions"]["ready"] for each in found)

        wait_for(follows, 20.0, "endpoints that are ready")

    def later(
        self, name: str, of: str, seen: str, *, seconds: int, phase: Phase, reason: str
    ) -> None:
        """Write down what comes of the objects of another case so many seconds later."""
        self.book.keep_later(name, of, seen=seen, seconds=seconds, wanted=(phase, reason))

    def pods(self) -> list[Manifest]:
        """Return the deployment's pods that are not ending, oldest first."""
        listed = self.plane.api.get(
            namespaced(self.namespace, "pods"), labelSelector=f"slipway.dev/id={ID}"
        )["items"]
        alive = [pod for pod in listed if not pod["metadata"].get("deletionTimestamp")]
        return sorted(alive, key=lambda pod: str(pod["metadata"]["creationTimestamp"]))

    def patch(self, plural: str, body: Manifest, *, api: str = "api/v1", name: str = "") -> None:
        """Change an object as a stranger does."""
        self.plane.api.merge(self.path(plural, name, api), body, fieldManager="stranger")

    def patch_template(self, **spec: object) -> None:
        """Change the pod template of the Deployment as a stranger does."""
        self.patch("deployments", {"spec": {"template": {"spec": spec}}}, api="apis/apps/v1")

    def pods_template(self) -> Manifest:
        """Return what the Deployment says of its pods."""
        found = self.plane.api.get(self.path("deployments", api="apis/apps/v1"))
        spec: Manifest = found["spec"]["template"]["spec"]
        return spec

    def make(self, plural: str, body: Manifest, *, api: str = "api/v1") -> Manifest:
        """Create an object in the namespace."""
        return self.plane.api.create(namespaced(self.namespace, plural, api=api), body)

    def pass_by(self, seconds: float) -> None:
        """Let time pass on a cluster whose clock cannot be moved."""
        sleep(seconds)


def fresh_namespace(plane: ControlPlane) -> str:
    """Make a namespace for one scene."""
    name = f"scene-{uuid.uuid4().hex[:8]}"
    plane.api.create("/api/v1/namespaces", {"metadata": {"name": name}})
    return name
