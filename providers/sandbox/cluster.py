"""One simulated cluster put together: store, API, controllers and the clock that drives them.

Tests move a virtual clock; the demo lets `run_forever` follow the wall's in a thread.
"""

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial

from providers.contract.manifest import Manifest
from providers.sandbox import events
from providers.sandbox.api import Api
from providers.sandbox.controllers import autoscalers, counts, deployments, replicasets
from providers.sandbox.controllers.kubelet import Kubelets
from providers.sandbox.desk import Desk
from providers.sandbox.faults import Faults
from providers.sandbox.messages import Headers, Response
from providers.sandbox.queue import WorkQueue
from providers.sandbox.store import key_of
from providers.simulation.pod_life.pace import Pace

USUAL_PACE = Pace()
WALL_CLOCK = partial(datetime.now, UTC)
_MOST_STEPS = 100_000
_IDLE_SECONDS = 0.02


class Cluster:
    """Answers requests and acts on them, by the wall's clock once somebody calls `run_forever`.

    `usage` is what pods use in percent, None unmeasured. Other makers' kinds are there where
    `foreign` says so, and then only kept: no controller of theirs is here.
    """

    def __init__(
        self,
        *,
        pace: Pace = USUAL_PACE,
        usage: int | None = None,
        foreign: bool = False,
        now: Callable[[], datetime] = WALL_CLOCK,
        seed: int | None = None,
    ) -> None:
        self.desk = desk = Desk(now, seed)
        self.store, self.faults = desk.store, Faults()
        self.api = Api(desk, self.faults, pace, foreign=foreign)
        self.queue = WorkQueue(
            desk,
            {
                "deployments": partial(deployments.reconcile, desk),
                "replicasets": partial(replicasets.reconcile, desk),
                "pods": Kubelets(desk, pace).reconcile,
                "services": partial(counts.reconcile_service, desk),
                "resourcequotas": partial(counts.reconcile_quota, desk),
                "horizontalpodautoscalers": partial(autoscalers.reconcile, desk, usage),
                "events": partial(events.reconcile, desk),
            },
        )
        self.lock = threading.RLock()
        for name in ("default", "kube-system"):
            self.create({"kind": "Namespace", "metadata": {"name": name}})

    def handle(self, method: str, target: str, headers: Headers, body: bytes = b"") -> Response:
        with self.lock:
            return self.api.handle(method, target, headers, body)

    def create(self, body: Manifest) -> Manifest:
        """Create an object past the API, unless it is there."""
        with self.lock:
            return self.store.at(key_of(body)) or self.desk.create(body)

    def run_forever(self, stopping: threading.Event) -> None:
        """Let the controllers work as their time comes, until asked to stop."""
        while not stopping.is_set():
            with self.lock:
                is_busy = self.queue.run_one()
            if not is_busy:
                stopping.wait(_IDLE_SECONDS)


class VirtualCluster(Cluster):
    """A cluster whose time is moved by hand; the same requests get the same names."""

    def __init__(self, *, pace: Pace = USUAL_PACE, foreign: bool = False) -> None:
        self.at = datetime(2026, 1, 1, tzinfo=UTC)
        super().__init__(pace=pace, foreign=foreign, now=lambda: self.at, seed=1)

    def advance(self, amount: float = 0.0) -> None:
        """Let so many seconds go by, with everything that is due in them.

        Raises RuntimeError when that never ends.
        """
        end = self.at + timedelta(seconds=amount)
        with self.lock:
            for _ in range(_MOST_STEPS):
                due = self.queue.next_due()
                if due is None or due > end:
                    self.at = end
                    return
                self.at = max(self.at, due)
                self.queue.run_one()
        raise RuntimeError("the controllers keep one another busy")
