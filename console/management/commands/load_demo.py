"""Launches a few models on the simulated cluster, so that a new console has something to show."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand

from deployments.exceptions import SlipwayError
from deployments.models import Cluster, Deployment
from deployments.services.auditing import Origin
from deployments.services.clusters import SANDBOX_NAME, synchronise_default_cluster
from deployments.services.launching import create_deployment
from deployments.services.orders import read_order
from templates_app.exceptions import CatalogueError
from templates_app.seeding import load_and_activate_catalog
from templates_app.selectors import find_model, find_template_by_name

DEMO = Path(__file__).resolve().parents[2] / "demo"
# Name, model, template, namespace, replicas.
LAUNCHES: Sequence[tuple[str, str, str, str, int]] = (
    ("support-chat", "qwen3-8b", "vllm-l40s", "models", 2),
    ("math-tutor", "llama-3-1-8b-instruct", "sglang-h100", "research", 1),
    ("translation", "mistral-small-24b-instruct", "vllm-h100", "models", 1),
    ("archive-search", "faults", "slow-load", "playground", 1),
    ("invoice-reader", "faults", "image-not-found", "models", 1),
    ("meeting-notes", "faults", "oom", "playground", 2),
    ("long-context-lab", "qwen3-235b-a22b-instruct-2507", "vllm-8xh100", "playground", 1),
)


class Command(BaseCommand):
    help = "Launch a few models on the simulated cluster, once."

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Do nothing where there is no simulated cluster, or something was launched before."""
        synchronise_default_cluster()
        is_simulated = Cluster.objects.enabled().filter(name=SANDBOX_NAME).exists()
        user = User.objects.filter(is_superuser=True, is_active=True).order_by("pk").first()
        if not is_simulated or user is None or Deployment.objects.exists():
            return
        load_and_activate_catalog(DEMO)
        for launch in LAUNCHES:
            self._launch(launch, user)

    def _launch(self, launch: tuple[str, str, str, str, int], user: User) -> None:
        """Launch one; what cannot be launched is said and keeps none of the others away."""
        try:
            order = read_order(_body(*launch))
            create_deployment(order, user=user, origin=Origin())
        except (CatalogueError, SlipwayError) as refusal:
            self.stderr.write(f"{launch[0]}: {refusal.message}")


def _body(name: str, model: str, template: str, namespace: str, replicas: int) -> Mapping[str, Any]:
    found = find_template_by_name(find_model(model), template)
    return {
        "name": name,
        "template": {"model_id": model, "template_id": str(found.pk)},
        "target": {"cluster": SANDBOX_NAME, "namespace": namespace},
        "overrides": {"min_replicas": replicas},
    }
