"""What others changed on its page: told, put back after a question, taken over by a review."""

from collections.abc import Callable

import pytest
from django.test import Client

from deployments.models import AuditEntry, Deployment, Operation
from providers.contract.errors import Unavailable
from providers.testing.memory.cluster import MemoryCluster, StoredObject

Meddle = Callable[..., None]


@pytest.fixture
def meddle(runtime: MemoryCluster, deployment: Deployment) -> Meddle:
    """Change the spec of the one workload as a stranger would."""
    del deployment  # there must be one

    def run(**spec: object) -> None:
        stored = workload_of(runtime)
        stored.manifest = {**stored.manifest, "spec": {**stored.manifest["spec"], **spec}}

    return run


def workload_of(runtime: MemoryCluster) -> StoredObject:
    return next(s for key, s in runtime.objects.items() if key.kind == "MemoryWorkload")


def replicas_of(runtime: MemoryCluster) -> int:
    return int(workload_of(runtime).manifest["spec"]["replicas"])


def page_of(client: Client, deployment: Deployment, *, step: str = "") -> str:
    answer = client.get(f"/deployments/{deployment.pk}/drift{step}")
    assert answer.status_code == 200
    return answer.content.decode()


def digest_in(html: str) -> str:
    return html.partition('name="digest" value="')[2].partition('"')[0]


def test_where_nothing_differs_the_page_says_so_and_offers_nothing(
    owner: Client, deployment: Deployment
) -> None:
    html = page_of(owner, deployment)

    assert "Nothing differs from revision 1" in html
    assert "Put it back" not in html


def test_a_field_is_told_with_both_values_and_what_can_be_done(
    owner: Client, deployment: Deployment, meddle: Meddle
) -> None:
    meddle(replicas=3)

    html = page_of(owner, deployment)

    assert "1 field differs from revision 1" in html
    assert "<code>spec.replicas</code>" in html
    assert "<code>2</code>" in html
    assert "<code>3</code>" in html
    assert "unknown manager" in html
    assert "Taken over as min_replicas = 3." in html
    review = f"/deployments/{deployment.pk}/change/review?base=1&amp;min_replicas=3"
    assert review in html


def test_whoever_may_not_change_it_only_looks(
    viewer: Client, member: Client, deployment: Deployment, meddle: Meddle
) -> None:
    meddle(replicas=3)

    for client in (viewer, member):
        html = page_of(client, deployment)
        assert "spec.replicas" in html
        assert "Put it back" not in html
        assert "Take it over" not in html
        address = f"/deployments/{deployment.pk}/drift/put-back"
        assert client.post(address, {"digest": "x"}).status_code == 403


def test_no_replicas_are_taken_over_as_a_stop(
    owner: Client, deployment: Deployment, meddle: Meddle
) -> None:
    meddle(replicas=0)

    assert "change/review?base=1&amp;stopped=true" in page_of(owner, deployment)


def test_a_stopped_one_that_others_started_is_taken_over_as_a_start(
    owner: Client, deployment: Deployment, meddle: Meddle
) -> None:
    Deployment.objects.filter(pk=deployment.pk).update(intent="stopped")
    meddle(replicas=3)

    html = page_of(owner, deployment)

    assert "change/review?base=1&amp;stopped=false&amp;min_replicas=3" in html


def test_what_is_put_back_is_what_the_question_showed(
    owner: Client, deployment: Deployment, meddle: Meddle, runtime: MemoryCluster
) -> None:
    meddle(replicas=3)
    question = page_of(owner, deployment, step="/put-back")
    assert "Put back 1 field?" in question
    assert "No pod is replaced by it." in question

    body = {"digest": digest_in(question), "reason": "nobody asked"}
    answer = owner.post(f"/deployments/{deployment.pk}/drift/put-back", body, follow=True)

    assert answer.redirect_chain == [(f"/deployments/{deployment.pk}/drift", 302)]
    assert "Put back as it was applied." in answer.content.decode()
    assert replicas_of(runtime) == 2
    begun = AuditEntry.objects.filter(action="deployment.put_back").order_by("id").first()
    assert begun is not None
    assert (begun.reason, begun.source) == ("nobody asked", "page")


