"""What a launch leaves on the cluster says what it was made from, whoever renders it."""

import json
from collections.abc import Callable

from deployments.models import Deployment
from deployments.selectors import current_revision
from deployments.services.clusters import target_of
from deployments.services.refs import request_of
from providers.testing.memory.cluster import MemoryCluster
from providers.testing.memory.provider import provider

Launch = Callable[..., Deployment]


def test_a_workload_names_model_template_overrides_and_who_launched_it(
    launch: Launch, memory: MemoryCluster
) -> None:
    launch(overrides={"min_replicas": 2})
    texts = [one.manifest["metadata"]["annotations"] for one in memory.objects.values()]
    told = [text["slipway.dev/launch"] for text in texts if "slipway.dev/launch" in text]
    assert len(told) == 1
    assert json.loads(told[0]) == {
        "model": "qwen3-8b",
        "template": "mock-cpu",
        "template_version": "1.0.0",
        "overrides": {"min_replicas": 2},
        "rollout": "surge",
        "created_by": "olga",
    }


def test_a_record_renders_what_its_launch_did(launch: Launch) -> None:
    deployment = launch(overrides={"min_replicas": 2})
    revision = current_revision(deployment)
    again = provider.render(request_of(deployment, revision), target_of(deployment.cluster))
    assert list(again) == revision.manifests
