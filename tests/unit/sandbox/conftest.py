"""A cluster on a virtual clock with two small nodes, and a way to ask it without HTTP."""

import json
from dataclasses import dataclass

import pytest

from providers.contract.manifest import Manifest
from providers.sandbox.cluster import VirtualCluster
from providers.simulation.pod_life.pace import Pace

APPLY = "application/apply-patch+yaml"
NAMESPACE = "models"
DEPLOYMENTS = f"/apis/apps/v1/namespaces/{NAMESPACE}/deployments"
PODS = f"/api/v1/namespaces/{NAMESPACE}/pods"
# Long enough for every step of a rollout to be seen by itself.
SLOW_PACE = Pace(load_seconds=1.5)


@dataclass(frozen=True, kw_only=True)
class Asked:
    status: int
    body: Manifest
    text: str


@dataclass(frozen=True, kw_only=True)
class Desk:
    """Asks a cluster; `apply` is as Slipway does it."""

    cluster: VirtualCluster

    def ask(
        self, method: str, target: str, body: Manifest | None = None, kind: str = "application/json"
    ) -> Asked:
        sent = b"" if body is None else json.dumps(body).encode()
        response = self.cluster.handle(method, target, {"Content-Type": kind}, sent)
        text = response.body.decode()
        is_json = response.content_type == "application/json"
        return Asked(status=response.status, body=json.loads(text) if is_json else {}, text=text)

    def apply(self, body: Manifest, manager: str = "slipway", force: str = "true") -> Asked:
        target = f"{DEPLOYMENTS}/{body['metadata']['name']}?fieldManager={manager}&force={force}"
        return self.ask("PATCH", target, body, APPLY)

    def get(self, target: str) -> Manifest:
        asked = self.ask("GET", target)
        assert asked.status == 200, asked.text
        return asked.body

    def items(self, target: str) -> list[Manifest]:
        found: list[Manifest] = self.get(target)["items"]
        return found


def deployment(name: str = "d", *, env: str = "", word: str = "", **spec: object) -> Manifest:
    variables = {"A": env, "SLIPWAY_SIMULATE": word}
    container = {
        "name": "engine",
        "image": "docker.io/vllm/vllm-openai:v0.11.0",
        "env": [{"name": key, "value": value} for key, value in variables.items() if value],
        "readinessProbe": {"httpGet": {"path": "/health", "port": 8000}, "periodSeconds": 1},
    }
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name},
        "spec": {
            "selector": {"matchLabels": {"app": name}},
            "template": {
                "metadata": {"labels": {"app": name}},
                "spec": {"containers": [container]},
            },
            **spec,
        },
    }


def furnished(cluster: VirtualCluster) -> VirtualCluster:
    """Give a cluster its nodes and the namespace of the tests."""
    for name in ("one", "two"):
        allocatable = {"nvidia.com/gpu": "4"}
        node = {"kind": "Node", "metadata": {"name": name}, "status": {"allocatable": allocatable}}
        cluster.create(node)
    cluster.create({"kind": "Namespace", "metadata": {"name": NAMESPACE}})
    cluster.advance(60)
    return cluster


@pytest.fixture
def cluster() -> VirtualCluster:
    return furnished(VirtualCluster(pace=SLOW_PACE))


@pytest.fixture
def desk(cluster: VirtualCluster) -> Desk:
    return Desk(cluster=cluster)
