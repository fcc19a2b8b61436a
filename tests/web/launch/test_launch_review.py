"""The last step: what will happen, every check, the exact manifests, and one launch per review."""

import re
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from deployments.models import AuditEntry, Cluster, Deployment
from providers.contract.errors import Rejected, Unavailable
from providers.testing.memory.cluster import MemoryCluster
from templates_app.models import ModelDeploymentTemplate
from tests.web.launch.flow import Flow, MakeTemplate, came_up

WARNING = {"scaling_defaults": {"min_replicas": 1, "max_replicas": 1, "enable_auto_scaling": True}}


@pytest.fixture
def warned(flow: Flow, make_template: MakeTemplate) -> Flow:
    """A launch with one warning: autoscaling without room to move."""
    return flow.entering(template=str(make_template("tight", **WARNING).pk))


def launched(answer: Any) -> Deployment:
    """Return what a POST launched, after it has led to that deployment's page."""
    assert answer.status_code == 302, answer.content
    (deployment,) = Deployment.objects.all()
    assert answer.headers["Location"] == f"/deployments/{deployment.pk}"
    return deployment


def test_the_review_says_in_words_what_will_happen(flow: Flow) -> None:
    grown = flow.entering(min_replicas="2", enable_auto_scaling="true", max_replicas="4")
    page = re.sub(r"\s+", " ", grown.page("review"))
    for piece in (
        "creates <b>2 objects</b> for one <b>In memory</b> in namespace <b>models</b>",
        " on <b>harbour</b>",
        "2 replicas of <b>Qwen3 8B</b>",
        "each with <b>2 × H100",
        "and grow to 4 when cpu is high",
        " clients ask for model <code>qwen3-8b</code>.",
        "3 values differ from the template mock 1.0.0: replicas, at least <b>2</b>",
        "autoscaling <b>on</b>, replicas, at most <b>4</b>.",
        "in use by others 7, needed now 4, more at max replicas 4, stay free 1",
    ):
        assert piece in page
    assert Deployment.objects.count() == 0


def test_the_exact_manifests_are_shown(flow: Flow, runtime: MemoryCluster) -> None:
    page = flow.page("review")
    assert page.count('<details class="manifest">') == 2
    assert "docs-chat-" in page
    assert runtime.objects == {}


def test_what_the_overrides_made_of_the_manifests_is_marked(flow: Flow) -> None:
    assert "<mark" not in flow.page("review")
    page = flow.entering(min_replicas="2").page("review")
    marked = re.findall(r'<mark class="line">(.*?)</mark>', page, re.DOTALL)
    told = [re.sub(r"<[^>]*>", "", line).strip() for line in marked]
    assert told == ["max_replicas: 2", "replicas: 2"]
    assert "2 set by your overrides" in page


def test_launching_makes_what_was_reviewed_and_leads_to_the_deployment(
    flow: Flow, runtime: MemoryCluster
) -> None:
    deployment = launched(flow.post(flow.review(reason="for the docs")))
    assert deployment.name == "Docs chat"
    assert deployment.created_by_name == "olga"
    assert len(runtime.objects) == 2
    entry = AuditEntry.objects.filter(action="deployment.create").earliest("at")
    assert (entry.source, entry.reason, entry.actor_name) == ("page", "for the docs", "olga")


def test_launching_over_htmx_leads_there_as_a_whole_page(flow: Flow) -> None:
    answer = flow.post(flow.review(), htmx=True)
    (deployment,) = Deployment.objects.all()
    assert answer.headers["HX-Redirect"] == f"/deployments/{deployment.pk}"


@pytest.mark.parametrize(("way", "step"), [("overrides", "overrides"), ("review", "review")])
def test_leaving_the_review_launches_nothing_and_keeps_the_reason(
    flow: Flow, way: str, step: str
) -> None:
    left = flow.post(flow.review(reason="for the docs", leave=way))
    assert (left.status_code, left.headers["Location"]) == (302, flow.url(step))
    assert not Deployment.objects.exists()
    assert 'value="for the docs"' in flow.page("review")
    launched(flow.post(flow.review(reason="for the docs")))
    assert 'value="for the docs"' not in flow.entering(name="Other").page("review")


def test_only_what_differs_from_the_template_becomes_an_override(flow: Flow) -> None:
    same = flow.entering(min_replicas="1", max_replicas="2", arg__max_model_len="16384")
    assert launched(same.post(same.review())).overrides == {
        "engine_args": {"max_model_len": "16384"}
    }


def test_a_double_submit_launches_once_and_answers_the_same(flow: Flow) -> None:
    form = flow.review()
    first, second = flow.post(form), flow.post(form)
    assert launched(first) == launched(second)


def test_two_reviews_are_two_launches(flow: Flow) -> None:
    flow.post(flow.review())
    other = flow.entering(name="Other")
    assert other.post(other.review()).status_code == 302
    assert Deployment.objects.count() == 2


def test_what_changed_since_the_review_is_shown_and_nothing_is_launched(
    flow: Flow, template: ModelDeploymentTemplate, runtime: MemoryCluster
) -> None:
    form = flow.review()
    engine = {**template.spec["engine"], "image": "docker.io/other/image:2"}
    ModelDeploymentTemplate.objects.update(spec={**template.spec, "engine": engine})
    answer = flow.post({**form, "reason": "keep me"})
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "What changed since your review" in page
    assert "no longer what you reviewed" in page
    assert "<ins>docker.io/other/image:2</ins>" in page
    assert "/digest" not in page.partition("What will happen")[0]
    assert 'value="keep me"' in page
    assert (Deployment.objects.count(), runtime.objects) == (0, {})


