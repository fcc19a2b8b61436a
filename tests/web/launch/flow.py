"""A person on the way through the launch flow: what they entered, and what the steps answer."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlencode

from django.test import Client
from django.utils import timezone

from deployments.models import Cluster, Deployment, LoadTime
from templates_app.models import ModelDeploymentTemplate

MakeTemplate = Callable[..., ModelDeploymentTemplate]

STEPS = {
    "model": "/launch",
    "template": "/launch/template",
    "place": "/launch/place",
    "overrides": "/launch/overrides",
    "review": "/launch/review",
}
HTMX = {"HX-Request": "true"}


@dataclass(frozen=True)
class Flow:
    """A person on the way through the steps, with what they have entered."""

    client: Client
    entered: dict[str, str] = field(default_factory=dict)

    def entering(self, **changes: str | None) -> "Flow":
        """Return the same way with other values; None takes one out, `arg__x` means `arg.x`."""
        named = {name.replace("__", "."): value for name, value in changes.items()}
        merged: dict[str, str | None] = {**self.entered, **named}
        return replace(self, entered={k: v for k, v in merged.items() if v is not None})

    def url(self, step: str) -> str:
        return f"{STEPS[step]}?{urlencode(self.entered)}"

    def get(self, step: str, *, htmx: bool = False) -> Any:
        return self.client.get(self.url(step), headers=HTMX if htmx else {})

    def page(self, step: str, *, status: int = 200) -> str:
        """Return a step's page; it must answer with the status."""
        answer = self.get(step)
        assert answer.status_code == status, answer.headers.get("Location", answer.content)
        return str(answer.content.decode())

    def sent_back(self, step: str) -> "tuple[str, str]":
        """Return the path that a step leads back to, and what that page says."""
        answer = self.get(step)
        assert answer.status_code == 302, answer.content.decode()
        there = answer.headers["Location"]
        page = self.client.get(there)
        assert page.status_code == 422, page.headers.get("Location", page.content)
        return there.partition("?")[0], page.content.decode()

    def post(self, data: dict[str, object], *, htmx: bool = False) -> Any:
        return self.client.post(self.url("review"), data, headers=HTMX if htmx else {})

    def review(self, **more: object) -> dict[str, object]:
        """Return what the form of the review would send, every warning ticked."""
        answer = self.get("review")
        assert answer.status_code == 200, answer.headers.get("Location", answer.content)
        context = answer.context
        keys = [one.key for one in context["checks"].warnings]
        return {
            "launch": context["preview"].launch,
            "warned": keys,
            "ticked": keys,
            "reason": "",
            **more,
        }


def came_up(template: ModelDeploymentTemplate, *seconds: int) -> None:
    """Let replicas of a template have come up within so many seconds each."""
    now = timezone.now()
    deployment = Deployment.objects.create(
        cluster=Cluster.objects.all()[0],
        model=template.model,
        template=template,
        intent_since=now,
        created_at=now,
        updated_at=now,
    )
    for number, took in enumerate(seconds):
        LoadTime.objects.create(
            template=template,
            deployment=deployment,
            pod_uid=f"pod-{number}",
            seconds=took,
            at=now,
        )