def test_what_changed_since_the_question_is_not_overwritten(
    owner: Client, deployment: Deployment, meddle: Meddle, runtime: MemoryCluster
) -> None:
    meddle(replicas=3)
    digest = digest_in(page_of(owner, deployment, step="/put-back"))
    meddle(replicas=4)

    address = f"/deployments/{deployment.pk}/drift/put-back"
    answer = owner.post(address, {"digest": digest}, follow=True)

    assert "Not put back." in answer.content.decode()
    assert replicas_of(runtime) == 4


def test_a_cluster_that_falls_silent_is_waited_for(
    owner: Client, deployment: Deployment, meddle: Meddle, runtime: MemoryCluster
) -> None:
    meddle(replicas=3)
    digest = digest_in(page_of(owner, deployment, step="/put-back"))
    runtime.faults["put_back"] = Unavailable("the cluster is silent")

    address = f"/deployments/{deployment.pk}/drift/put-back"
    html = owner.post(address, {"digest": digest}, follow=True).content.decode()

    assert "the console puts it back by itself" in html
    assert "Nothing was compared: A change of support-chat is on its way" in html
    assert Operation.objects.unfinished().count() == 1


def test_a_reason_that_is_too_long_is_told_beside_its_field(
    owner: Client, deployment: Deployment, meddle: Meddle, runtime: MemoryCluster
) -> None:
    meddle(replicas=3)
    digest = digest_in(page_of(owner, deployment, step="/put-back"))

    address = f"/deployments/{deployment.pk}/drift/put-back"
    answer = owner.post(address, {"digest": digest, "reason": "x" * 501})

    assert answer.status_code == 422
    assert "Say it in at most 500 characters." in answer.content.decode()
    assert replicas_of(runtime) == 3


def test_a_question_about_nothing_leads_back_to_the_page(
    owner: Client, deployment: Deployment
) -> None:
    answer = owner.get(f"/deployments/{deployment.pk}/drift/put-back")

    assert (answer.status_code, answer["Location"]) == (302, f"/deployments/{deployment.pk}/drift")


def test_a_silent_cluster_is_told_in_place_of_the_table(
    owner: Client, deployment: Deployment, runtime: MemoryCluster
) -> None:
    runtime.faults["drift"] = Unavailable("the cluster is silent")

    assert "Nothing was compared: The cluster is silent" in page_of(owner, deployment)


def test_a_stranger_finds_nothing(stranger: Client, deployment: Deployment) -> None:
    assert stranger.get(f"/deployments/{deployment.pk}/drift").status_code == 404


def test_the_review_of_a_change_says_what_of_theirs_it_puts_back(
    owner: Client, deployment: Deployment, meddle: Meddle
) -> None:
    review = f"/deployments/{deployment.pk}/change/review?base=1&min_replicas="
    meddle(replicas=3)

    taken, undone = (owner.get(f"{review}{number}").content.decode() for number in (3, 4))

    assert "This also puts back" not in taken
    assert "This also puts back what others changed:</b> <code>spec.replicas</code>" in undone


def test_the_review_of_a_change_says_that_pods_are_replaced_by_what_it_puts_back(
    owner: Client, deployment: Deployment, meddle: Meddle, runtime: MemoryCluster
) -> None:
    review = f"/deployments/{deployment.pk}/change/review?base=1&min_replicas=3"
    before = owner.get(review).content.decode()
    meddle(pod={**workload_of(runtime).manifest["spec"]["pod"], "image": "theirs"})

    html = owner.get(review).content.decode()

    assert "No pod restarts" in before
    assert "<code>spec.pod.image</code>. Pods are replaced by it." in html
    assert "No pod restarts" not in html
    assert "The change itself restarts no pod" in html
