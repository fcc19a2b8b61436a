from collections.abc import Callable
from uuid import uuid4

import pytest
from django.contrib.auth.models import User

from templates_app import services
from templates_app.exceptions import (
    CatalogueError,
    IllegalMove,
    NameTaken,
    NotActivable,
    TemplateFrozen,
    TemplateMissing,
)
from templates_app.models import Model, ModelDeploymentTemplate
from templates_app.signals import Change

from .conftest import a_spec, an_entry

Template = ModelDeploymentTemplate


def test_a_new_template_is_a_draft_of_whoever_made_it(model: Model, curator: User) -> None:
    template = services.create_template(model, an_entry(), by=curator)
    assert (template.status, template.created_by) == ("draft", curator)


@pytest.mark.parametrize("version", ["1.0.0", "v1.0.0", "1.0", "v1"])
def test_a_version_is_taken_in_every_spelling(draft: Template, version: str) -> None:
    with pytest.raises(NameTaken) as caught:
        services.create_template(draft.model, an_entry(version=version), by=None)
    assert list(caught.value.fields) == ["version"]
    assert Template.objects.count() == 1


def test_a_draft_may_change_altogether(draft: Template) -> None:
    entry = an_entry(name="other", version="2.0", spec=a_spec(resources={"cpu": "2"}))
    services.update_template(draft, entry, by=None)
    draft.refresh_from_db()
    assert (draft.name, draft.version, draft.spec["resources"]) == ("other", "2.0", {"cpu": "2"})


def test_a_draft_cannot_become_what_another_is(draft: Template) -> None:
    other = services.create_template(draft.model, an_entry(version="2"), by=None)
    with pytest.raises(NameTaken):
        services.update_template(other, an_entry(version="1"), by=None)


@pytest.mark.parametrize("status", ["active", "deprecated"])
@pytest.mark.parametrize(
    "entry",
    [
        an_entry(name="other"),
        an_entry(version="v1.0.0"),
        an_entry(spec=a_spec(resources={"cpu": "2"})),
    ],
    ids=["name", "version", "spec"],
)
def test_what_has_been_active_is_frozen(active: Template, status: str, entry: object) -> None:
    services.move_template(active, status=status, by=None)
    with pytest.raises(TemplateFrozen):
        services.update_template(active, entry, by=None)  # type: ignore[arg-type]
    active.refresh_from_db()
    assert (active.name, active.version, active.spec) == ("mock-cpu", "1.0.0", a_spec())


def test_a_frozen_template_may_be_replaced_by_itself(active: Template) -> None:
    replaced = services.replace_template(active, an_entry(), status="deprecated", by=None)
    assert replaced.status == "deprecated"


def test_a_replacement_that_cannot_be_activated_changes_nothing(draft: Template) -> None:
    spec = a_spec(engine={"type": "llamacpp", "version": "b10434"})
    del spec["model_source"]
    with pytest.raises(NotActivable):
        services.replace_template(draft, an_entry(spec=spec), status="active", by=None)
    draft.refresh_from_db()
    assert (draft.spec, draft.status) == (a_spec(), "draft")


MOVES = {
    ("draft", "active"): None,
    ("draft", "draft"): None,
    ("draft", "deprecated"): IllegalMove,
    ("active", "active"): None,
    ("active", "deprecated"): None,
    ("active", "draft"): IllegalMove,
    ("deprecated", "active"): None,
    ("deprecated", "deprecated"): None,
    ("deprecated", "draft"): IllegalMove,
}


@pytest.mark.parametrize(("move", "error"), MOVES.items(), ids=str)
def test_a_template_moves_from_draft_to_active_to_deprecated_and_back(
    draft: Template, move: tuple[str, str], error: type[CatalogueError] | None
) -> None:
    before, after = move
    Template.objects.update(status=before)
    if error:
        with pytest.raises(error):
            services.move_template(Template.objects.get(), status=after, by=None)
    else:
        services.move_template(Template.objects.get(), status=after, by=None)
    assert Template.objects.get().status == (before if error else after)


def test_a_verb_believes_the_database_and_not_what_it_is_given(active: Template) -> None:
    stale = Template.objects.get()
    stale.status = "draft"
    with pytest.raises(TemplateFrozen):
        services.update_template(stale, an_entry(name="other"), by=None)


def test_a_missing_image_is_a_warning_and_no_refusal(model: Model) -> None:
    template = services.create_template(
        model, an_entry(spec=a_spec(engine={"type": "mock"})), by=None
    )
    assert "spec.engine.image" in {notice.path for notice in services.warnings_of(template)}
    assert services.activate_template(template, by=None).status == "active"


