"""One simulated cluster put together: store, API, controllers and the clock that drives them.

Tests move a virtual clock; the demo lets `run_forever` follow the wall's in a thread.
"""

import threading
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import partial

from providers.contract.manifest import Manifest
from providers.sandbox import events
from providers.sandbox.api import Api
from providers.sandbox.controllers import autoscalers, counts, deployments, replicasets, scheduler
from providers.sandbox.controllers.kubelet import Kubelets
from providers.sandbox.desk import Clock, Desk
from providers.sandbox.faults import Faults
from providers.sandbox.messages import Response
from providers.sandbox.queue import WorkQueue
from providers.sandbox.store import Change, is_ending, key_of
from providers.simulation.pod_life.pace import Pace

_MOST_STEPS = 100_000
_IDLE_SECONDS = 1.0


class WallClock:
    """The machine's clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)


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
        pace = pace or Pace()
        self.desk = desk = Desk(clock, seed)
        self.store, self.faults = desk.store, Faults()
        self.api = Api(desk, self.faults, pace)
        self.queue = WorkQueue(
            desk,
            {
                "deployments": partial(deployments.reconcile, desk),
                "replicasets": partial(replicasets.reconcile, desk),
                "pods": partial(_reconcile_pod, desk, Kubelets(desk, pace)),
                "services": partial(counts.reconcile_service, desk),
                "resourcequotas": partial(counts.reconcile_quota, desk),
                "horizontalpodautoscalers": partial(autoscalers.reconcile, desk, usage),
                "events": partial(events.reconcile, desk),
            },
        )
        self.lock = threading.RLock()
        self._changed = threading.Condition(self.lock)
        self.store.listen(self._wake)

    def handle(
        self, method: str, target: str, headers: Mapping[str, str], body: bytes = b""
    ) -> Response:
        """Answer one request."""
        with self.lock:
            return self.api.handle(method, target, headers, body)

    def create(self, plural: str, body: Manifest) -> Manifest:
        """Create an object past the API, unless it is there."""
        with self.lock:
            return self.store.at(key_of(plural, body)) or self.desk.create(plural, body)

    def run_forever(self, stopping: threading.Event) -> None:
        """Let the controllers work as their time comes, until asked to stop."""
        while not stopping.is_set():
            with self._changed:
                if not self.queue.run_one():
                    self._changed.wait(self._seconds_to_wait())

    def _seconds_to_wait(self) -> float:
        due = self.queue.next_due()
        left = _IDLE_SECONDS if due is None else (due - self.desk.clock.now()).total_seconds()
        return min(max(left, 0.0), _IDLE_SECONDS)

    def _wake(self, _change: Change) -> None:
        with self._changed:
            self._changed.notify_all()


class VirtualClock:
    """Stands still until somebody moves it."""

    def __init__(self) -> None:
        self.at = datetime(2026, 1, 1, tzinfo=UTC)

    def now(self) -> datetime:
        return self.at


class VirtualCluster(Cluster):
    """A cluster whose time is moved by hand; the same requests get the same names."""

    def __init__(self, *, pace: Pace | None = None, usage: int | None = None) -> None:
        self.clock = VirtualClock()
        super().__init__(self.clock, seed=1, pace=pace, usage=usage)
        add_system_namespaces(self)

    def settle(self, within: float = 0.0) -> None:
        """Do everything that is due in so many seconds; time goes no further than that takes.

        Raises RuntimeError when that never ends.
        """
        end = self.clock.at + timedelta(seconds=within)
        with self.lock:
            for _ in range(_MOST_STEPS):
                due = self.queue.next_due()
                if due is None or due > end:
                    return
                self.clock.at = max(self.clock.at, due)
                self.queue.run_one()
        raise RuntimeError("the controllers keep one another busy")

    def advance(self, amount: float) -> None:
        """Let so many seconds go by, with everything that happens in them."""
        end = self.clock.at + timedelta(seconds=amount)
        self.settle(amount)
        self.clock.at = end


def _reconcile_pod(desk: Desk, kubelets: Kubelets, pod: Manifest) -> float | None:
    if pod["spec"].get("nodeName") or is_ending(pod):
        return kubelets.reconcile(pod)
    scheduler.schedule(desk, pod)
    return None


def live_cluster(*, pace: Pace | None = None, usage: int | None = None) -> Cluster:
    """Return a cluster on the wall's clock; somebody has to call `run_forever`."""
    return Cluster(WallClock(), pace=pace, usage=usage)


def add_system_namespaces(cluster: Cluster) -> None:
    """Add the namespaces that every cluster has."""
    for name in ("default", "kube-system"):
        cluster.create("namespaces", {"metadata": {"name": name}})