def test_a_failed_check_disables_the_launch_and_links_to_its_cure(
    flow: Flow, runtime: MemoryCluster
) -> None:
    kinds = {manifest["kind"] for manifest in flow.get("review").context["preview"].manifests}
    for kind in kinds:
        runtime.refusals[kind] = Rejected(
            "quota exceeded", code="QuotaExceeded", field="overrides.min_replicas"
        )
    page = flow.page("review")
    assert "Quota exceeded" in page
    assert 'disabled aria-describedby="launch-why"' in page
    assert "failed" in page
    assert re.search(r'#field-min_replicas">Change replicas, at least</a>', page)
    assert 'type="checkbox"' not in page


def test_a_launch_that_the_cluster_refuses_is_told_with_its_words(
    flow: Flow, runtime: MemoryCluster
) -> None:
    form = flow.review()
    runtime.namespaces = set()
    answer = flow.post(form)
    assert answer.status_code == 422
    assert "Nothing was launched." in answer.content.decode()
    assert Deployment.objects.open().count() == 0


def test_a_warning_must_be_ticked(warned: Flow) -> None:
    page = warned.page("review")
    assert "no autoscaler is made" in page
    assert "1 warning to tick first." in page
    form = warned.review(ticked=[], reason="keep me")
    answer = warned.post(form)
    assert answer.status_code == 422
    assert "Tick every warning below first" in answer.content.decode()
    assert 'value="keep me"' in answer.content.decode()
    assert Deployment.objects.count() == 0
    launched(warned.post({**form, "ticked": form["warned"]}))


def test_a_silent_cluster_is_one_unknown_check(flow: Flow, runtime: MemoryCluster) -> None:
    runtime.faults["*"] = Unavailable("no route to host", code="Unreachable")
    page = flow.page("review")
    assert "1 unknown" in page
    assert "No route to host" in page
    assert "disabled" not in page


def test_launching_on_a_silent_cluster_is_told_and_nothing_is_lost(
    flow: Flow, runtime: MemoryCluster
) -> None:
    form = flow.review(reason="keep me")
    runtime.faults["*"] = Unavailable("no route to host", code="Unreachable")
    answer = flow.post(form)
    page = answer.content.decode()
    assert answer.status_code == 503
    assert "Nothing was launched." in page
    assert 'value="keep me"' in page
    assert Deployment.objects.count() == 0
    runtime.faults.clear()
    launched(flow.post(form))


@pytest.mark.parametrize("token", ["", "nonsense"])
def test_without_a_review_nothing_is_launched(flow: Flow, token: str) -> None:
    answer = flow.post({**flow.review(), "launch": token})
    assert answer.status_code == 422
    assert "Nothing was launched." in answer.content.decode()
    assert Deployment.objects.count() == 0


def test_another_person_s_review_is_not_taken(flow: Flow, member: Client) -> None:
    form = flow.review()
    answer = Flow(client=member, entered=flow.entered).post(form)
    assert answer.status_code == 422
    assert Deployment.objects.count() == 0


def test_a_name_taken_meanwhile_leads_back_to_the_name(flow: Flow) -> None:
    form = flow.review()
    flow.post(flow.review())
    answer = flow.post(form)
    assert answer.status_code == 302
    assert answer.headers["Location"].startswith("/launch/overrides?")
    page = flow.client.get(answer.headers["Location"]).content.decode()
    assert "is taken in the namespace models" in page


def test_a_review_without_a_name_leads_back(flow: Flow) -> None:
    where, page = flow.entering(name=None).sent_back("review")
    assert where == "/launch/overrides"
    assert "Give the deployment a name first." in page


def test_names_of_every_origin_are_text_never_markup(flow: Flow, runtime: MemoryCluster) -> None:
    runtime.faults["preflight"] = Unavailable("<img src=x onerror=y>", code="Unreachable")
    page = flow.entering(name="<script>x</script>").page("review")
    assert "<script>x" not in page
    assert "<img" not in page


def test_a_cluster_switched_off_meanwhile_leads_back_to_the_place(flow: Flow) -> None:
    form = flow.review()
    Cluster.objects.update(enabled=False)
    answer = flow.post(form)
    assert answer.headers["Location"].startswith("/launch/place?")


def test_steps_may_be_kept_by_a_browser_for_its_back_button(flow: Flow) -> None:
    for step in ("model", "template", "place", "overrides"):
        assert flow.get(step).headers["Cache-Control"] == "private, no-cache"


def test_the_review_is_never_kept_by_a_browser_and_weighs_little(
    flow: Flow, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    flow.page("review")
    with django_assert_num_queries(23):
        answer = flow.get("review")
    assert "no-store" in answer.headers["Cache-Control"]
    assert len(answer.content) < 60_000


def test_the_review_says_how_long_it_usually_takes(flow: Flow) -> None:
    assert "usually" not in flow.page("review")
    came_up(ModelDeploymentTemplate.objects.get(), 50)
    assert "; one start so far took 50 s." in flow.page("review")


def test_a_reason_that_is_too_long_is_named_marked_and_kept(flow: Flow) -> None:
    answer = flow.post(flow.review(reason="x" * 2001))
    page = answer.content.decode()
    assert answer.status_code == 422
    assert '<a href="#reason">Reason</a>: must have at most 2000 characters.' in page
    assert '<p class="error" id="reason-error">Must have at most 2000 characters.</p>' in page
    assert 'value="' + "x" * 2001 in page
    assert not Deployment.objects.exists()
