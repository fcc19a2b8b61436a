"""The whole way of a launch: script, HTTP, console, a real control plane, and back again."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from knox.models import AuthToken
from pytest_django.live_server_helper import LiveServer

from deployments.models import Deployment
from deployments.services.refreshing import refresh_cluster
from providers.testing.samples import spec_with
from templates_app import services
from templates_app.entries import parse_model, parse_template
from tests.cluster.harness.api import namespaced
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.launching import set_quota

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "docs" / "examples" / "launch_a_model.py"

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("cluster_nodes", "console_here"),
]


@pytest.fixture
def token() -> str:
    user = User.objects.create_user("olga")
    user.groups.add(Group.objects.get_or_create(name="deployer")[0])
    _, token = AuthToken.objects.create(user)
    return str(token)


def make_template(**engine: Any) -> None:
    model = services.create_model(parse_model({"id": "qwen", "name": "Qwen"}), by=None)
    spec = spec_with(engine=engine, accelerator={"type": "H100", "count": 2})
    entry = parse_template(name="mock", version="1.0.0", spec=spec)
    services.activate_template(services.create_template(model, entry, by=None), by=None)


def launch(live_server: LiveServer, token: str, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(SCRIPT), live_server.url, "qwen", "mock", *options],
        env={**os.environ, "SLIPWAY_TOKEN": token},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def objects_of(control_plane: ControlPlane, namespace: str) -> list[str]:
    found: list[str] = []
    for api, plural in (
        ("apis/apps/v1", "deployments"),
        ("api/v1", "services"),
        ("api/v1", "pods"),
        ("apis/autoscaling/v2", "horizontalpodautoscalers"),
    ):
        items = control_plane.api.get(namespaced(namespace, plural, api=api))["items"]
        found += [f"{plural}/{item['metadata']['name']}" for item in items]
    return found


def test_a_script_launches_a_model_sees_it_ready_and_removes_it(
    live_server: LiveServer, token: str, control_plane: ControlPlane, namespace: str
) -> None:
    make_template()
    done = launch(live_server, token)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Ready: 1 of 1 replicas ready" in done.stdout
    assert done.stdout.rstrip().endswith("removed")
    assert objects_of(control_plane, namespace) == []
    assert not Deployment.objects.open().exists()


def test_a_failure_is_told_with_its_cause_and_seen_by_a_refresh(
    live_server: LiveServer, token: str
) -> None:
    make_template(env={"SLIPWAY_SIMULATE": "image-not-found"})
    done = launch(live_server, token, "--keep")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "not found" in done.stdout
    deployment = Deployment.objects.get()
    refresh_cluster(deployment.cluster)
    deployment.refresh_from_db()
    assert (deployment.phase, deployment.reason) == ("Failed", "ImageNotFound")


def test_what_the_cluster_refuses_leaves_nothing_behind(
    live_server: LiveServer, token: str, control_plane: ControlPlane, namespace: str
) -> None:
    make_template()
    set_quota(control_plane.api, namespace, **{"requests.nvidia.com/gpu": "1"})
    done = launch(live_server, token)
    assert done.returncode != 0
    assert "422" in done.stderr or "fail" in done.stdout
    assert objects_of(control_plane, namespace) == []
    assert not Deployment.objects.exists()
