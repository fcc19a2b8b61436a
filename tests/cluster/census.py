"""Every number of replicas that a Deployment ever had, and every number of its ready pods.

Told by two watches, which miss nothing that was ever stored; the number of replicas is sampled too,
by a thread of its own, as anybody could look.
"""

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from providers.contract.manifest import Manifest
from tests.cluster.following import Following
from tests.cluster.harness.api import Api, namespaced
from tests.cluster.launching import Launch, is_ready
from tests.cluster.waiting import wait_for

PAUSE_SECONDS = 0.02
LONGEST_SECONDS = 90.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """Where a deployment's objects stand: `name` is that of its Deployment, `id` its own."""

    api: Api
    namespace: str
    name: str
    id: str

    @property
    def deployment_path(self) -> str:
        return namespaced(self.namespace, "deployments", self.name, api="apis/apps/v1")


def place_of(launch: Launch) -> Place:
    """Return where a launch of a test stands."""
    request = launch.request
    return Place(
        api=launch.api, namespace=request.namespace, name=request.runtime_name, id=request.id
    )


@dataclass(kw_only=True)
class Census:
    """Counts while it is entered; `wanted` and `ready` are what was stored, in order.

    `live` are pods that are not about to go, `samples` numbers of replicas as looked up, `names`
    all pods that were ever there.
    """

    place: Place
    wanted: list[int] = field(default_factory=list)
    ready: list[int] = field(default_factory=list)
    live: list[int] = field(default_factory=list)
    samples: list[int] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    seconds: float = 0.0
    _ready: set[str] = field(default_factory=set)
    _live: set[str] = field(default_factory=set)
    _followed: Sequence[Following] = ()
    _stop: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        deployments, pods = self._followed = self._following()
        self.wanted += [item["spec"]["replicas"] for item in deployments.begin()]
        for item in pods.begin():
            self._know(item, is_there=True)
        self._count()
        self.seconds = -time.monotonic()
        self._thread = threading.Thread(target=self._sample)
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop.set()
        if self._thread:
            self._thread.join()
        self.seconds += time.monotonic()
        for followed in self._followed:
            followed.end()

    @property
    def steps(self) -> tuple[int, ...]:
        """Return the numbers of replicas that were stored, each where it changed."""
        before = (None, *self.wanted)
        return tuple(now for last, now in zip(before, self.wanted, strict=False) if now != last)

    @property
    def samples_a_second(self) -> float:
        return len(self.samples) / self.seconds

    @property
    def fewest_wanted(self) -> int:
        return min(*self.wanted, *self.samples)

    @property
    def fewest_ready(self) -> int:
        return min(self.ready)

    def linger(self, samples: int = 15) -> None:
        """Look that many times more at what comes after a change."""
        enough = len(self.samples) + samples
        wait_for(lambda: len(self.samples) >= enough, LONGEST_SECONDS, "more samples")

    def _sample(self) -> None:
        path = f"{self.place.deployment_path}/scale"
        while not self._stop.wait(PAUSE_SECONDS):
            self.samples.append(self.place.api.get(path)["spec"].get("replicas", 0))

    def _following(self) -> tuple[Following, Following]:
        place, api = self.place, self.place.api
        return (
            Following(
                api=api,
                path=namespaced(place.namespace, "deployments", api="apis/apps/v1"),
                selector={"fieldSelector": f"metadata.name={place.name}"},
                take=self._take_deployment,
            ),
            Following(
                api=api,
                path=namespaced(place.namespace, "pods"),
                selector={"labelSelector": f"slipway.dev/id={place.id}"},
                take=self._take_pod,
            ),
        )

    def _take_deployment(self, kind: str, item: Manifest) -> None:
        del kind
        self.wanted.append(item["spec"]["replicas"])

    def _take_pod(self, kind: str, item: Manifest) -> None:
        self._know(item, is_there=kind != "DELETED")
        self._count()

    def _know(self, item: Manifest, *, is_there: bool) -> None:
        name = item["metadata"]["name"]
        self.names.add(name)
        is_live = is_there and not item["metadata"].get("deletionTimestamp")
        for known, belongs in ((self._live, is_live), (self._ready, is_there and is_ready(item))):
            (known.add if belongs else known.discard)(name)

    def _count(self) -> None:
        self.ready.append(len(self._ready))
        self.live.append(len(self._live))
