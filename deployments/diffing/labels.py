"""What the parts of a revision are called in sentences."""

from collections.abc import Mapping

ARGUMENT = "engine_args."
ENVIRONMENT = "engine.env."

_LABELS: Mapping[str, str] = {
    "model_version": "Model version",
    "region": "Region",
    "serving_name": "Served as",
    "rollout": "Rollout",
    "enable_multi_lora": "Several LoRA adapters",
    "min_replicas": "Replicas, at least",
    "max_replicas": "Replicas, at most",
    "enable_auto_scaling": "Autoscaling",
    "engine.type": "Engine",
    "engine.version": "Engine version",
    "engine.image": "Engine image",
    "engine.command": "Command",
    "engine.serve_args": "Arguments of the command line",
    "engine.health_endpoint": "Health endpoint",
    "engine.ready_timeout_seconds": "Time to start, in seconds",
    "engine.metrics_endpoint": "Metrics endpoint",
    "engine.port": "Port",
    "engine.allow_remote_code": "Code from the model's repository",
    "serving_runtime.format": "Format of the serving runtime",
    "serving_runtime.version": "Version of that format",
    "serving_runtime.name": "Serving runtime",
    "source.type": "Model source",
    "source.uri": "Model files",
    "source.revision": "Revision of the model files",
    "source.auth_secret_ref.name": "Secret for the model files",
    "source.cache.claim": "Volume claim for the model files",
    "accelerator.type": "Accelerator",
    "accelerator.count": "Accelerators for each replica",
    "accelerator.vram_gb": "Memory of an accelerator, in GB",
    "resources.cpu": "CPU",
    "resources.memory": "Memory",
    "resources.ephemeral_storage": "Ephemeral storage",
    "resources.shm_size": "Shared memory",
    "quantization.weight": "Quantization of weights",
    "quantization.kv_cache": "Quantization of the KV cache",
    "parallelism.tp": "Tensor parallelism",
    "parallelism.pp": "Pipeline parallelism",
    "parallelism.dp": "Data parallelism",
    "parallelism.ep": "Expert parallelism",
    "supported_endpoints": "Endpoints",
    "topology.kind": "Topology",
    "topology.nodes": "Nodes for each replica",
}


def label_of(path: str) -> str:
    """Return what a part is called: its own name where there is no word for it."""
    if path.startswith(ENVIRONMENT):
        return f"Environment variable {path.removeprefix(ENVIRONMENT)}"
    return _LABELS.get(path, path.removeprefix(ARGUMENT))
