"""What several kinds look at is asked for once in a pass, however many kinds there are."""

import re
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from providers.contract.manifest import Manifest
from providers.contract.protocols import Deadline, SharedReads
from providers.contract.target import ClusterTarget, Connection
from providers.kserve.provider import provider as kserve
from providers.kube.door import door
from providers.kubernetes.provider import provider as k8s_deployment
from providers.sandbox.cluster import VirtualCluster
from providers.sandbox.kubeconfig import write_kubeconfig
from providers.sandbox.messages import Refused, Response
from providers.sandbox.server import serving
from providers.stormservice.provider import provider as stormservice
from providers.testing.samples import make_request, make_target, ref_of

from .conftest import NAMESPACE

AUTOSCALERS = "/apis/autoscaling/v2/horizontalpodautoscalers"
_PAGE = re.compile(r"/(?P<plural>\w+)\?.*\blimit=")


class Heard(VirtualCluster):
    """A cluster that remembers the pages it was asked for, and refuses the paths in `refused`."""

    def __init__(self) -> None:
        super().__init__()
        self.pages: list[str] = []
        self.refused: set[str] = set()

    def handle(
        self, method: str, target: str, headers: Mapping[str, str], body: bytes = b""
    ) -> Response:
        if _PAGE.search(target):
            self.pages.append(target)
        if urlsplit(target).path in self.refused:
            return Refused(403, "Forbidden", "nobody may list those").response()
        return super().handle(method, target, headers, body)

    def by_plural(self) -> Counter[str]:
        return Counter(found["plural"] for page in self.pages if (found := _PAGE.search(page)))


@pytest.fixture
def heard() -> Heard:
    cluster = Heard()
    cluster.create({"kind": "Node", "metadata": {"name": "one"}})
    cluster.create({"kind": "Namespace", "metadata": {"name": NAMESPACE}})
    return cluster


@pytest.fixture
def target(heard: Heard, tmp_path: Path) -> Iterator[ClusterTarget]:
    with serving(heard, token="t") as server:
        path = write_kubeconfig(tmp_path / "kubeconfig", url=server.url, namespace=NAMESPACE)
        connection = Connection(kubeconfig=str(path))
        yield make_target(key=str(tmp_path), connection=connection)


def soon() -> Deadline:
    return Deadline(at=time.monotonic() + 30)


def read_shared(target: ClusterTarget) -> SharedReads:
    return door.read_shared(target, with_events_of=(NAMESPACE,), deadline=soon())


def second_autoscaler(workload: str) -> Manifest:
    scaled = {"apiVersion": "apps/v1", "kind": "Deployment", "name": workload}
    return {
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": "another", "namespace": NAMESPACE},
        "spec": {"scaleTargetRef": scaled, "maxReplicas": 9, "metrics": [{"type": "Pods"}]},
    }


def test_three_kinds_ask_for_no_page_twice(heard: Heard, target: ClusterTarget) -> None:
    shared = read_shared(target)
    for provider in (k8s_deployment, stormservice, kserve):
        provider.list(target, (), shared, deadline=soon())

    assert [page for page, times in Counter(heard.pages).items() if times > 1] == []
    once = {"nodes", "namespaces", "resourcequotas", "events", "horizontalpodautoscalers"}
    assert {plural: times for plural, times in heard.by_plural().items() if plural in once} == (
        dict.fromkeys(once, 1)
    )
    assert heard.by_plural()["pods"] == 2, "unfinished ones, and of ours those that failed"


@pytest.mark.parametrize("refused", [set(), {AUTOSCALERS}])
def test_an_autoscaler_of_somebody_else_is_seen_where_only_its_namespace_may_be_read(
    heard: Heard, target: ClusterTarget, refused: set[str]
) -> None:
    scaling = {"min_replicas": 1, "max_replicas": 2, "enable_auto_scaling": True}
    request = make_request(k8s_deployment, namespace=NAMESPACE, overrides=scaling)
    applied = k8s_deployment.create(request, target, deadline=soon())
    heard.create(second_autoscaler(request.runtime_name))
    heard.advance(60)
    heard.refused = refused

    ref = ref_of(request, applied)
    listing = k8s_deployment.list(target, [ref], read_shared(target), deadline=soon())

    assert listing.observations[ref.id].status.reason == "AutoscalerConflict"
    assert listing.unread == frozenset()
