"""The seed catalogue against its engines and its own arithmetic (GB are 10^9 bytes)."""

from collections.abc import Mapping
from decimal import Decimal

import pytest

from providers.contract.quantity import parse_quantity
from providers.contract.template import TemplateSpec
from providers.engines import Weight
from templates_app.entries import ModelEntry, TemplateFile, parse_model
from templates_app.models import Model, ModelDeploymentTemplate
from templates_app.seeding import (
    load_and_activate_catalog,
    load_catalog,
    seed_models,
    seed_templates,
)
from templates_app.services import review_template, update_model
from templates_app.yamlio import export_templates

GB = Decimal(10**9)
MODELS: Mapping[str | None, ModelEntry] = {model.id: model for model in seed_models()}
TEMPLATES = list(seed_templates())
ACCELERATED = [file for file in TEMPLATES if not file.entry.spec.accelerator.is_cpu]
ON_CPU = [file for file in TEMPLATES if file.entry.spec.accelerator.is_cpu]

# Checkpoints other than the model's own; sizes as published.
CHECKPOINTS_GB = {
    "Qwen/Qwen3-0.6B-GGUF": "0.64",
    "Qwen/Qwen2.5-0.5B-Instruct-GGUF": "0.68",
    "Qwen/Qwen3-Embedding-0.6B-GGUF": "0.64",
    "RedHatAI/Llama-3.3-70B-Instruct-FP8-dynamic": "72.7",
    "Qwen/Qwen3-235B-A22B-Instruct-2507-FP8": "237",
}
# Memory of one card in GB, as sold.
CARDS_GB = {"L4": 24, "L40S": 48, "H100": 80, "H200": 141}


def name_of(file: TemplateFile) -> str:
    return f"{file.model}.{file.entry.name}"


def fact(file: TemplateFile, name: str) -> Decimal:
    return Decimal(str(MODELS[file.model].specification.get(name, 0)))


def weights_gb(file: TemplateFile) -> Decimal:
    """Return what passes through memory while loading: the checkpoint, before it is quantized."""
    source = file.entry.spec.model_source
    if source is None or file.entry.spec.engine.type == "mock":
        return Decimal(0)
    return Decimal(CHECKPOINTS_GB.get(source.uri) or fact(file, "weights_gb"))


def cache_gb(file: TemplateFile) -> Decimal:
    """Return what one sequence of full length takes, and all slots where they are fixed."""
    args = file.entry.spec.engine_args
    tokens = Decimal(args.get("max_model_len", "0"))
    slots = Decimal(args.get("max_num_seqs", "1"))
    return fact(file, "kv_bytes_per_token") * tokens * slots / GB


def quantity(spec: TemplateSpec, name: str) -> Decimal:
    text = getattr(spec.resources, name)
    return parse_quantity(text) if text else Decimal(0)


def test_the_catalogue_is_as_large_as_promised() -> None:
    assert len(MODELS) >= 10
    assert len(TEMPLATES) >= 14
    engines = {file.entry.spec.engine.type for file in TEMPLATES}
    assert engines == {"vllm", "sglang", "llamacpp", "mock"}
    assert {file.model for file in TEMPLATES} == set(MODELS)
    assert len({file.key for file in TEMPLATES}) == len(TEMPLATES)


@pytest.mark.parametrize("file", TEMPLATES, ids=name_of)
def test_the_engine_has_nothing_against_a_seed(file: TemplateFile) -> None:
    serving_name = MODELS[file.model].serving_name
    findings = review_template(file.entry.spec, serving_name=serving_name)
    refused = [finding for finding in findings if finding.weight is Weight.REFUSE]
    assert refused == []
    # The only warning left is that a build of llama.cpp is newer than the one we read.
    assert {finding.path for finding in findings} <= {"spec.engine.version"}


@pytest.mark.parametrize("file", ACCELERATED, ids=name_of)
def test_weights_and_one_full_sequence_fit_into_the_cards(file: TemplateFile) -> None:
    spec = file.entry.spec
    share = Decimal(spec.engine_args.get("gpu_memory_utilization", "0.9"))
    assert spec.accelerator.vram_gb == CARDS_GB[spec.accelerator.type]
    room = Decimal(spec.accelerator.vram_gb) * spec.accelerator.per_pod * share
    # A latent cache is not shared out: every rank holds it whole.
    copies = spec.parallelism.tp if fact(file, "latent_dim") else 1
    assert weights_gb(file) + cache_gb(file) * copies <= room


@pytest.mark.parametrize("file", ON_CPU, ids=name_of)
def test_weights_and_cache_fit_into_the_memory_that_is_asked_for(file: TemplateFile) -> None:
    buffers = Decimal("0.3")
    if file.entry.spec.engine.type != "mock":
        memory = quantity(file.entry.spec, "memory") / GB
        assert weights_gb(file) + cache_gb(file) + buffers <= memory


