"""A launch, looked at, changed and ended with the rights of an account: what is told meanwhile."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from providers.carrying.verbs import Carrying
from providers.contract.errors import ProviderError
from providers.contract.request import DeployRequest, Intent
from providers.contract.target import ClusterTarget, Connection
from providers.kube.clock import deadline_in
from providers.kube.door import door
from providers.testing.samples import make_target, ref_of
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.shipped import Right, account_with, remove_account, rights_in

SECONDS = 30.0
Step = Callable[[ClusterTarget], list[str]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Life:
    """One deployment of a namespace from its launch to its end.

    `request` returns it as it is launched, `changed` as it is changed to; `before` are steps that
    come first.
    """

    provider: Carrying
    request: Callable[[ClusterTarget], DeployRequest]
    changed: Callable[[ClusterTarget], DeployRequest]
    before: Sequence[Step] = ()

    def told_with(self, rights: Sequence[Right], plane: ControlPlane, namespace: str) -> list[str]:
        """Return everything that is told of a right that is missing beside these."""
        kubeconfig = account_with(plane, namespace, [*rights_in("cluster-wide"), *rights])
        target = make_target(
            connection=Connection(kubeconfig=str(kubeconfig)),
            default_namespace=namespace,
            namespaces=(namespace,),
        )
        try:
            return [text for step in self._steps for text in _tell(step, target)]
        finally:
            remove_account(plane, namespace)

    @property
    def _steps(self) -> Sequence[Step]:
        return (*self.before, self._create, self._look, self._list, self._change, self._delete)

    def _create(self, target: ClusterTarget) -> list[str]:
        self.provider.create(self.request(target), target, deadline=deadline_in(SECONDS))
        return []

    def _look(self, target: ClusterTarget) -> list[str]:
        ref = ref_of(self.request(target), None)
        seen = self.provider.resources(ref, target, deadline=deadline_in(SECONDS))
        return list(seen.unreadable.values())

    def _list(self, target: ClusterTarget) -> list[str]:
        shared = door.read_shared(target, with_events_of=(), deadline=deadline_in(SECONDS))
        ref = ref_of(self.request(target), None)
        listing = self.provider.list(target, [ref], shared, deadline=deadline_in(SECONDS))
        status = listing.observations[ref.id].status
        return [entry.message for entry in status.evidence if entry.reason == "Forbidden"]

    def _change(self, target: ClusterTarget) -> list[str]:
        request = self.changed(target)
        ref = ref_of(request, None)
        self.provider.update(request, ref, target, deadline=deadline_in(SECONDS))
        return []

    def _delete(self, target: ClusterTarget) -> list[str]:
        ref = ref_of(self.request(target), None, intent=Intent.DELETED)
        self.provider.delete(ref, target, deadline=deadline_in(SECONDS))
        return []


def own_id(target: ClusterTarget) -> str:
    """Return the id of the one deployment of a namespace."""
    return f"{target.default_namespace[-8:]}-x"


def _tell(step: Step, target: ClusterTarget) -> list[str]:
    try:
        return step(target)
    except ProviderError as error:
        return [error.message]
