"""The page of a deployment as tests ask for it."""

from django.test import Client

from deployments.models import Deployment

HTMX = {"HX-Request": "true", "HX-Trigger": "overview"}


def path_of(deployment: Deployment, rest: str = "") -> str:
    return f"/deployments/{deployment.pk}{rest}"


def shown(client: Client, path: str, **headers: str) -> str:
    answer = client.get(path, headers=headers)
    assert answer.status_code == 200
    return answer.content.decode()
