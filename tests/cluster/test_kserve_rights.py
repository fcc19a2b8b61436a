"""The rights of deploy/kserve on a real control plane: enough, and none to spare."""

from collections.abc import Callable, Iterator, Sequence

import pytest

from providers.contract.errors import ProviderError
from providers.contract.request import DeployRequest, Intent
from providers.contract.target import ClusterTarget, Connection
from providers.kserve.provider import provider
from providers.kserve.runtimes import check_runtime
from providers.kube.clock import deadline_in
from providers.kube.door import door
from providers.testing.samples import make_request, make_target, ref_of, rescaled, spec_with
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.shipped import Right, account_with, remove_account, rights_in

KSERVE = rights_in("kserve")
NEEDED = [right for right in KSERVE if "scale" not in str(right)]
RunWith = Callable[[Sequence[Right]], list[str]]


@pytest.fixture
def told_with(foreign_plane: ControlPlane, foreign_namespace: str) -> Iterator[RunWith]:
    """Return what is told of a launch, looked at, changed and ended with these rights alone."""

    def run(rights: Sequence[Right]) -> list[str]:
        everywhere = [*rights_in("cluster-wide"), *rights]
        kubeconfig = account_with(foreign_plane, foreign_namespace, everywhere)
        target = make_target(
            connection=Connection(kubeconfig=str(kubeconfig)),
            default_namespace=foreign_namespace,
            namespaces=(foreign_namespace,),
        )
        return [text for step in STEPS for text in _tell(step, target)]

    yield run
    remove_account(foreign_plane, foreign_namespace)


def _tell(step: Callable[[ClusterTarget], list[str]], target: ClusterTarget) -> list[str]:
    try:
        return step(target)
    except ProviderError as error:
        return [error.message]


def _request(target: ClusterTarget) -> DeployRequest:
    """Return the one request of a namespace."""
    return make_request(
        provider,
        namespace=target.default_namespace,
        overrides={"min_replicas": 2},
        deployment_id=f"{target.default_namespace[-8:]}-x",
    )


def _create(target: ClusterTarget) -> list[str]:
    provider.create(_request(target), target, deadline=deadline_in(10))
    return []


def _look(target: ClusterTarget) -> list[str]:
    ref = ref_of(_request(target), None)
    return list(provider.resources(ref, target, deadline=deadline_in(10)).unreadable.values())


def _list(target: ClusterTarget) -> list[str]:
    shared = door.read_shared(target, with_events_of=(), deadline=deadline_in(10))
    ref = ref_of(_request(target), None)
    listing = provider.list(target, [ref], shared, deadline=deadline_in(10))
    status = listing.observations[ref.id].status
    return [entry.message for entry in status.evidence if entry.reason == "Forbidden"]


def _change(target: ClusterTarget) -> list[str]:
    request = rescaled(_request(target), min_replicas=3)
    provider.update(request, ref_of(request, None), target, deadline=deadline_in(10))
    return []


def _delete(target: ClusterTarget) -> list[str]:
    ref = ref_of(_request(target), None, intent=Intent.DELETED)
    provider.delete(ref, target, deadline=deadline_in(10))
    return []


def _check_runtime(target: ClusterTarget) -> list[str]:
    spec = spec_with(serving_runtime={"format": "vLLM", "name": "no-such-runtime"})
    request = make_request(provider, namespace=target.default_namespace, spec=spec)
    checks = check_runtime(request, target, deadline=deadline_in(10))
    return [check.message for check in checks if check.code == "RuntimeUnknown"]


STEPS = (_check_runtime, _create, _look, _list, _change, _delete)


def test_with_the_shipped_rights_nothing_is_refused(told_with: RunWith) -> None:
    assert told_with(KSERVE) == []


@pytest.mark.parametrize("right", NEEDED, ids=str)
def test_a_right_that_is_missing_is_told(told_with: RunWith, right: Right) -> None:
    assert told_with([held for held in KSERVE if held != right]) != []


def test_without_the_right_to_scale_a_launch_is_no_failure(told_with: RunWith) -> None:
    assert told_with(NEEDED) == []
