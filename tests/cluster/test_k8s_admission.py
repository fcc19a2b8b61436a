"""What stands in the way at the gate: policies, webhooks, a certificate nobody trusts."""

import base64
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from providers.contract.checks import Check, Result
from providers.contract.errors import Rejected, Unavailable
from providers.contract.manifest import Manifest
from providers.contract.target import Connection
from providers.kube.clock import deadline_in
from providers.kubernetes.provider import provider
from tests.cluster.harness.certificates import Authority
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.launching import SECONDS, Launch, launch_in
from tests.cluster.waiting import wait_for
from tests.unit.kube.conftest import kubeconfig_text

API = "/apis/admissionregistration.k8s.io/v1"
RULES = [
    {
        "apiGroups": ["apps"],
        "apiVersions": ["v1"],
        "resources": ["deployments"],
        "operations": ["CREATE", "UPDATE"],
    }
]


def selected(namespace: str) -> Manifest:
    return {"matchLabels": {"kubernetes.io/metadata.name": namespace}}


def check_of(launch: Launch, code: str) -> Check | None:
    checks = provider.preflight(
        launch.request, launch.target, capacity=None, deadline=deadline_in(SECONDS)
    )
    return next((check for check in checks if check.code == code), None)


@pytest.fixture
def policy(control_plane: ControlPlane, namespace: str) -> Iterator[None]:
    api = control_plane.api
    spec = {
        "failurePolicy": "Fail",
        "matchConstraints": {"resourceRules": RULES},
        "validations": [{"expression": "false", "message": "not on a Monday"}],
    }
    binding = {
        "policyName": namespace,
        "validationActions": ["Deny"],
        "matchResources": {"namespaceSelector": selected(namespace)},
    }
    kinds = {"ValidatingAdmissionPolicy": spec, "ValidatingAdmissionPolicyBinding": binding}
    paths = {
        "ValidatingAdmissionPolicy": f"{API}/validatingadmissionpolicies",
        "ValidatingAdmissionPolicyBinding": f"{API}/validatingadmissionpolicybindings",
    }
    for kind, given in kinds.items():
        body = {
            "apiVersion": "admissionregistration.k8s.io/v1",
            "kind": kind,
            "metadata": {"name": namespace},
            "spec": given,
        }
        api.create(paths[kind], body)
    yield
    for path in paths.values():
        api.delete(f"{path}/{namespace}")


@pytest.mark.usefixtures("policy")
def test_a_policy_that_denies_is_told_in_its_own_words(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = launch_in(control_plane, namespace)
    check = wait_for(lambda: check_of(launch, "AdmissionDenied"), 60.0, "the policy counts")

    assert check.result is Result.FAIL
    assert "not on a Monday" in check.message
    with pytest.raises(Rejected) as caught:
        launch.create()
    assert caught.value.code == "AdmissionDenied"


@pytest.fixture
def dead_webhook(control_plane: ControlPlane, namespace: str) -> Iterator[None]:
    path = f"{API}/validatingwebhookconfigurations"
    webhook = {
        "name": "dead.example.com",
        "clientConfig": {"url": "https://127.0.0.1:1/"},
        "rules": RULES,
        "namespaceSelector": selected(namespace),
        "failurePolicy": "Fail",
        "sideEffects": "None",
        "admissionReviewVersions": ["v1"],
        "timeoutSeconds": 1,
    }
    body = {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingWebhookConfiguration",
        "metadata": {"name": namespace},
        "webhooks": [webhook],
    }
    control_plane.api.create(path, body)
    yield
    control_plane.api.delete(f"{path}/{namespace}")


@pytest.mark.usefixtures("dead_webhook")
def test_a_webhook_that_is_down_makes_a_preview_unsure_and_a_create_wait(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = launch_in(control_plane, namespace)
    check = wait_for(lambda: check_of(launch, "WebhookUnavailable"), 60.0, "the webhook counts")

    assert check.result is Result.UNKNOWN
    with pytest.raises(Unavailable) as caught:
        launch.create()
    assert caught.value.code == "WebhookUnavailable"


def test_a_certificate_that_nobody_trusts_is_told_as_such(
    control_plane: ControlPlane, namespace: str, tmp_path: Path
) -> None:
    stranger = Authority(tmp_path, "stranger").pair.certificate.read_bytes()
    document = json.loads(kubeconfig_text(control_plane.url))
    document["clusters"][0]["cluster"]["certificate-authority-data"] = base64.b64encode(
        stranger
    ).decode()
    path = tmp_path / "kubeconfig"
    path.write_text(json.dumps(document))
    launch = launch_in(control_plane, namespace)
    launch.target = replace(
        launch.target, key=str(path), connection=Connection(kubeconfig=str(path))
    )

    with pytest.raises(Unavailable, match="its certificate is not trusted"):
        launch.get()
