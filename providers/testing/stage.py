"""Where a provider is tried: the words that the contract suite's tests are written in."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from providers.contract.protocols import Applied, Deadline, Deletion, Observation, Provider
from providers.contract.request import DeployRequest, Intent
from providers.contract.status import Phase
from providers.contract.target import ClusterTarget
from providers.testing.samples import make_request, ref_of


@dataclass(frozen=True, kw_only=True)
class Stage:
    """Where a provider is tried: `silent` is a target that never answers, `patience` in seconds.

    `remove_outside` deletes the workload as a stranger would, `scale_outside` gives it another
    number of replicas, `fill_quota` makes a quota `full` that leaves no pod in the namespace, where
    that can be played. `clean_up` comes after a test.
    """

    provider: Provider
    target: ClusterTarget
    silent: ClusterTarget
    namespace: str
    remove_outside: Callable[[DeployRequest], None]
    scale_outside: Callable[[DeployRequest, int], None] | None = None
    fill_quota: Callable[[], None] | None = None
    patience: float = 60.0
    created: list[tuple[DeployRequest, Applied]] = field(default_factory=list)

    def request(self, **changes: object) -> DeployRequest:
        """Return a request into this stage's namespace, with the rollout that `auto` means."""
        request = make_request(self.provider, namespace=self.namespace, **changes)  # type: ignore[arg-type]
        rollout = self.provider.resolve_rollout(
            "auto",
            request.spec,
            self.target,
            namespace=self.namespace,
            scaling=request.scaling,
            capacity=None,
        )
        return replace(request, rollout=rollout)

    def create(self, request: DeployRequest) -> Applied:
        """Create and remember, so that `clean_up` finds it."""
        applied = self.provider.create(request, self.target, deadline=deadline())
        self.created.append((request, applied))
        return applied

    def get(self, request: DeployRequest, applied: Applied | None) -> Observation:
        """Read one deployment."""
        return self.provider.get(ref_of(request, applied), self.target, deadline=deadline())

    def until(
        self, request: DeployRequest, applied: Applied, wanted: Callable[[Observation], bool]
    ) -> Observation:
        """Read until the observation is as wanted; fails with the last one seen."""
        end = time.monotonic() + self.patience
        while not wanted(seen := self.get(request, applied)):
            assert time.monotonic() < end, f"still {seen.status.phase}: {seen.status.message}"
            time.sleep(0.1)
        return seen

    def delete(self, request: DeployRequest, applied: Applied | None) -> None:
        """Delete and wait until everything is gone."""
        ref = ref_of(request, applied, intent=Intent.DELETED)
        self.until_gone(lambda: self.provider.delete(ref, self.target, deadline=deadline()))

    def until_gone(self, ask: Callable[[], Deletion]) -> None:
        """Ask for a deletion until everything is gone."""
        end = time.monotonic() + self.patience
        while not (left := ask()).gone:
            assert time.monotonic() < end, f"still waiting for {left.waiting_for}"
            time.sleep(0.1)

    def clean_up(self) -> None:
        """Delete whatever a test has made."""
        for request, applied in self.created:
            self.delete(request, applied)


def deadline(seconds: float = 30.0) -> Deadline:
    """Return a deadline that many seconds from now."""
    return Deadline(at=time.monotonic() + seconds)


def wait_while(is_so: Callable[[], bool], seconds: float) -> None:
    """Wait until something is no longer so; fails when that takes longer."""
    end = time.monotonic() + seconds
    while is_so():
        assert time.monotonic() < end, "it is still so"
        time.sleep(0.05)


def is_ready(seen: Observation) -> bool:
    """Tell whether an observation is Ready with all it wants."""
    return seen.status.phase is Phase.READY
