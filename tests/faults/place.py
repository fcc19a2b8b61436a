"""Where faults are brought about: a cluster that strangers change, and a door that can fail."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from deployments.models import Deployment
from providers.contract.manifest import Manifest
from providers.sandbox.faults import Fault


class Place(Protocol):
    """One back end; what is applied and deleted here, nobody of ours has done."""

    @property
    def namespace(self) -> str:
        """Where deployments go."""

    @property
    def doomed(self) -> str:
        """Another that may be deleted."""

    def apply(self, path: str, body: Manifest) -> None:
        """Apply an object, and take away at the end what concerns the whole cluster."""

    def delete(self, path: str) -> None:
        """Delete an object."""

    def pods_of(self, deployment: Deployment) -> list[Manifest]:
        """Return the pods of a deployment that are not ending."""

    def node_names(self) -> list[str]:
        """Return the names of all nodes."""

    def fail(self, *faults: Fault) -> None:
        """Let the door in front of the API server fail from now on."""

    def lead_to(self, url: str) -> AbstractContextManager[None]:
        """Let the kubeconfig lead elsewhere, until left."""

    def crowd(self, number: int) -> None:
        """Add so many events about nobody of ours, which every pass reads."""

    def let_pass(self, seconds: float) -> None:
        """Let time pass: so many seconds where the clock can be moved, a moment elsewhere."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Cannot:
    """A fault that cannot be brought about here."""

    because: str


Deed = Callable[[Place, Deployment], None]
"""What is done to a deployment that has become ready."""