@pytest.mark.parametrize("file", TEMPLATES, ids=name_of)
def test_the_disk_holds_what_is_downloaded(file: TemplateFile) -> None:
    assert quantity(file.entry.spec, "ephemeral_storage") / GB >= weights_gb(file)


@pytest.mark.parametrize("file", TEMPLATES, ids=name_of)
def test_more_than_one_rank_shares_memory(file: TemplateFile) -> None:
    spec = file.entry.spec
    degrees = spec.parallelism
    assert degrees.tp * degrees.pp * degrees.dp == max(spec.accelerator.per_pod, 1)
    assert (quantity(spec, "shm_size") > 0) == (spec.accelerator.per_pod > 1)
    assert fact(file, "attention_heads") % degrees.tp == 0


@pytest.mark.parametrize("file", TEMPLATES, ids=name_of)
def test_there_is_time_to_download_at_a_gigabit(file: TemplateFile) -> None:
    seconds = weights_gb(file) / Decimal("0.125")
    assert file.entry.spec.engine.ready_timeout_seconds >= min(seconds, Decimal(7200))


@pytest.mark.parametrize("file", TEMPLATES, ids=name_of)
def test_an_image_has_its_full_name_and_the_version_of_its_engine(file: TemplateFile) -> None:
    engine = file.entry.spec.engine
    registry, _, rest = engine.image.partition("/")
    assert registry in {"docker.io", "ghcr.io"}
    tag = rest.partition(":")[2]
    assert tag not in {"", "latest"}
    assert engine.version in tag


@pytest.mark.parametrize("file", ACCELERATED, ids=name_of)
def test_accelerators_are_not_scaled_by_themselves(file: TemplateFile) -> None:
    assert not file.entry.spec.scaling_defaults.enable_auto_scaling


@pytest.mark.parametrize("file", TEMPLATES, ids=name_of)
def test_a_gated_repository_gets_a_token_and_no_other(file: TemplateFile) -> None:
    source = file.entry.spec.model_source
    assert source
    gated = "gated" in MODELS[file.model].tags and source.uri not in CHECKPOINTS_GB
    assert bool(source.auth_secret_ref) == gated


@pytest.mark.parametrize("file", TEMPLATES, ids=name_of)
def test_no_more_tokens_are_allowed_than_the_model_knows(file: TemplateFile) -> None:
    spec = file.entry.spec
    known = MODELS[file.model].context_length
    if known is None:
        return
    bound = spec.overridable.get("engine_args.max_model_len")
    wanted = [int(spec.engine_args["max_model_len"]), bound.max if bound and bound.max else 0]
    assert max(wanted) <= known


@pytest.mark.parametrize("model", MODELS.values(), ids=lambda model: model.id)
def test_the_cache_of_a_token_follows_from_the_shape_of_the_model(model: ModelEntry) -> None:
    facts = model.specification
    shape = [facts.get(name) for name in ("layers", "kv_heads", "head_dim")]
    if "latent_dim" in facts:
        assert facts["kv_bytes_per_token"] == 2 * facts["layers"] * facts["latent_dim"]  # type: ignore[operator]
    elif all(shape):
        layers, heads, width = shape
        assert facts["kv_bytes_per_token"] == 2 * 2 * layers * heads * width  # type: ignore[operator]
    else:
        assert "kv_bytes_per_token" not in facts


@pytest.mark.django_db
def test_loading_twice_is_loading_once() -> None:
    counts = load_and_activate_catalog()
    assert counts == {"models created": len(MODELS), "templates created": len(TEMPLATES)}
    again = load_and_activate_catalog()
    assert set(again) == {"models there already", "templates there already"}
    active = ModelDeploymentTemplate.objects.active()
    assert active.count() == len(TEMPLATES)
    assert export_templates(active)


@pytest.mark.django_db
def test_without_activation_seeds_are_drafts() -> None:
    load_catalog()
    assert not ModelDeploymentTemplate.objects.active().exists()


@pytest.mark.django_db
def test_loading_restores_what_is_missing_and_keeps_what_was_changed() -> None:
    load_catalog()
    update_model(Model.objects.get(pk="bge-m3"), parse_model({"name": "Ours"}), by=None)
    kept = ModelDeploymentTemplate.objects.get(model_id="bge-m3")
    ModelDeploymentTemplate.objects.filter(pk=kept.pk).update(spec={"changed": True})
    ModelDeploymentTemplate.objects.filter(model_id="mock").delete()
    assert load_catalog()["templates created"] == 1
    assert Model.objects.get(pk="bge-m3").name == "Ours"
    kept.refresh_from_db()
    assert kept.spec == {"changed": True}


@pytest.mark.django_db
def test_a_name_that_somebody_took_stands_in_nobody_s_way() -> None:
    Model.objects.create(id="my-mock", name="MOCK", serving_name="m")
    counts = load_catalog()
    assert counts["templates without their model"] == 1
    assert counts["templates created"] == len(TEMPLATES) - 1
