"""One template in the admin: written, shown again with what is wrong, moved on."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client

from templates_app import services
from templates_app.entries import parse_template
from templates_app.models import ModelDeploymentTemplate
from tests.web.curation.desk import SPEC, TEMPLATES, a_document, change_page, text_of


@pytest.mark.usefixtures("model")
def test_a_draft_is_written_in_yaml(curator: Client) -> None:
    assert curator.post(f"{TEMPLATES}add/", a_document()).status_code == 302
    template = ModelDeploymentTemplate.objects.get()
    assert (template.status, template.spec["accelerator"]) == ("draft", {"type": "cpu"})
    assert template.created_by
    assert template.created_by.username == "kurt"


def test_a_draft_is_edited_and_its_warnings_are_shown(
    curator: Client, draft: ModelDeploymentTemplate
) -> None:
    page = change_page(draft)
    assert "docker.io/aibrix/vllm-mock:nightly" in text_of(curator.get(page))
    spec = SPEC.replace(", image: docker.io/aibrix/vllm-mock:nightly", "")
    answer = curator.post(page, a_document(version="2.0", spec_text=spec), follow=True)
    draft.refresh_from_db()
    assert (draft.version, draft.spec["engine"]) == ("2.0", {"type": "mock"})
    assert "spec.engine.image: is missing" in text_of(answer)


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"spec_text": SPEC.replace("type: cpu", "type: cpu, count: 2")}, "spec.accelerator.count"),
        ({"spec_text": SPEC.replace("type: cpu", "type: cpu, count: 2")}, "(line 3)"),
        ({"spec_text": f"{SPEC}colour: blue\n"}, "spec.colour: is not a field"),
        ({"spec_text": f"{SPEC}engine: {{}}\n"}, "line 4"),
        ({"spec_text": "a: ["}, "line 1"),
        ({"spec_text": "# nothing"}, "spec.engine: is required"),
        ({"version": "one"}, "is not a version"),
        ({"version": "v1"}, "already has this version"),
        ({"name": "Mock CPU"}, "slug"),
    ],
)
def test_a_template_that_cannot_be_is_shown_again_as_typed_with_the_reason(
    curator: Client, draft: ModelDeploymentTemplate, fields: dict[str, str], told: str
) -> None:
    given = a_document(**fields)
    answer = curator.post(f"{TEMPLATES}add/", given)
    assert answer.status_code == 200
    assert told in text_of(answer)
    assert given["spec_text"].strip() in text_of(answer)
    assert list(ModelDeploymentTemplate.objects.all()) == [draft]


def test_a_frozen_template_is_shown_and_cannot_be_posted(
    curator: Client, active: ModelDeploymentTemplate
) -> None:
    shown = text_of(curator.get(change_page(active)))
    assert "<textarea" not in shown
    assert "uri: mock/mock" in shown
    assert curator.post(change_page(active), a_document(version="9")).status_code == 403
    active.refresh_from_db()
    assert active.version == "1.0.0"


def test_a_template_is_moved_from_its_own_page(
    curator: Client, draft: ModelDeploymentTemplate
) -> None:
    statuses = []
    for verb in ("deprecate", "activate", "deprecate", "activate"):
        curator.post(f"{TEMPLATES}{draft.pk}/move/{verb}/")
        draft.refresh_from_db()
        statuses.append(draft.status)
    assert statuses == ["draft", "active", "deprecated", "active"]


def test_a_move_is_a_post_of_a_known_verb_by_a_curator(
    curator: Client, viewer: Client, draft: ModelDeploymentTemplate
) -> None:
    move = f"{TEMPLATES}{draft.pk}/move/activate/"
    assert curator.get(move).status_code == 403
    assert curator.post(f"{TEMPLATES}{draft.pk}/move/destroy/").status_code == 404
    assert viewer.post(move, follow=True).status_code == 404
    draft.refresh_from_db()
    assert draft.status == "draft"


def test_a_new_version_opens_for_editing(curator: Client, active: ModelDeploymentTemplate) -> None:
    answer = curator.post(f"{TEMPLATES}{active.pk}/move/new-version/")
    made = ModelDeploymentTemplate.objects.get(status="draft")
    assert made.version == "1.0.1"
    assert answer.headers["Location"] == change_page(made)


def test_what_only_an_admin_may_activate_is_refused_to_a_curator(
    curator: Client, person: Callable[..., User], draft: ModelDeploymentTemplate
) -> None:
    engine = {"type": "vllm", "version": "0.11.0", "image": "x:1", "allow_remote_code": True}
    spec = draft.spec | {"engine": engine, "accelerator": {"type": "L4", "count": 1}}
    entry = parse_template(name="remote", version="1", spec=spec)
    remote = services.create_template(draft.model, entry, by=None)
    answer = curator.post(f"{TEMPLATES}{remote.pk}/move/activate/", follow=True)
    assert "only an admin may activate it" in text_of(answer)
    ada = Client()
    ada.force_login(person("ada", "admin"))
    ada.post(f"{TEMPLATES}{remote.pk}/move/activate/")
    remote.refresh_from_db()
    assert remote.status == "active"
