"""Pods on the page of a deployment: a few lines, those in trouble first, from one live reading."""

import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

from django.test import Client
from django.utils import timezone

from deployments.models import Deployment
from providers.contract.errors import Unavailable
from providers.contract.pods import PodLine
from providers.testing.memory.cluster import MemoryCluster
from tests.web.deployments.seen_pages import path_of, shown


def pod(name: str, tone: str = "ok", **facts: Any) -> PodLine:
    made = timezone.now() - timedelta(minutes=48)
    line = PodLine(name=name, tone=tone, state="Running", node="fra-gpu-03", created_at=made)
    return replace(line, **facts)


def rows(page: str) -> list[str]:
    body = page.partition('<table class="pods"')[2].partition("</table>")[0]
    found = re.findall(r"<tr[^>]*>(.*?)</tr>", body.partition("<tbody")[2], re.DOTALL)
    return [" ".join(re.sub("<[^>]+>", " ", row).split()) for row in found]


def test_a_pod_tells_its_state_node_restarts_and_age_and_leads_to_its_object(
    viewer: Client, deployment: Deployment, runtime: MemoryCluster
) -> None:
    fallen = pod("chat-b", "fail", state="CrashLoopBackOff", restarts=2)
    waiting = pod("chat-c", "progress", state="Pending", node="", current=False)
    runtime.pods[deployment.runtime_name] = (pod("chat-a"), waiting, fallen)
    page = shown(viewer, path_of(deployment))
    assert rows(page) == [
        "chat-b CrashLoopBackOff on fra-gpu-03 2 restarts made 48 min ago",
        "chat-c earlier revision Pending no node yet 0 restarts made 48 min ago",
        "chat-a Running on fra-gpu-03 0 restarts made 48 min ago",
    ]
    assert f'href="{path_of(deployment, "/resources#Pod-chat-b")}"' in page


def test_of_many_pods_a_few_are_listed_and_the_others_counted(
    viewer: Client, deployment: Deployment, runtime: MemoryCluster
) -> None:
    runtime.pods[deployment.runtime_name] = tuple(pod(f"chat-{n:02}") for n in range(50))
    page = shown(viewer, path_of(deployment))
    assert len(rows(page)) == 8
    assert f'href="{path_of(deployment, "/resources")}" id="every-pod">and 42 more pods</a>' in page


def test_what_no_pod_is_seen_of_shows_the_replicas_alone(
    viewer: Client, deployment: Deployment, runtime: MemoryCluster
) -> None:
    page = shown(viewer, path_of(deployment))
    assert (rows(page), page.count("</svg>Ready</li>")) == ([], 2)
    runtime.pods[deployment.runtime_name] = (pod("chat-a"),)
    runtime.faults["*"] = Unavailable("it is away")
    assert rows(shown(viewer, path_of(deployment))) == []


def test_names_of_pods_are_text_never_markup(
    viewer: Client, deployment: Deployment, runtime: MemoryCluster
) -> None:
    evil = "<script>alert(1)</script>"
    runtime.pods[deployment.runtime_name] = (pod(evil, node=evil, state=evil),)
    assert evil not in shown(viewer, path_of(deployment))
