"""Models and templates of a catalogue, and its pages as a browser reads them."""

from html import unescape

from django.test import Client
from django.utils import timezone

from deployments.models import Cluster, Deployment
from templates_app import services
from templates_app.entries import parse_model, parse_template
from templates_app.models import Model, ModelDeploymentTemplate

HOSTILE = '<script>alert("x")</script>'
ENGINE = {"type": "vllm", "version": "0.11.0", "image": "docker.io/vllm/vllm-openai:v0.11.0"}
GPU_SPEC = {
    "engine": ENGINE,
    "model_source": {"type": "huggingface", "uri": "Qwen/Qwen3-8B", "revision": "main"},
    "accelerator": {"type": "H100", "count": 2, "vram_gb": 80},
    "parallelism": {"tp": 2},
    "engine_args": {"max_model_len": "8192"},
    "resources": {"cpu": "8", "memory": "64Gi"},
    "supported_endpoints": ["/v1/chat/completions"],
    "compatibility": {"implementation_kinds": ["k8s-deployment"]},
    "overridable": {
        "min_replicas": {"max": 4},
        "engine_args.max_model_len": {"min": 1024, "max": 32768},
        "region": {"values": ["eu", "us"]},
    },
}


def add_model(**fields: object) -> Model:
    document = {"id": "qwen3-8b", "name": "Qwen3 8B", "categories": ["chat"]} | fields
    return services.create_model(parse_model(document), by=None)


def add_template(
    model: Model, *, version: str = "1.0.0", **spec: object
) -> ModelDeploymentTemplate:
    entry = parse_template(name="chat", version=version, spec={**GPU_SPEC, **spec})
    return services.create_template(model, entry, by=None)


def launch(template: ModelDeploymentTemplate, name: str, **fields: object) -> Deployment:
    now = timezone.now()
    cluster, _ = Cluster.objects.get_or_create(name="fra-h100")
    return Deployment.objects.create(
        name=name,
        name_key=name,
        runtime_name=name,
        kind="k8s-deployment",
        cluster=cluster,
        namespace="chat",
        model=template.model,
        template=template,
        template_version=template.version,
        serving_name="qwen3-8b",
        intent_since=now,
        created_at=now,
        updated_at=now,
        **fields,
    )


def address(template: ModelDeploymentTemplate) -> str:
    return f"/models/{template.model_id}/templates/{template.pk}"


def text(client: Client, path: str, **headers: str) -> str:
    answer = client.get(path, headers=headers)
    assert answer.status_code == 200
    return unescape(answer.content.decode())
