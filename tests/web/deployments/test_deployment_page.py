"""One deployment: what was read now, else what is remembered and why; and what it was made of."""

import re
from collections.abc import Callable
from datetime import timedelta
from html import unescape

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries
from ruamel.yaml import YAML

from deployments.models import Deployment, LoadTime, Revision
from providers.contract.errors import Unavailable
from providers.contract.starts import PodStart
from providers.contract.status import Evidence, Phase
from providers.testing.memory.cluster import MemoryCluster
from tests.web.deployments.seen_pages import path_of, shown

EVIL = "<script>alert(1)</script>"


def test_the_page_says_how_it_is_what_it_is_and_where_it_answers(
    viewer: Client, deployment: Deployment
) -> None:
    page = shown(viewer, path_of(deployment))
    for said in (
        "<b>Ready</b> <code>Available</code>",
        "2 of 2 replicas ready",
        "2 ready of 2 wanted",
        "seen </span><time",
        "Qwen3 0.6B",
        "mock 1.0.0",
        "harbour / models",
        deployment.runtime_name,
        "for the help desk",
        "<dt>Replicas, at least</dt>",
    ):
        assert said in page
    assert page.count("</svg>Ready</li>") == 2


def test_overrides_bear_the_words_of_the_forms(
    viewer: Client, launch: Callable[..., Deployment]
) -> None:
    made = launch(enable_auto_scaling=True, max_replicas=3)
    page = shown(viewer, path_of(made)).partition('id="overrides-title"')[2]
    told = " ".join(re.sub("<[^>]+>", " ", page).split())
    assert "Replicas, at most 3" in told
    assert "Autoscaling On" in told


def test_the_page_is_read_live_and_not_from_what_was_stored(
    viewer: Client, deployment: Deployment, runtime: MemoryCluster
) -> None:
    shown(viewer, path_of(deployment))  # once full, so that a missing replica is a fault
    runtime.ready[deployment.runtime_name] = 1
    page = shown(viewer, path_of(deployment))
    assert "<b>Degraded</b> <code>PartlyReady</code>" in page
    assert (page.count("</svg>Ready</li>"), page.count("</svg>Not ready</li>")) == (1, 1)


def test_a_cluster_that_does_not_answer_leaves_what_was_known_with_cause_and_age(
    viewer: Client, deployment: Deployment, runtime: MemoryCluster
) -> None:
    shown(viewer, path_of(deployment))
    runtime.faults["*"] = Unavailable(f"the cluster does not answer: {EVIL}")
    page = shown(viewer, path_of(deployment))
    assert "This is what was known last." in page
    assert "The cluster does not answer: &lt;script&gt;" in page
    assert "<b>Ready</b>" in page
    assert 'class="seen" data-status="stale"' in page
    assert EVIL not in page


def test_a_launch_that_loads_shows_how_far_it_has_come(
    viewer: Client, launch: Callable[..., Deployment], runtime: MemoryCluster
) -> None:
    deployment = launch()
    runtime.ready[deployment.runtime_name] = 0
    page = shown(viewer, path_of(deployment))
    states = re.findall(r'<li data-state="(\w+)"', page)
    assert states == ["done", "done", "done", "current", "ahead"]
    assert '<progress id="loading"' in page
    assert "1 min are allowed" not in page  # under two minutes it is said in seconds
    assert "60 s are allowed" in page


def test_what_somebody_else_removed_says_so_and_offers_no_address(
    viewer: Client, deployment: Deployment, runtime: MemoryCluster
) -> None:
    runtime.objects.clear()
    page = shown(viewer, path_of(deployment))
    assert "<b>Deleted</b> <code>RemovedOutside</code>" in page
    assert "It is never made again by itself" in page
    assert "endpoint-title" not in page


