"""A model by its format: its address, what of it cannot be fetched, what a change restarts."""

from typing import Any

import pytest

from providers.contract.changing import Writes
from providers.contract.errors import InvalidRequest
from providers.contract.manifest import Manifest
from providers.contract.request import DeployRequest
from providers.kserve.provider import provider
from providers.testing.samples import rescaled
from tests.unit.kserve.asking import SCALED, TARGET, asked, next_of
from tests.unit.kserve.test_changing import effects_of

CACHE = {"claim": "weights", "mount_path": "/models"}
HUB = {"type": "huggingface", "uri": "Qwen/Qwen3-8B"}
RUNTIME = {"format": "vLLM", "name": "kserve-vllmserver"}


def by_format(source: Manifest | None = None, **parts: Any) -> DeployRequest:
    engine = {"image": "", **parts.pop("engine", {})}
    return asked(
        engine=engine,
        serving_runtime=parts.pop("serving_runtime", RUNTIME),
        model_source=source or HUB,
        **parts,
    )


def model_of(request: DeployRequest) -> Manifest:
    [service] = provider.render(request, TARGET)
    model: Manifest = service["spec"]["predictor"]["model"]
    return model


def faults_of(request: DeployRequest) -> set[str]:
    with pytest.raises(InvalidRequest) as refused:
        provider.validate(request, TARGET)
    return set(refused.value.fields)


@pytest.mark.parametrize(
    ("source", "uri"),
    [
        (HUB, "hf://Qwen/Qwen3-8B"),
        ({**HUB, "revision": "v1.0"}, "hf://Qwen/Qwen3-8B:v1.0"),
        ({"type": "s3", "uri": "s3://bucket/qwen"}, "s3://bucket/qwen"),
        ({"type": "local", "uri": "/models/a/b/", "cache": CACHE}, "pvc://weights/a/b"),
        ({"type": "local", "uri": "/models", "cache": CACHE}, "pvc://weights"),
    ],
)
def test_a_source_becomes_the_address_that_kserve_reads(source: Manifest, uri: str) -> None:
    request = by_format(source)
    assert provider.validate(request, TARGET) == ()
    assert model_of(request)["storageUri"] == uri


def test_a_revision_among_the_arguments_is_that_of_the_download() -> None:
    model = model_of(by_format(engine_args={"revision": "v2"}))
    assert model["storageUri"] == "hf://Qwen/Qwen3-8B:v2"
    assert not [word for word in model["args"] if "revision" in word]


@pytest.mark.parametrize(
    ("source", "field"),
    [
        ({**HUB, "uri": "gpt2"}, "uri"),
        ({**HUB, "uri": "a/b/c"}, "uri"),
        ({**HUB, "revision": "refs/pr/1"}, "revision"),
        ({**HUB, "auth_secret_ref": "hub"}, "auth_secret_ref.key"),
        ({**HUB, "cache": CACHE}, "cache"),
        ({"type": "s3", "uri": "gs://bucket/qwen"}, "uri"),
        ({"type": "s3", "uri": "s3://bucket/qwen", "revision": "v2"}, "revision"),
        ({"type": "local", "uri": "/models/qwen"}, "cache"),
        ({"type": "local", "uri": "/other/qwen", "cache": CACHE}, "uri"),
        ({"type": "local", "uri": "/models-of-others/qwen", "cache": CACHE}, "uri"),
        ({"type": "local", "uri": "/models/../qwen", "cache": CACHE}, "uri"),
    ],
)
def test_what_kserve_cannot_fetch_is_refused_by_its_field(source: Manifest, field: str) -> None:
    assert faults_of(by_format(source)) == {f"spec.model_source.{field}"}


@pytest.mark.parametrize(
    ("parts", "field"),
    [
        ({"engine": {"serve_args": ["--chat-template={{ messages }}"]}}, "engine.serve_args"),
        ({"engine": {"env": {"TEXT": "{{.Name}}"}}}, "engine.env.TEXT"),
        ({"engine_args": {"chat_template": "{{ messages }}"}}, "engine_args.chat_template"),
    ],
)
def test_what_kserve_would_fill_in_is_refused(parts: dict[str, Any], field: str) -> None:
    assert f"spec.{field}" in faults_of(by_format(**parts))


def test_an_image_and_a_runtime_are_named_only_where_the_template_names_them() -> None:
    picked = model_of(by_format(serving_runtime={"format": "vLLM", "version": "1"}))
    assert picked["modelFormat"] == {"name": "vLLM", "version": "1"}
    assert not picked.keys() & {"runtime", "image"}
    named = model_of(by_format(engine={"image": "registry.example/mock:1"}))
    assert (named["runtime"], named["image"]) == ("kserve-vllmserver", "registry.example/mock:1")


def test_probes_and_command_are_the_runtime_s_whose_port_is_8080_unless_it_is_told() -> None:
    model = model_of(by_format())
    assert not model.keys() & {"command", "startupProbe", "readinessProbe", "livenessProbe"}
    assert [port["containerPort"] for port in model["ports"]] == [8080]
    told = model_of(by_format(engine={"port": 3000}))
    assert [port["containerPort"] for port in told["ports"]] == [3000]


def test_a_secret_is_named_for_the_download_and_given_to_nobody_else() -> None:
    source = {**HUB, "auth_secret_ref": {"name": "hub", "key": "HF_TOKEN"}}
    [service] = provider.render(by_format(source), TARGET)
    assert service["metadata"]["annotations"]["serving.kserve.io/storageSecretName"] == "hub"
    assert "valueFrom" not in str(service["spec"])


@pytest.mark.parametrize(
    "changed",
    [
        by_format({**HUB, "revision": "v2"}),
        by_format(serving_runtime={"format": "vLLM", "name": "another"}),
        by_format(serving_runtime={"format": "vLLM", "version": "2", "name": RUNTIME["name"]}),
        by_format({**HUB, "auth_secret_ref": {"name": "hub", "key": "HF_TOKEN"}}),
        asked(),
    ],
    ids=["revision", "runtime", "version", "secret", "without-a-runtime"],
)
def test_whatever_makes_other_pods_is_told_to_replace_them(changed: DeployRequest) -> None:
    told = effects_of(by_format(), next_of(changed))
    assert (told.writes, told.replaces_pods) == (Writes.OBJECTS, True)
    digests = {_digest_of(by_format()), _digest_of(changed)}
    assert len(digests) == 2


def test_scaling_it_restarts_nothing() -> None:
    request = by_format()
    told = effects_of(request, rescaled(request, **SCALED))
    assert (told.writes, told.restarts) == (Writes.SCALING, 0)


def test_its_pods_count_by_what_they_ask_for_whatever_else_the_runtime_brings() -> None:
    [service] = provider.render(by_format(), TARGET)
    [template] = provider.carrier.templates_of(service)
    [container] = template["spec"]["containers"]
    assert container["name"] == "kserve-container"
    assert container["resources"]["requests"] == {"cpu": "100m", "memory": "64Mi"}
    assert not container.keys() & {"modelFormat", "runtime", "storageUri"}


def _digest_of(request: DeployRequest) -> str:
    [service] = provider.render(request, TARGET)
    return str(service["spec"]["predictor"]["annotations"]["slipway.dev/pod-digest"])
