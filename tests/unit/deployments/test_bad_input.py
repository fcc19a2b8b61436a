"""Bad input: an error that names the field and says what to do, before anything is stored."""

from collections.abc import Callable, Mapping

import pytest
from django.contrib.auth.models import User

from deployments.exceptions import InvalidOrder, NoCluster, TemplateInactive
from deployments.models import Cluster, Deployment
from deployments.services.launching import create_deployment, preview_launch
from deployments.services.orders import LaunchOrder, read_order
from providers.contract.errors import Unavailable
from providers.testing.memory.cluster import MemoryCluster
from templates_app.entries import parse_model
from templates_app.models import ModelDeploymentTemplate
from templates_app.services import create_model, deprecate_template

MakeOrder = Callable[..., LaunchOrder]
MakeTemplate = Callable[..., ModelDeploymentTemplate]
Launch = Callable[..., Deployment]

NO_SUCH_ID = "6f7c1c54-3a3b-4d57-9f0d-0a54d5a0e1a2"

CASES: list[tuple[Mapping[str, object], str, str]] = [
    ({"name": None}, "name", "is required"),
    ({"name": ""}, "name", "is required"),
    ({"name": "   "}, "name", "must hold a visible character"),
    ({"name": "x" * 201}, "name", "at most 200"),
    ({"name": "two\nlines"}, "name", "one line"),
    ({"name": "nul\0"}, "name", "cannot be stored"),
    ({"name": "half \ud800"}, "name", "cannot be stored"),
    ({"name": 7}, "name", "must be text"),
    ({"surprise": 1}, "surprise", "is not a field"),
    ({"template": "qwen"}, "template", "must be an object"),
    ({"template": {"model_id": "qwen3-8b"}}, "template.template_id", "is required"),
    (
        {"template": {"model_id": "qwen3-8b", "template_id": NO_SUCH_ID}},
        "template.template_id",
        "there is no template",
    ),
    (
        {"template": {"model_id": "qwen3-8b", "template_id": "not-an-id"}},
        "template.template_id",
        "there is no template",
    ),
    (
        {"template": {"model_id": "nobody", "template_id": NO_SUCH_ID}},
        "template.model_id",
        "there is no model",
    ),
    ({"template": None}, "template", "is required"),
    ({"implementation": {"kind": "mainframe"}}, "implementation.kind", "use one of memory"),
    ({"implementation": {"sort": "memory"}}, "implementation.sort", "is not a field"),
    ({"overrides": {"min_replicas": -1}}, "overrides.min_replicas", "greater than or equal to 0"),
    ({"overrides": {"min_replicas": 1.5}}, "overrides.min_replicas", "must be a whole number"),
    ({"overrides": {"min_replicas": "2"}}, "overrides.min_replicas", "must be a whole number"),
    ({"overrides": {"min_replicas": 10**9}}, "overrides.min_replicas", "less than or equal"),
    ({"overrides": {"max_replicas": 5}}, "overrides.max_replicas", "at most 4"),
    ({"overrides": {"shape": 1}}, "overrides.shape", "is not a field"),
    ({"overrides": [1]}, "overrides", "must be an object"),
    (
        {"overrides": {"min_replicas": 3, "max_replicas": 2, "enable_auto_scaling": True}},
        "overrides.max_replicas",
        "must be at least min_replicas",
    ),
    ({"overrides": {"enable_auto_scaling": True}}, "overrides.max_replicas", "is required"),
    (
        {"overrides": {"min_replicas": 0, "max_replicas": 2, "enable_auto_scaling": True}},
        "overrides.min_replicas",
        "must be at least 1",
    ),
    (
        {"overrides": {"enable_auto_scaling": "yes"}},
        "overrides.enable_auto_scaling",
        "must be true or false",
    ),
    (
        {"overrides": {"engine_args": {"seed": "1"}}},
        "overrides.engine_args.seed",
        "does not allow",
    ),
    (
        {"overrides": {"engine_args": {"max_model_len": 65536}}},
        "overrides.engine_args.max_model_len",
        "at most 32768",
    ),
    (
        {"overrides": {"model_version": "v9"}},
        "overrides.model_version",
        "qwen3-8b has no version v9",
    ),
    ({"overrides": {"region": "mars"}}, "overrides.region", "no cluster is in the region mars"),
    ({"target": {"cluster": "nowhere"}}, "target.cluster", "nowhere is not known"),
    ({"target": {"cluster": "99999999999999999999"}}, "target.cluster", "is not known"),
    ({"target": {"namespace": "kube-system"}}, "target.namespace", "may not be launched into"),
    ({"accelerator_count": 0.5}, "accelerator_count", "must be a whole number"),
    ({"accelerator_count": 2}, "accelerator_count", "the template asks for 0"),
    ({"accelerator_type": "H100"}, "accelerator_type", "the template asks for cpu"),
    ({"quantization": "fp8"}, "quantization", "leave it out"),
    ({"base_model": "nobody"}, "base_model", "there is no model nobody"),
    ({"launch": "forged"}, "launch", "is not a token of this console"),
    ({"min_replicas": 5000}, "min_replicas", "less than or equal"),
    ({"max_replicas": 9}, "max_replicas", "at most 4"),
]


@pytest.mark.parametrize(("fields", "path", "text"), CASES)
def test_bad_input_names_its_field_and_stores_nothing(
    order: MakeOrder,
    owner: User,
    memory: MemoryCluster,
    fields: Mapping[str, object],
    path: str,
    text: str,
) -> None:
    memory.faults["*"] = Unavailable("bad input is told even while the cluster is silent")

    with pytest.raises(InvalidOrder) as refusal:
        create_deployment(order(**fields), user=owner)

    assert path in refusal.value.fields
    assert text in refusal.value.fields[path][0]
    assert path in refusal.value.message
    assert not Deployment.objects.exists()
    assert "preflight" not in memory.calls