def test_evidence_says_where_it_was_seen_and_not_what_the_verdict_said_before(
    viewer: Client, launch: Callable[..., Deployment], runtime: MemoryCluster
) -> None:
    deployment = launch()
    runtime.faults["get"] = Unavailable("it is away")
    fell = Evidence(reason="CrashLoop", message="it fell", object="Pod p-1")
    other = Evidence(reason="Probe", message="it is slow", object="Pod p-2")
    Deployment.objects.update(
        phase=Phase.FAILED.value,
        reason=fell.reason,
        message=f"0 of 1 replicas ready; {fell.message}",
        evidence=[fell.as_dict(), other.as_dict()],
    )
    page = shown(viewer, path_of(deployment))
    assert page.lower().count(fell.message) == 1
    assert all(words in page for words in ("Pod p-1", "It is slow", "Pod p-2"))


def test_words_of_any_origin_are_text_never_markup(
    viewer: Client, launch: Callable[..., Deployment], runtime: MemoryCluster
) -> None:
    deployment = launch()
    runtime.faults["get"] = Unavailable("it is away")
    evidence = Evidence(reason=EVIL, message=EVIL, object=EVIL).as_dict()
    Deployment.objects.update(
        name=EVIL,
        message=EVIL,
        reason=EVIL[:60],
        serving_name=f"'{EVIL}",
        created_by_name=EVIL,
        overrides={EVIL: {EVIL: EVIL}},
        evidence=[evidence, evidence],
        notes=[evidence],
        endpoint={"url": f"http://x/{EVIL}", "external_url": "", "port_forward": EVIL},
    )
    for rest in ("", "/manifests"):
        page = shown(viewer, path_of(deployment, rest))
        assert EVIL not in page
        assert "&lt;script&gt;" in page
    assert EVIL not in shown(viewer, "/deployments")


def test_the_manifests_are_those_of_the_revision_line_by_line(
    viewer: Client, deployment: Deployment
) -> None:
    page = shown(viewer, path_of(deployment, "/manifests"))
    blocks = re.findall(r'<pre id="manifest-\d+"[^>]*>(.*?)</pre>', page, re.DOTALL)
    texts = [unescape(re.sub(r"<[^>]+>", "", block)) for block in blocks]
    stored = Revision.objects.get().manifests
    assert [YAML(typ="safe").load(text) for text in texts] == stored
    assert '<span class="key">apiVersion</span>: ' in page


def test_the_download_is_every_object_in_the_order_of_apply(
    viewer: Client, deployment: Deployment
) -> None:
    answer = viewer.get(path_of(deployment, "/manifests.yaml"))
    assert answer.headers["Content-Type"] == "application/yaml"
    assert f"{deployment.runtime_name}.yaml" in answer.headers["Content-Disposition"]
    documents = list(YAML(typ="safe").load_all(answer.content.decode()))
    assert documents == Revision.objects.get().manifests


@pytest.mark.parametrize("changes", [1, 200])
def test_the_page_takes_as_many_queries_however_long_its_history(
    viewer: Client,
    deployment: Deployment,
    changes: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    shown(viewer, path_of(deployment))
    for _ in range(changes):
        deployment.status_changes.create(phase="Ready", reason="Available", at=timezone.now())
    # session, person, role, deployment, template, newer versions of that, revision, changes;
    # the banners' cluster and beat
    with django_assert_num_queries(10):
        page = shown(viewer, path_of(deployment))
    assert page.count('title="') <= 8


@pytest.mark.parametrize(("spent", "begin"), [(60, "On its node"), (900, "Longer than usual")])
def test_a_launch_is_held_against_those_that_came_up_before(
    viewer: Client,
    launch: Callable[..., Deployment],
    runtime: MemoryCluster,
    spent: int,
    begin: str,
) -> None:
    first, now = launch("first"), timezone.now()
    for number in range(3):
        LoadTime.objects.create(
            template=first.template, deployment=first, pod_uid=f"a-{number}", seconds=420, at=now
        )
    deployment = launch()
    runtime.ready[deployment.runtime_name] = 0
    on_way = PodStart(pod_uid="b", scheduled_at=now - timedelta(seconds=spent))
    runtime.starts[deployment.runtime_name] = (on_way,)
    page = shown(viewer, path_of(deployment))
    assert begin in page
    assert "usually 7 min, from 3 starts." in page
    assert ('class="so-far" data-tone="warn"' in page) is (spent == 900)
