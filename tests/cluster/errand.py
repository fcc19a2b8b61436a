"""One errand through everything that Slipway does on a cluster, and all that it says on the way.

With all rights it says nothing of rights; without one, some sentence has to name it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from providers.contract.errors import ProviderError
from providers.contract.manifest import Manifest
from providers.contract.observing import LogQuery
from providers.contract.protocols import SharedReads
from providers.contract.status import Status
from providers.kube.clock import deadline_in
from providers.kube.door import door
from providers.kubernetes.provider import provider
from providers.testing.samples import spec_with
from tests.cluster.harness.api import Api, namespaced
from tests.cluster.launching import PATIENCE_SECONDS, SECONDS, Launch, delete_launch, preflight
from tests.cluster.looks import container_of
from tests.cluster.waiting import wait_for

SCALING = {"min_replicas": 1, "max_replicas": 2, "enable_auto_scaling": True}
# Its containers run and are never ready, so that their log is there and their node looked at.
SPEC: Manifest = spec_with(
    engine={"env": {"SLIPWAY_SIMULATE": "never-ready"}},
    model_source={
        "type": "huggingface",
        "uri": "Qwen/Qwen3-0.6B",
        "auth_secret_ref": {"name": "hf", "key": "token"},
        "cache": {"claim": "models", "mount_path": "/models"},
    },
)
ACCOUNT = "runner"
VOLUMES = "/api/v1/persistentvolumes"
_MODES = ["ReadWriteOnce"]


def furnish(api: Api, namespace: str) -> None:
    """Put into the namespace what the errand's template names, and a volume for the claim."""
    room = {"storage": "1Gi"}
    volume = {"capacity": room, "accessModes": _MODES, "hostPath": {"path": "/models"}}
    api.create(VOLUMES, {"metadata": {"name": namespace}, "spec": volume})
    claim = {
        "accessModes": _MODES,
        "resources": {"requests": room},
        "storageClassName": "",
        "volumeName": namespace,
    }
    named: dict[str, Manifest] = {
        "secrets": {"metadata": {"name": "hf"}, "stringData": {"token": "x"}},
        "persistentvolumeclaims": {"metadata": {"name": "models"}, "spec": claim},
        "serviceaccounts": {"metadata": {"name": ACCOUNT}},
    }
    for plural, body in named.items():
        api.create(namespaced(namespace, plural), body)


@dataclass(kw_only=True)
class Errand:
    """The launch that is carried through; `told` grows with every sentence about a difficulty."""

    launch: Launch
    told: list[str] = field(default_factory=list)

    def run(self) -> None:
        """Go through it all; a step that fails is told, and the next one is tried."""
        launch = self.launch
        self._try(lambda: door.probe(launch.target, deadline=deadline_in(SECONDS)))
        self._try(self._preflight)
        self._try(launch.create)
        self._wait_for_pods()
        self._try(lambda: self._hear(launch.get().status))
        self._try(self._look)
        self._try(self._list)
        self._try(lambda: launch.update(launch.rescaled(min_replicas=1)))
        self._try(self._measure)
        self._try(lambda: delete_launch(launch))

    def _try(self, step: Callable[[], object]) -> None:
        try:
            step()
        except ProviderError as error:
            self.told.append(error.message)

    def _preflight(self) -> None:
        self.told += [check.message for check in preflight(self.launch)]

    def _look(self) -> None:
        ref, target = self.launch.ref, self.launch.target
        found = provider.resources(ref, target, deadline=deadline_in(SECONDS))
        said = provider.events(ref, target, deadline=deadline_in(SECONDS))
        log = provider.logs(ref, target, LogQuery(), deadline=deadline_in(SECONDS))
        self.told += [*found.unreadable.values(), said.unreadable, log.note]

    def _measure(self) -> None:
        """Let the pods become ready, since no other engine is asked."""
        launch = self.launch
        launch.update(launch.with_env())
        wait_for(
            lambda: launch.api.get(launch.deployment_path)["status"].get("readyReplicas"),
            PATIENCE_SECONDS,
            "a ready pod",
        )
        found = provider.metrics(
            launch.ref, launch.target, launch.request.spec.engine, deadline=deadline_in(SECONDS)
        )
        self.told += [
            found.use_trouble,
            found.engine_trouble,
            *(each.trouble for each in found.engine),
        ]

    def _list(self) -> None:
        shared = self._read_shared()
        self.told += [*shared.unreadable.values(), shared.capacity.unknown_because]
        listing = provider.list(
            self.launch.target, [self.launch.ref], shared, deadline=deadline_in(SECONDS)
        )
        for seen in listing.observations.values():
            self._hear(seen.status)

    def _read_shared(self) -> SharedReads:
        target = self.launch.target
        return door.read_shared(
            target, with_events_of=target.namespaces, deadline=deadline_in(SECONDS)
        )

    def _hear(self, status: Status) -> None:
        self.told += [status.message, *_sentences(status)]

    def _wait_for_pods(self) -> None:
        if self.launch.applied is None:
            return
        path = namespaced(self.launch.request.namespace, "pods")

        def running() -> bool:
            pods = self.launch.api.get(path)["items"]
            return any("running" in (container_of(pod).get("state") or {}) for pod in pods)

        wait_for(running, PATIENCE_SECONDS, "a container runs")


def as_account(launch: Launch, kubeconfig: str) -> Launch:
    """Return the launch made with another credential, and under the namespace's own account."""
    connection = replace(launch.target.connection, kubeconfig=kubeconfig)
    target = replace(launch.target, key=kubeconfig, connection=connection, service_account=ACCOUNT)
    return replace(launch, target=target)


def _sentences(status: Status) -> Iterator[str]:
    for seen in (*status.evidence, *status.notes):
        yield seen.message
