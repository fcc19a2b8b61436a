"""A cluster whose kinds may not be discovered: they are looked for by a list, if that is allowed.

What may not be read is never said to be missing.
"""

import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from providers.contract.protocols import Deadline
from providers.contract.target import ClusterTarget, Connection
from providers.kube.door import door
from providers.sandbox.cluster import VirtualCluster
from providers.sandbox.kubeconfig import write_kubeconfig
from providers.sandbox.messages import Refused, Response
from providers.sandbox.server import serving
from providers.testing.samples import make_target

from .conftest import DEPLOYMENTS, NAMESPACE

APPS, KSERVE = "/apis/apps/v1", "/apis/serving.kserve.io/v1beta1"
SHIPPED = ("k8s-deployment", "stormservice", "kserve-inferenceservice")


class Guarded(VirtualCluster):
    """A cluster without the kinds of others that refuses some paths."""

    refused: frozenset[str] = frozenset()

    def handle(
        self, method: str, target: str, headers: Mapping[str, str], body: bytes = b""
    ) -> Response:
        if urlsplit(target).path in self.refused:
            return Refused(403, "Forbidden", "nobody may read those").response()
        return super().handle(method, target, headers, body)


@pytest.fixture
def guarded() -> Guarded:
    return Guarded(foreign=False)


@pytest.fixture
def target(guarded: Guarded, tmp_path: Path) -> Iterator[ClusterTarget]:
    with serving(guarded, token="t") as server:
        path = write_kubeconfig(tmp_path / "kubeconfig", url=server.url, namespace=NAMESPACE)
        connection = Connection(kubeconfig=str(path))
        yield make_target(key=str(tmp_path), connection=connection, default_namespace=NAMESPACE)


def kinds(target: ClusterTarget) -> Mapping[str, bool]:
    """Return what is told of our own kinds: the door knows those, too, that other tests made up."""
    told = door.probe(target, deadline=Deadline(at=time.monotonic() + 30)).kinds
    return {kind: told[kind] for kind in SHIPPED if kind in told}


@pytest.mark.parametrize(
    ("refused", "told"),
    [
        ((), {"k8s-deployment": True, "kserve-inferenceservice": False}),
        ((APPS, KSERVE), {"k8s-deployment": True, "kserve-inferenceservice": False}),
        ((APPS, DEPLOYMENTS), {"kserve-inferenceservice": False}),
    ],
)
def test_a_kind_that_may_not_be_discovered_is_looked_for_by_a_list(
    guarded: Guarded, target: ClusterTarget, refused: tuple[str, ...], told: dict[str, bool]
) -> None:
    guarded.refused = frozenset(refused)
    assert kinds(target) == told | {"stormservice": False}
