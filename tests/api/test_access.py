"""Who may call what: without credentials, without a role, and with each of them."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from knox.models import AuthToken
from rest_framework.test import APIClient

from deployments.models import Cluster
from deployments.services.tokens import forget_expired_tokens
from templates_app.models import ModelDeploymentTemplate
from tests.api.conftest import Person

NOBODYS = "00000000-0000-4000-8000-000000000000"
READS = [
    "models",
    "implementations",
    "clusters",
    "deployments",
]


@pytest.mark.django_db
@pytest.mark.parametrize("path", [*READS, f"deployments/{NOBODYS}", "audit"])
def test_without_credentials_everything_is_401_and_names_the_header(path: str) -> None:
    response = APIClient().get(f"/api/v1/{path}")
    assert response.status_code == 401
    assert response.headers["WWW-Authenticate"].startswith("Token")
    assert response.json()["code"] == "not_authenticated"


@pytest.mark.django_db
@pytest.mark.parametrize("token", ["slipway_wrong", "\xff\xfe", "slipway_\xe9", "x" * 5000])
def test_a_wrong_token_is_401_and_says_where_to_make_one(token: str) -> None:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {token}")
    response = client.get("/api/v1/models")
    assert response.status_code == 401
    assert "issue_token" in response.json()["message"]
    assert response.headers["WWW-Authenticate"].startswith("Token")


@pytest.mark.parametrize("path", ["/api", "/api/", "/api/v1", "/api/v2/models", "/api/v1/models/"])
def test_what_is_no_address_is_told_in_json(path: str) -> None:
    response = APIClient().get(path)
    assert (response.status_code, response.json()["code"]) == (404, "not_found")


def test_an_expired_token_is_401_and_is_swept_in_the_background(viewer: Person) -> None:
    AuthToken.objects.update(expiry=timezone.now() - timedelta(seconds=1))
    assert viewer.get("models")[0] == 401
    assert forget_expired_tokens() == 1
    assert not AuthToken.objects.exists()


def test_a_token_that_still_works_is_not_swept(viewer: Person) -> None:
    assert forget_expired_tokens() == 0
    assert viewer.get("models")[0] == 200


@pytest.mark.parametrize("path", [*READS, "audit"])
def test_who_has_no_role_is_told_404(stranger: Person, path: str) -> None:
    assert stranger.get(path)[0] == 404


def test_who_has_no_role_launches_nothing(stranger: Person, order: dict[str, Any]) -> None:
    assert stranger.post("deployments", order)[0] == 404
    assert stranger.post("deployments/preview", order)[0] == 404


@pytest.mark.parametrize("path", READS)
def test_a_viewer_reads(viewer: Person, cluster: Cluster, path: str) -> None:
    assert viewer.get(path)[0] == 200


def test_a_viewer_changes_nothing(
    viewer: Person, order: dict[str, Any], template: ModelDeploymentTemplate
) -> None:
    assert viewer.post("deployments", order)[0] == 403
    assert viewer.post("models", {"name": "x"})[0] == 403
    assert viewer.put(f"models/{template.model_id}", {"name": "x"})[0] == 403
    assert viewer.delete(f"models/{template.model_id}")[0] == 403
    assert viewer.get("audit")[0] == 403


def test_a_deployer_curates_nothing(owner: Person) -> None:
    status, answer = owner.post("models", {"name": "x"})
    assert (status, answer["code"]) == (403, "permission_denied")


def test_an_admin_reads_the_audit_trail(
    admin: Person, owner: Person, order: dict[str, Any]
) -> None:
    created = owner.post("deployments", order)[1]
    _, answer = admin.get("audit", object=created["id"])
    actions = [(entry["actor"], entry["action"], entry["role"]) for entry in answer["audit"]]
    assert ("olga", "deployment.create", "deployer") in actions
    assert all(entry["source"] and entry["at"] for entry in answer["audit"])


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/api/", "/api/v1/nothing", "/api/v1/models/", "/api/v2/models"])
def test_an_unknown_address_is_json(path: str) -> None:
    response = APIClient().get(path)
    assert (response.status_code, response.json()["code"]) == (404, "not_found")


def test_a_wrong_method_is_json(viewer: Person, admin: Person) -> None:
    status, answer = admin.post("clusters", {})
    assert (status, answer["code"]) == (405, "method_not_allowed")


def test_health_needs_no_token() -> None:
    assert APIClient().get("/api/v1/health").json() == {"status": "ok"}