@pytest.mark.parametrize(
    ("kind", "warned"),
    [("kserve-inferenceservice", set()), ("k8s-deployment", {"spec.serving_runtime"})],
)
def test_a_model_by_its_format_needs_no_image_but_a_kind_that_knows_runtimes(
    model: Model, kind: str, warned: set[str]
) -> None:
    spec = a_spec(
        engine={"type": "mock"},
        serving_runtime={"format": "mock"},
        compatibility={"implementation_kinds": [kind]},
    )
    template = services.create_template(model, an_entry(spec=spec), by=None)
    assert {notice.path for notice in services.warnings_of(template)} == warned


def test_a_template_without_any_source_cannot_be_activated(model: Model) -> None:
    spec = a_spec(engine={"type": "llamacpp", "version": "b10434", "image": "docker.io/x/y:1"})
    del spec["model_source"]
    template = services.create_template(model, an_entry(spec=spec), by=None)
    with pytest.raises(NotActivable) as caught:
        services.activate_template(template, by=None)
    assert "spec.model_source" in caught.value.fields
    assert Template.objects.get().status == "draft"


def test_a_refusal_of_the_engine_stops_activation_and_is_a_warning_before(model: Model) -> None:
    spec = a_spec(
        engine={"type": "vllm", "version": "0.33.0", "image": "docker.io/vllm/vllm-openai:v0.33.0"},
        accelerator={"type": "L4", "count": 1},
        quantization={"weight": "int4"},
    )
    template = services.create_template(model, an_entry(spec=spec), by=None)
    assert "spec.quantization.weight" in {n.path for n in services.warnings_of(template)}
    with pytest.raises(NotActivable) as caught:
        services.activate_template(template, by=None)
    assert "spec.quantization.weight" in caught.value.fields


def test_unknown_kinds_and_a_cpu_signal_for_an_accelerator_are_warned_of(model: Model) -> None:
    spec = a_spec(
        accelerator={"type": "L4", "count": 1},
        compatibility={"implementation_kinds": ["no-such-kind"]},
        scaling_defaults={"max_replicas": 2, "enable_auto_scaling": True},
    )
    template = services.create_template(model, an_entry(spec=spec), by=None)
    paths = {notice.path for notice in services.warnings_of(template)}
    assert paths >= {
        "spec.compatibility.implementation_kinds",
        "spec.scaling_defaults.metric.type",
    }


def test_a_stored_spec_that_the_schema_no_longer_takes_is_told_not_raised(draft: Template) -> None:
    Template.objects.update(spec={"engine": {"type": "trtllm"}})
    template = Template.objects.get()
    assert "spec.engine.type" in {notice.path for notice in services.warnings_of(template)}
    with pytest.raises(NotActivable):
        services.activate_template(template, by=None)


@pytest.mark.parametrize(("group", "allowed"), [("curator", False), ("admin", True)])
def test_only_an_admin_activates_what_runs_code_from_a_repository(
    model: Model, person: Callable[..., User], group: str, allowed: object
) -> None:
    spec = a_spec(
        engine={
            "type": "vllm",
            "version": "0.11.0",
            "image": "docker.io/vllm/vllm-openai:v0.11.0",
            "allow_remote_code": True,
        },
        accelerator={"type": "L4", "count": 1},
    )
    template = services.create_template(model, an_entry(spec=spec), by=None)
    user = person("pat", group)
    if allowed:
        assert services.activate_template(template, by=user).status == "active"
        return
    with pytest.raises(NotActivable) as caught:
        services.activate_template(template, by=user)
    assert list(caught.value.fields) == ["spec.engine.allow_remote_code"]


def test_a_template_that_was_never_launched_is_deleted(active: Template) -> None:
    services.delete_template(active, by=None)
    assert not Template.objects.exists()
    with pytest.raises(TemplateMissing):
        services.delete_template(Template(pk=uuid4()), by=None)


def test_a_new_version_comes_after_all_that_exist(active: Template, curator: User) -> None:
    services.create_template(active.model, an_entry(version="v1.9"), by=None)
    services.create_template(active.model, an_entry(name="other", version="3"), by=None)
    made = services.new_version_from(active, by=curator)
    assert (made.version, made.status, made.spec, made.created_by) == (
        "v1.10",
        "draft",
        active.spec,
        curator,
    )


def test_every_change_of_a_template_is_told(model: Model, changes: list[Change]) -> None:
    template = services.create_template(model, an_entry(), by=None)
    services.update_template(template, an_entry(), by=None)
    services.update_template(template, an_entry(name="new"), by=None)
    services.activate_template(template, by=None)
    services.activate_template(template, by=None)
    services.deprecate_template(template, by=None)
    services.new_version_from(template, by=None)
    services.delete_template(template, by=None)
    assert [change.action for change in changes] == [
        "template.create",
        "template.update",
        "template.activate",
        "template.deprecate",
        "template.create",
        "template.delete",
    ]
