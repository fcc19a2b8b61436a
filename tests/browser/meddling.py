"""Changes a Deployment on the simulated cluster behind the console's back, as by kubectl."""

import json
from pathlib import Path

import urllib3

from deployments.models import Deployment

MERGE = "application/merge-patch+json"


def meddle(deployment: Deployment, manager: str, **spec: object) -> None:
    """Write fields of its spec as a manager of that name would."""
    _merge(deployment, manager, {"spec": spec})


def hold(deployment: Deployment, finalizer: str) -> None:
    """Keep it on the cluster although it is deleted, as somebody with kubectl patch would."""
    _merge(deployment, "kubectl-patch", {"metadata": {"finalizers": [finalizer]}})


def remove_outside(deployment: Deployment) -> None:
    """Delete it as somebody with kubectl would; what it owns goes too."""
    answer = urllib3.request("DELETE", _url_of(deployment), timeout=10.0)
    assert answer.status == 200, answer.data


def _merge(deployment: Deployment, manager: str, patch: object) -> None:
    url = f"{_url_of(deployment)}?fieldManager={manager}"
    body, headers = json.dumps(patch).encode(), {"Content-Type": MERGE}
    answer = urllib3.request("PATCH", url, body=body, headers=headers, timeout=10.0)
    assert answer.status == 200, answer.data


def _url_of(deployment: Deployment) -> str:
    config = json.loads(Path(deployment.cluster.kubeconfig).read_text())
    server = config["clusters"][0]["cluster"]["server"]
    name, where = deployment.runtime_name, deployment.namespace
    return f"{server}/apis/apps/v1/namespaces/{where}/deployments/{name}"
