"""One simulated cluster put together: store, API, controllers and the clock that drives them.

Tests move a virtual clock; the demo lets `run_forever` follow the wall's in a thread.
"""

import random
import threading
from collections.abc import Mapping
from datetime import datetime

from providers.contract.manifest import Manifest
from providers.sandbox.answers import Response
from providers.sandbox.clock import Clock, VirtualClock, WallClock, seconds
from providers.sandbox.controllers.autoscalers import Autoscalers
from providers.sandbox.controllers.cleaning import Garbage, Namespaces, Quotas
from providers.sandbox.controllers.deployments import Deployments
from providers.sandbox.controllers.kubelet import Kubelets
from providers.sandbox.controllers.network import EndpointSlices
from providers.sandbox.controllers.queue import WorkQueue
from providers.sandbox.controllers.replicasets import ReplicaSets
from providers.sandbox.controllers.scheduler import Scheduler
from providers.sandbox.core import Api
from providers.sandbox.desk import Desk
from providers.sandbox.faults import Faults
from providers.sandbox.journal import Journal
from providers.sandbox.kinds import BY_PLURAL
from providers.sandbox.logs import LogReader
from providers.sandbox.store import Change, Store
from providers.simulation.pod_life.pace import Pace

SYSTEM_NAMESPACES = ("default", "kube-system")
_MOST_STEPS = 100_000
_IDLE_SECONDS = 1.0


class Cluster:
    """Answers requests and acts on them. `usage` is what pods use in percent, None unmeasured."""

    def __init__(
        self,
        clock: Clock,
        *,
        seed: int | None = None,
        pace: Pace | None = None,
        usage: int | None = None,
    ) -> None:
        chance = random.Random(seed)  # noqa: S311 - names and addresses, no secrets
        pace = pace or Pace()
        self.clock, self.store = clock, Store()
        self.desk = Desk(self.store, clock, chance)
        self.faults = Faults(chance)
        journal = Journal(self.desk)
        kubelets = Kubelets(self.desk, journal, pace)
        self._queue = WorkQueue(
            clock,
            [
                Garbage(self.desk),
                Namespaces(self.desk),
                Quotas(self.desk),
                Deployments(self.desk, journal),
                ReplicaSets(self.desk, journal),
                Scheduler(self.desk, journal),
                kubelets,
                EndpointSlices(self.desk),
                Autoscalers(self.desk, journal, usage),
            ],
        )
        logs = LogReader(clock=clock, pace=pace, simulations=kubelets.simulations)
        self.api = Api(self.desk, self.faults, logs)
        self.lock = threading.RLock()
        self._changed = threading.Condition(self.lock)
        self.store.listen(self._hear)

    def handle(
        self, method: str, target: str, headers: Mapping[str, str], body: bytes = b""
    ) -> Response:
        """Answer one request."""
        with self.lock:
            return self.api.handle(method, target, headers, body)

    def create(self, plural: str, body: Manifest) -> Manifest:
        """Create an object past the API, unless it is there."""
        metadata = body["metadata"]
        with self.lock:
            there = self.store.get(plural, metadata["name"], metadata.get("namespace") or "")
            return there or self.desk.create(BY_PLURAL[plural], body)

    def run_forever(self, stopping: threading.Event) -> None:
        """Let the controllers work as their time comes, until asked to stop."""
        while not stopping.is_set():
            with self._changed:
                if not self._queue.run_one():
                    self._changed.wait(self._seconds_to_wait())

    def _seconds_to_wait(self) -> float:
        due = self._queue.next_due()
        left = _IDLE_SECONDS if due is None else (due - self.clock.now()).total_seconds()
        return min(max(left, 0.0), _IDLE_SECONDS)

    def _hear(self, change: Change) -> None:
        self._queue.hear(change)
        with self._changed:
            self._changed.notify_all()


class VirtualCluster(Cluster):
    """A cluster whose time is moved by hand; the same seed gives the same names."""

    clock: VirtualClock

    def __init__(self, *, pace: Pace | None = None, usage: int | None = None) -> None:
        super().__init__(VirtualClock(), seed=1, pace=pace, usage=usage)
        add_system_namespaces(self)
        self.settle()

    def settle(self) -> None:
        """Do everything that is due now; raises RuntimeError when that never ends."""
        with self.lock:
            for _ in range(_MOST_STEPS):
                if not self._queue.run_one():
                    return
        raise RuntimeError("the controllers keep one another busy")

    def advance(self, amount: float) -> None:
        """Let so many seconds go by, with everything that happens in them."""
        with self.lock:
            end = self.clock.now() + seconds(amount)
            self._run_until(end)
            self.clock.advance_to(end)
            self.settle()

    def run_until_quiet(self, within: float = 60.0) -> None:
        """Let time go by until nothing is planned, or so many seconds have gone."""
        with self.lock:
            self._run_until(self.clock.now() + seconds(within))

    def _run_until(self, end: datetime) -> None:
        self.settle()
        while (due := self._queue.next_due()) is not None and due <= end:
            self.clock.advance_to(due)
            self.settle()


def live_cluster(*, pace: Pace | None = None, usage: int | None = None) -> Cluster:
    """Return a cluster on the wall's clock; somebody has to call `run_forever`."""
    return Cluster(WallClock(), pace=pace, usage=usage)


def add_system_namespaces(cluster: Cluster) -> None:
    """Add the namespaces that every cluster has."""
    for name in SYSTEM_NAMESPACES:
        cluster.create("namespaces", {"metadata": {"name": name}})
