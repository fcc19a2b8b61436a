"""What the console sends is light: the longest list, and all of its own scripts together."""

import uuid
from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import LazySettings, settings
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from console.environment import KubernetesEnvironment
from deployments.models import Cluster, Deployment
from providers.contract.status import PHASES, Phase
from templates_app.models import Model, ModelDeploymentTemplate

ROWS = 10_000
MOST_BYTES = 120_000
MOST_LINES = 100
SENTENCE = (
    "1 of 2 replicas is ready; pod support-chat-7d9f8b6c5d-x2x7k was killed for want of memory "
    "(limit 32 GiB) 4 times, the last 2 min ago."
)


@pytest.fixture
def _many(db: None, person: Callable[..., User]) -> None:
    cluster = Cluster.objects.create(name="fra-h100-production", reachable=True)
    model = Model.objects.create(id="qwen3-8b", name="Qwen3 8B", serving_name="qwen3-8b")
    template = ModelDeploymentTemplate.objects.create(
        model=model, name="chat", version="1.0.0", status="active", spec={}
    )
    now, author, phases = timezone.now(), person("olga", "deployer"), list(Phase)

    def row(number: int) -> Deployment:
        phase = phases[number % len(phases)]
        return Deployment(
            id=uuid.uuid4(),
            name=f"support-chat-for-the-whole-company-{number}",
            name_key=f"support-chat-for-the-whole-company-{number}",
            runtime_name=f"support-chat-{number}",
            kind="k8s-deployment",
            cluster=cluster,
            namespace=f"team-{number % 40}",
            model=model,
            template=template,
            template_version="1.0.0",
            serving_name="qwen3-8b",
            accelerator_type="H100",
            accelerator_count=2,
            autoscaled=True,
            phase=phase.value,
            reason="OutOfMemory",
            message=SENTENCE,
            rank=PHASES[phase].rank,
            observed_at=now,
            intent_since=now,
            created_by=author,
            created_by_name=author.username,
            created_at=now,
            updated_at=now,
        )

    Deployment.objects.bulk_create((row(number) for number in range(ROWS)), batch_size=1000)


@pytest.mark.usefixtures("_many")
def test_a_list_of_ten_thousand_is_light_and_asks_little(
    viewer: Client, settings: LazySettings, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    settings.K8S = KubernetesEnvironment()
    with django_assert_max_num_queries(10):
        answer = viewer.get("/deployments")
    assert answer.status_code == 200
    assert "10000" in answer.content.decode()
    assert len(answer.content) < MOST_BYTES


def test_our_own_scripts_are_less_than_a_hundred_lines() -> None:
    base, collected = Path(settings.BASE_DIR), Path(settings.STATIC_ROOT)
    folders = {base / "static", *base.glob("*/static")} - {collected}
    scripts = [script for folder in folders for script in folder.rglob("*.js")]
    assert scripts
    assert sum(len(script.read_text().splitlines()) for script in scripts) < MOST_LINES