@pytest.mark.parametrize(("fields", "path", "text"), CASES)
def test_preview_refuses_bad_input_just_the_same(
    order: MakeOrder, owner: User, fields: Mapping[str, object], path: str, text: str
) -> None:
    if path == "launch":
        fields = {"launch": "x" * 200_001}  # preview reads no token, only its length
        text = "at most"

    with pytest.raises(InvalidOrder) as refusal:
        preview_launch(order(**fields), user=owner)

    assert text in refusal.value.fields[path][0]


@pytest.mark.parametrize("document", [None, [], "text", 7])
def test_a_body_that_is_no_object_is_refused(document: object) -> None:
    with pytest.raises(InvalidOrder, match="must be an object"):
        read_order(document)


def test_nesting_without_end_is_refused() -> None:
    deep: object = 1
    for _ in range(100):
        deep = {"a": deep}

    with pytest.raises(InvalidOrder, match="nested too deeply"):
        read_order({"name": "demo", "overrides": deep})


def test_a_draft_and_a_deprecated_template_are_conflicts(
    make_template: MakeTemplate, launch: Launch
) -> None:
    draft = make_template("other", active=False)
    old = deprecate_template(make_template("old"), by=None)

    for template in (draft, old):
        with pytest.raises(TemplateInactive, match=template.status):
            launch(template={"model_id": "qwen3-8b", "template_id": str(template.pk)})
    assert not Deployment.objects.exists()


def test_a_template_of_another_model_is_refused(
    launch: Launch, template: ModelDeploymentTemplate
) -> None:
    create_model(parse_model({"id": "other", "name": "Other"}), by=None)

    with pytest.raises(InvalidOrder, match=r"template\.template_id: .*belongs to.*qwen3-8b"):
        launch(template={"model_id": "other", "template_id": str(template.pk)})


def test_a_missing_image_is_refused_at_launch(make_template: MakeTemplate, launch: Launch) -> None:
    template = make_template("imageless", engine={"image": ""})

    with pytest.raises(InvalidOrder, match=r"spec\.engine\.image"):
        launch(template={"model_id": "qwen3-8b", "template_id": str(template.pk)})


def test_a_topology_that_the_kind_cannot_do_is_refused(
    make_template: MakeTemplate, launch: Launch
) -> None:
    template = make_template(
        "wide",
        engine={"type": "vllm", "version": "0.19.0", "image": "docker.io/vllm/vllm-openai:v0.19.0"},
        accelerator={"type": "H100", "count": 1},
        parallelism={"pp": 2},
        topology={"kind": "multi-node", "nodes": 2},
    )

    with pytest.raises(InvalidOrder, match=r"spec\.topology\.kind: memory cannot run"):
        launch(template={"model_id": "qwen3-8b", "template_id": str(template.pk)})


def test_an_incompatible_implementation_is_refused(
    make_template: MakeTemplate, launch: Launch
) -> None:
    template = make_template("picky", compatibility={"implementation_kinds": ["stormservice"]})

    with pytest.raises(InvalidOrder, match=r"implementation\.kind: .*it allows stormservice"):
        launch(template={"model_id": "qwen3-8b", "template_id": str(template.pk)})


def test_what_the_engine_refuses_is_named_by_the_override_that_caused_it(
    make_template: MakeTemplate, launch: Launch
) -> None:
    template = make_template(
        "real",
        engine={"type": "vllm", "version": "0.11.0", "image": "docker.io/vllm/vllm-openai:v0.11.0"},
        accelerator={"type": "H100", "count": 1},
        overridable={"engine_args.max_model_len": {}},
    )

    with pytest.raises(InvalidOrder) as refusal:
        launch(
            template={"model_id": "qwen3-8b", "template_id": str(template.pk)},
            overrides={"engine_args": {"max_model_len": "8k"}},
        )

    assert list(refusal.value.fields) == ["overrides.engine_args.max_model_len"]


def test_a_template_without_a_source_needs_a_model_version(
    make_template: MakeTemplate, launch: Launch
) -> None:
    template = make_template(
        "open",
        engine={"type": "vllm", "version": "0.11.0", "image": "docker.io/vllm/vllm-openai:v0.11.0"},
        accelerator={"type": "H100", "count": 1},
        model_source=None,
        overridable={"model_version": {}},
    )

    with pytest.raises(InvalidOrder, match=r"overrides\.model_version: is required"):
        launch(template={"model_id": "qwen3-8b", "template_id": str(template.pk)})


def test_a_target_outside_the_region_is_refused(launch: Launch, cluster: Cluster) -> None:
    cluster.region = "eu"
    cluster.save()

    with pytest.raises(InvalidOrder, match=r"target\.cluster: lab is in the region eu"):
        launch(target={"cluster": "lab"}, overrides={"region": "us"})


def test_a_disabled_cluster_is_refused_by_name(launch: Launch, cluster: Cluster) -> None:
    Cluster.objects.update(enabled=False)

    with pytest.raises(InvalidOrder, match=r"target\.cluster: lab is disabled"):
        launch(target={"cluster": "lab"})
    with pytest.raises(NoCluster):
        launch()


def test_every_fault_of_a_body_is_told_at_once() -> None:
    with pytest.raises(InvalidOrder) as refusal:
        read_order({"name": 1, "min_replicas": "x", "overrides": {"max_replicas": "y"}})

    assert set(refusal.value.fields) == {"name", "min_replicas", "overrides.max_replicas"}
