"""Flags that a field of the template carries, in any engine: nobody writes them as arguments.

Model, served name, host, port, parallelism and keys have one home each, so that what the console
shows is what runs; a key in an argument would stand in the manifest for everybody to read.
"""

from collections.abc import Mapping

_MODEL = "spec.model_source carries the model; leave it out"
_NAME = "the model's serving name is passed by itself; leave it out"
_HOST = "every address is served already; leave it out"
_PORT = "set spec.engine.port instead"
_TP = "set spec.parallelism.tp instead"
_PP = "set spec.parallelism.pp instead"
_DP = "set spec.parallelism.dp instead"
_EP = "set spec.parallelism.ep instead"
_CP = "set spec.parallelism.cp instead"
_SP = "set spec.parallelism.sp instead"
_NODES = "set spec.topology.nodes instead; the place of each pod among them is worked out"
_KEY = "a key in an argument could be read in the manifest by everybody; leave it out"
_TOKEN = "name the Secret in spec.model_source.auth_secret_ref instead"  # noqa: S105 - a sentence

OWNED: Mapping[str, str] = {
    "model": _MODEL,
    "model-path": _MODEL,
    "model-tag": _MODEL,
    "model-url": _MODEL,
    "hf-repo": _MODEL,
    "hf-file": _MODEL,
    "docker-repo": _MODEL,
    "models-dir": _MODEL,
    "models-preset": _MODEL,
    "served-model-name": _NAME,
    "alias": _NAME,
    "host": _HOST,
    "uds": _HOST,
    "port": _PORT,
    "tensor-parallel-size": _TP,
    "tp-size": _TP,
    "tp": _TP,
    "pipeline-parallel-size": _PP,
    "pp-size": _PP,
    "pp": _PP,
    "data-parallel-size": _DP,
    "dp-size": _DP,
    "dp": _DP,
    "attn-dp-size": "set spec.parallelism.dp, and enable_dp_attention to true, instead",
    "attention-data-parallel-size": _DP,
    "data-parallel-address": _DP,
    "data-parallel-backend": _DP,
    "data-parallel-external-lb": _DP,
    "data-parallel-hybrid-lb": _DP,
    "data-parallel-rank": _DP,
    "data-parallel-rpc-port": _DP,
    "data-parallel-size-local": _DP,
    "data-parallel-start-rank": _DP,
    "expert-parallel-size": _EP,
    "ep-size": _EP,
    "ep": _EP,
    "decode-context-parallel-size": _CP,
    "dcp-size": _CP,
    "enable-layernorm-sp": _SP,
    "headless": _NODES,
    "nnodes": _NODES,
    "node-rank": _NODES,
    "master-addr": _NODES,
    "master-port": _NODES,
    "dist-init-addr": _NODES,
    "nccl-init-addr": _NODES,
    "api-key": _KEY,
    "api-key-file": _KEY,
    "admin-api-key": _KEY,
    "ssl-keyfile-password": _KEY,
    "hf-token": _TOKEN,
}

_AS_ARGUMENT = "it changes how many accelerators are needed: write it into spec.engine_args"

# Fine among engine_args, where the arithmetic sees them, but not among serve_args.
OWNED_IN_SERVE_ARGS: Mapping[str, str] = {
    **OWNED,
    "enable-expert-parallel": _EP,
    "enable-dp-attention": _AS_ARGUMENT,
    "prefill-context-parallel-size": _AS_ARGUMENT,
    "attn-cp-size": _AS_ARGUMENT,
    "attention-context-parallel-size": _AS_ARGUMENT,
    "moe-dp-size": _AS_ARGUMENT,
    "moe-data-parallel-size": _AS_ARGUMENT,
}
