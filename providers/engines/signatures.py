"""What engines print when they cannot start, by cause: one table, causes before consequences.

Texts are those of the engines themselves, in lower case and no longer than tells them apart. What
only follows from a cause, such as `Engine core initialization failed. See root cause above.`, is
not in it. The fields are those of a template.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Mark:
    """A line that has all `parts` in this order, and none of `unless`."""

    parts: tuple[str, ...]
    unless: tuple[str, ...] = ()

    def is_in(self, line: str) -> bool:
        """Tell whether a line in lower case bears the mark; linear in its length."""
        at = 0
        for part in self.parts:
            found = line.find(part, at)
            if found < 0:
                return False
            at = found + len(part)
        return all(line.find(word) < 0 for word in self.unless)


@dataclass(frozen=True, kw_only=True, slots=True)
class Signature:
    """One cause: `says` goes on a sentence about the engine, `advice` names `field`."""

    code: str
    says: str
    advice: str
    field: str
    marks: tuple[Mark, ...]


def _mark(*parts: str, unless: tuple[str, ...] = ()) -> Mark:
    return Mark(parts=parts, unless=unless)


_SHARED = "/dev/shm"  # noqa: S108 - looked for in a text, never opened
# What is tried again may yet succeed.
_AGAIN = ("retrying", "thrown while requesting")


SIGNATURES: tuple[Signature, ...] = (
    Signature(
        code="GpuOutOfMemory",
        says="the accelerator's memory is too small for what the engine takes of it",
        advice="lower engine_args.gpu_memory_utilization or engine_args.max_num_seqs, "
        "or raise accelerator.count",
        field="engine_args.gpu_memory_utilization",
        marks=(
            _mark("cuda out of memory"),
            _mark("hip out of memory"),
            _mark("torch.outofmemoryerror"),
            _mark("capture cuda graph failed"),
            _mark("free memory on device", "less than desired gpu memory utilization"),
            _mark("the memory capacity is unbalanced"),
            _mark("cudamalloc failed: out of memory"),
        ),
    ),
    Signature(
        code="KvCacheTooSmall",
        says="the KV cache is too small for max_model_len",
        advice="lower engine_args.max_model_len, or raise engine_args.gpu_memory_utilization",
        field="engine_args.max_model_len",
        marks=(
            _mark("no available memory for the cache blocks"),
            _mark("to serve at least one request with the model", "available kv cache memory"),
            _mark("not enough memory. please try to increase --mem-fraction-static"),
            _mark("failed to allocate buffer for kv cache"),
        ),
    ),
    Signature(
        code="LengthAboveModel",
        says="max_model_len is more than the model was made for",
        advice="lower engine_args.max_model_len",
        field="engine_args.max_model_len",
        marks=(
            # Where longer ones are allowed by the environment, both only warn.
            _mark("than the derived max_model_len", unless=("warning",)),
            _mark("error", "than the derived context_length"),
        ),
    ),
    Signature(
        code="TpExceedsGpus",
        says="parallelism asks for more accelerators than the pod has",
        advice="lower parallelism.tp, pp or dp, or raise accelerator.count",
        field="parallelism.tp",
        marks=(
            _mark("world size (", "is larger than the number of available gpus"),
            _mark("dp adjusted local rank"),
            _mark("error setting cuda_visible_devices: local range"),
            _mark("waiting for creating a placement group"),
            _mark("required gpus exceeds the total number of available gpus"),
            _mark("cuda error: invalid device ordinal"),
        ),
    ),
    Signature(
        code="TpDoesNotDivide",
        says="tensor parallelism does not divide the model's attention heads",
        advice="choose a parallelism.tp that divides them, such as 1, 2, 4 or 8",
        field="parallelism.tp",
        marks=(
            _mark("must be divisible by tensor parallel size"),
            _mark("assert self.total_num_heads %"),
            _mark("assertionerror: ", " is not divisible by "),
        ),
    ),
    Signature(
        code="ModelGated",
        says="the model is gated, and the token may not read it",
        advice="accept the model's licence, and name a secret with that account's token in "
        "model_source.auth_secret_ref",
        field="model_source.auth_secret_ref",
        marks=(
            _mark("you are trying to access a gated repo"),
            _mark("gatedrepoerror"),
            _mark("access to model", "is restricted"),
            _mark("invalid credentials in authorization header"),
        ),
    ),
    Signature(
        code="ModelNotFound",
        says="there is no such model or revision, or it is private and no token was given",
        advice="correct model_source.uri or model_source.revision, or name a secret with a token "
        "in model_source.auth_secret_ref",
        field="model_source.uri",
        marks=(
            _mark("is not a valid model identifier"),
            _mark("not a valid git identifier"),
            _mark("repositorynotfounderror"),
            _mark("revisionnotfounderror"),
            _mark("failed to open gguf file"),
        ),
    ),
    Signature(
        code="NeedsRemoteCode",
        says="the model comes with code of its own, which is not allowed to run",
        advice="an admin may allow it by engine.allow_remote_code after a look at that code",
        field="engine.allow_remote_code",
        marks=(
            _mark("contains custom code which must be executed"),
            _mark("or using the `--trust-remote-code` flag"),
        ),
    ),
    Signature(
        code="UnknownArchitecture",
        says="this version of the engine does not know the model's architecture",
        advice="raise engine.version and its image, or choose another engine",
        field="engine.version",
        marks=(
            _mark("are not supported for now"),
            _mark("does not recognize this architecture"),
            _mark("unknown model architecture"),
        ),
    ),
    Signature(
        code="ModelFileBroken",
        says="the model's file is broken or incomplete, or of another format",
        advice="write the file anew, or correct model_source.uri",
        field="model_source.uri",
        marks=(
            _mark("is not within the file bounds"),
            _mark("gguf_init_from", "failed to read"),
            _mark("gguf_init_from", "invalid magic characters"),
        ),
    ),
    Signature(
        code="QuantizationMismatch",
        says="the quantization does not go with the checkpoint or the accelerator",
        advice="correct quantization.weight, leave it out for a checkpoint that is quantized "
        "already, or choose another accelerator.type",
        field="quantization.weight",
        marks=(
            _mark("quantization method specified in the model config", "does not match"),
            _mark("quantization method", "is not supported for the current gpu"),
            _mark("unknown quantization method"),
            _mark("is not supported for quantization method"),
        ),
    ),
    Signature(
        code="ServiceEnvClash",
        says="a Service of the namespace gives the engine an address where it expects a port",
        advice="switch service links off for the pod, and take the variable out of engine.env",
        field="engine.env",
        marks=(
            _mark("appears to be a uri"),
            _mark("invalid literal for int() with base 10: 'tcp://"),
        ),
    ),
    Signature(
        code="SharedMemory",
        says="the shared memory of the pod is too small",
        advice="raise resources.shm_size",
        field="resources.shm_size",
        marks=(
            _mark("insufficient space in /dev/shm"),
            _mark("bus error"),
            _mark(_SHARED, "no space left on device"),
            _mark("no space left on device", _SHARED),
            _mark("failed to extend /dev/shm/nccl"),
            _mark("error while creating shared memory segment"),
        ),
    ),
    Signature(
        code="DiskFull",
        says="the disk is full",
        advice="raise resources.ephemeral_storage, or keep models on a volume by "
        "model_source.cache",
        field="resources.ephemeral_storage",
        marks=(_mark("no space left on device"),),
    ),
    Signature(
        code="PortClash",
        says="something else in the pod listens on the engine's port",
        advice="choose another engine.port",
        field="engine.port",
        marks=(_mark("address already in use"), _mark("couldn't bind")),
    ),
    Signature(
        code="GpuTooOld",
        says="the accelerator is too old for this number format or engine",
        advice="set engine_args.dtype to half, or choose a newer accelerator.type",
        field="engine_args.dtype",
        marks=(
            _mark("bfloat16 is only supported on gpus with compute capability"),
            _mark("no kernel image is available for execution on the device"),
        ),
    ),
    Signature(
        code="NoGpuVisible",
        says="the engine sees no accelerator",
        advice="an admin has to check the node's driver and device plugin and the runtime class "
        "of the cluster's accelerator map; accelerator.type says where the pod runs",
        field="accelerator.type",
        marks=(
            _mark("driver on your system is too old"),
            _mark("cuda driver version is insufficient"),
            _mark("no cuda-capable device"),
            _mark("no accelerator (cuda"),
            _mark("no cuda gpus are available"),
            _mark("found no nvidia driver"),
            _mark("failed to infer device type"),
        ),
    ),
    Signature(
        code="NoEgress",
        says="the pod cannot reach where the model is downloaded from",
        advice="an admin may set a proxy or a mirror for the cluster's pods; or keep models on a "
        "volume by model_source.cache",
        field="model_source.cache",
        marks=(
            _mark("temporary failure in name resolution", unless=_AGAIN),
            _mark("name or service not known", unless=_AGAIN),
            _mark("we couldn't connect to '"),
            _mark("proxyerror(", unless=_AGAIN),
            _mark("unable to connect to proxy", unless=_AGAIN),
            _mark("network is unreachable", unless=_AGAIN),
        ),
    ),
    Signature(
        code="KilledWhileLoading",
        says="it was stopped while it was still loading",
        advice="raise engine.ready_timeout_seconds",
        field="engine.ready_timeout_seconds",
        marks=(_mark("keyboardinterrupt: terminated"),),
    ),
    Signature(
        code="BadEngineArg",
        says="the engine does not take one of its arguments",
        advice="correct it in engine_args, in engine.serve_args or in the override that set it",
        field="engine_args",
        marks=(
            _mark("unrecognized arguments"),
            _mark("invalid choice"),
            _mark("ambiguous option"),
            _mark("error: argument ", ": invalid ", "value"),
            # What is wrong with a request is told likewise.
            _mark("validation error", " for ", "config", unless=("request",)),
            _mark("error: invalid argument:"),
            _mark("error while handling argument"),
            _mark("error while handling environment variable"),
        ),
    ),
)

BY_CODE: Mapping[str, Signature] = {signature.code: signature for signature in SIGNATURES}
