"""An autoscaler of one kind gives way to one of another, and no replica is dropped meanwhile."""

import json
import time
from dataclasses import replace
from pathlib import Path

from providers.carrying import applying
from providers.contract.manifest import Manifest
from providers.contract.protocols import Deadline
from providers.contract.target import Connection
from providers.kube.resources import AUTOSCALERS, POD_AUTOSCALERS, SERVICES, Resource
from providers.kubernetes.carrier import CARRIER
from providers.kubernetes.provider import provider
from providers.sandbox.cluster import VirtualCluster
from providers.sandbox.kubeconfig import write_kubeconfig
from providers.sandbox.server import serving
from providers.testing.samples import make_request, make_target
from providers.workload.labels import with_digest

from .conftest import DEPLOYMENTS, NAMESPACE, SLOW_PACE, furnished

BOTH = replace(CARRIER, companions=(POD_AUTOSCALERS, AUTOSCALERS, SERVICES))


def soon() -> Deadline:
    return Deadline(at=time.monotonic() + 30)


def with_pod_autoscaler(manifests: tuple[Manifest, ...]) -> tuple[Manifest, ...]:
    *others, scaler = manifests
    kind = {"apiVersion": POD_AUTOSCALERS.api_version, "kind": POD_AUTOSCALERS.kind}
    return (*others, with_digest({**scaler, **kind}))


def test_the_first_autoscaler_goes_and_the_number_stays(tmp_path: Path) -> None:
    cluster = furnished(VirtualCluster(pace=SLOW_PACE, foreign=True))
    with serving(cluster, token="t") as server:
        path = write_kubeconfig(tmp_path / "kubeconfig", url=server.url, namespace=NAMESPACE)
        target = make_target(key=str(tmp_path), connection=Connection(kubeconfig=str(path)))
        scaling = {"enable_auto_scaling": True, "min_replicas": 2, "max_replicas": 3}
        request = make_request(provider, namespace=NAMESPACE, overrides=scaling)
        before = provider.render(request, target)
        applying.create(BOTH, before, request, target, deadline=soon())
        cluster.advance(60)
        applying.update(BOTH, with_pod_autoscaler(before), request, target, deadline=soon())

    def there(plural: str) -> int:
        return cluster.handle("GET", f"{plural}/{request.runtime_name}", {}).status

    def path_of(kind: Resource) -> str:
        return f"/apis/{kind.api_version}/namespaces/{NAMESPACE}/{kind.plural}"

    assert there(path_of(AUTOSCALERS)) == 404
    assert there(path_of(POD_AUTOSCALERS)) == 200
    live = json.loads(cluster.handle("GET", f"{DEPLOYMENTS}/{request.runtime_name}", {}).body)
    assert live["spec"]["replicas"] == 2
