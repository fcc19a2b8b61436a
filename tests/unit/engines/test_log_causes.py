"""Why an engine did not start, out of its log: two logs for each cause, and logs without any."""

import sys
from pathlib import Path
from types import FrameType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from providers.contract.template import TemplateSpec
from providers.engines.log_causes import LINES, LONGEST, find_cause
from providers.engines.signatures import BY_CODE, SIGNATURES

CLEAN = sorted((Path(__file__).parents[2] / "logs").glob("*.log"))

FAILED: tuple[tuple[str, str], ...] = (
    ("GpuOutOfMemory", "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.20 GiB."),
    (
        "GpuOutOfMemory",
        (
            "Exception: Capture cuda graph failed: CUDA error\nPossible solutions:\n"
            "1. set --mem-fraction-static to a smaller value (e.g., 0.8 or 0.7)"
        ),
    ),
    ("KvCacheTooSmall", "ValueError: No available memory for the cache blocks. Try increasing it."),
    (
        "KvCacheTooSmall",
        (
            "ValueError: To serve at least one request with the models's max seq len (131072), "
            "(16.00 GiB KV cache is needed, which is larger than the available KV cache memory"
        ),
    ),
    (
        "KvCacheTooSmall",
        "RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.",
    ),
    (
        "LengthAboveModel",
        (
            "pydantic_core._pydantic_core.ValidationError: 1 validation error for ModelConfig\n"
            "  Value error, User-specified max_model_len (100000) is greater than the derived "
            "max_model_len (max_position_embeddings=40960"
        ),
    ),
    (
        "LengthAboveModel",
        (
            "ValueError: Warning: User-specified context_length (65536) is greater than the "
            "derived context_length (40960)."
        ),
    ),
    (
        "TpExceedsGpus",
        (
            "  Value error, World size (2) is larger than the number of available GPUs (1) in this "
            "node."
        ),
    ),
    ("TpExceedsGpus", "DP adjusted local rank 1 is out of bounds for 1 devices."),
    (
        "TpExceedsGpus",
        "INFO [ray_utils.py:214] Waiting for creating a placement group of specs for 40 seconds.",
    ),
    (
        "TpDoesNotDivide",
        (
            "1 validation error for VllmConfig\n  Value error, Total number of attention heads "
            "(16) must be divisible by tensor parallel size (3)."
        ),
    ),
    (
        "TpDoesNotDivide",
        (
            "    assert self.total_num_heads % attn_tp_size == 0\nAssertionError\n"
            "Received sigquit from a child process. It usually means the child failed."
        ),
    ),
    (
        "ModelGated",
        (
            "OSError: You are trying to access a gated repo.\nMake sure to have access to it\n"
            "401 Client Error. (Request ID: Root=1-6)"
        ),
    ),
    (
        "ModelGated",
        "huggingface_hub.errors.GatedRepoError: 403 Client Error. Cannot access gated repo",
    ),
    (
        "ModelNotFound",
        "OSError: Qwen/Qwen9 is not a local folder and is not a valid model identifier listed on",
    ),
    (
        "ModelNotFound",
        "OSError: v9 is not a valid git identifier (branch name, tag name or commit id)",
    ),
    (
        "NeedsRemoteCode",
        (
            "  Value error, The repository x/y contains custom code which must be executed to "
            "correctly load the model."
        ),
    ),
    (
        "NeedsRemoteCode",
        (
            "RuntimeError: Failed to load the tokenizer. Consider setting `trust_remote_code=True` "
            "in LLM or using the `--trust-remote-code` flag in the CLI."
        ),
    ),
    ("UnknownArchitecture", "ValueError: Model architectures ['X'] are not supported for now."),
    (
        "UnknownArchitecture",
        (
            "The checkpoint you are trying to load has model type `foo` but Transformers does not "
            "recognize this architecture."
        ),
    ),
    (
        "ModelFileBroken",
        (
            "E gguf_init_from_reader: failed to read key-value pairs\n"
            "E llama_model_load: error loading model: llama_model_loader: failed to load model "
            "from /models/model.gguf"
        ),
    ),
    (
        "ModelFileBroken",
        (
            "E gguf_init_from_reader: invalid magic characters: 'not ', expected 'GGUF'\n"
            "E srv    load_model: failed to load model, '/models/model.gguf'"
        ),
    ),
    (
        "ModelFileBroken",
        (
            "E llama_model_load: error loading model: tensor 'token_embd.weight' data is not "
            "within the file bounds, model is corrupted or incomplete"
        ),
    ),
    (
        "QuantizationMismatch",
        (
            "ValueError: Quantization method specified in the model config (awq) does not match "
            "the quantization method specified in the `quantization` argument (fp8)."
        ),
    ),
    (
        "QuantizationMismatch",
        "The quantization method fp8 is not supported for the current GPU. Minimum capability: 89.",
    ),
    ("ServiceEnvClash", "ValueError: VLLM_PORT 'tcp://10.0.0.1:8000' appears to be a URI."),
    (
        "ServiceEnvClash",
        "ValueError: invalid literal for int() with base 10: 'tcp://10.0.0.1:30000'",
    ),
    (
        "SharedMemory",
        (
            "RuntimeError: Insufficient space in /dev/shm for shared-memory allocation: 160 MiB "
            "required, 64 MiB free."
        ),
    ),
    ("SharedMemory", "Fatal Python error: Bus error"),
    (
        "SharedMemory",
        (
            "NCCL WARN Error: failed to extend /dev/shm/nccl-pCmx to 33030532 bytes, error: No "
            "space left on device (28)"
        ),
    ),
    ("DiskFull", "OSError: [Errno 28] No space left on device: '/root/.cache/huggingface/hub'"),
    (
        "DiskFull",
        "RuntimeError: Data processing error: CAS service error : No space left on device",
    ),
    ("PortClash", "OSError: [Errno 98] Address already in use"),
    ("PortClash", "main: couldn't bind HTTP server socket, hostname: 0.0.0.0, port: 8000"),
    (
        "GpuTooOld",
        "ValueError: Bfloat16 is only supported on GPUs with compute capability of at least 8.0.",
    ),
    (
        "GpuTooOld",
        (
            "torch.AcceleratorError: CUDA error: no kernel image is available for execution on the "
            "device"
        ),
    ),
    (
        "NoGpuVisible",
        "RuntimeError: No accelerator (CUDA, XPU, HPU) is available.",
    ),
    (
        "NoGpuVisible",
        "RuntimeError: The NVIDIA driver on your system is too old (found version 12020).",
    ),
    (
        "NoEgress",
        (
            "socket.gaierror: [Errno -3] Temporary failure in name resolution\n"
            "OSError: We couldn't connect to 'https://huggingface.co' to load the files"
        ),
    ),
    (
        "NoEgress",
        (
            "requests.exceptions.ProxyError: HTTPSConnectionPool(host='huggingface.co', port=443): "
            "(Caused by ProxyError('Unable to connect to proxy'))"
        ),
    ),
    (
        "KilledWhileLoading",
        (
            "Loading safetensors checkpoint shards:  30% Completed | 9/30\n"
            "KeyboardInterrupt: terminated"
        ),
    ),
    (
        "KilledWhileLoading",
        (
            "INFO Starting to load model Qwen/Qwen3-8B...\nTraceback (most recent call last):\n"
            '  File "core.py", line 708, in run_engine_core\nKeyboardInterrupt: terminated\n'
            "RuntimeError: Engine core initialization failed. See root cause above."
        ),
    ),
    ("BadEngineArg", "api_server.py: error: unrecognized arguments: --max-seq-length=8192"),
    ("BadEngineArg", "error: invalid argument: --max-model-len"),
    (
        "BadEngineArg",
        "launch_server.py: error: argument --kv-cache-dtype: invalid choice: 'fp8' (choose from",
    ),
)


@pytest.mark.parametrize(("code", "log"), FAILED)
def test_a_log_tells_its_cause_below_a_healthy_start_and_above_what_followed(
    code: str, log: str
) -> None:
    start = CLEAN[-1].read_text().splitlines()
    after = ["RuntimeError: Engine core initialization failed. See root cause above."]
    for lines in (log.splitlines(), [*start, *log.splitlines(), *after]):
        cause = find_cause(lines)
        assert cause is not None
        assert cause.code == code
        assert cause.line


def test_every_cause_of_the_table_has_two_logs() -> None:
    codes = [code for code, _ in FAILED]
    assert {code for code in BY_CODE if codes.count(code) < 2} == set()
    assert set(codes) == set(BY_CODE)


@pytest.mark.parametrize("path", CLEAN, ids=lambda path: path.stem)
def test_a_log_without_a_cause_tells_none(path: Path) -> None:
    assert find_cause(path.read_text().splitlines()) is None


def test_there_are_ten_clean_logs_and_a_start_of_each_engine_is_among_them() -> None:
    names = {path.stem for path in CLEAN}
    assert len(names) >= 10
    for engine in ("vllm-0.11.0", "vllm-0.33.0", "sglang-0.5.3", "sglang-0.5.23", "llamacpp"):
        assert f"{engine}-starts" in names


def test_the_line_that_names_the_field_is_shown_with_the_one_that_counts() -> None:
    cause = find_cause(
        [
            "pydantic_core.ValidationError: 1 validation error for ModelConfig",
            "  Value error, Invalid dtype: float17",
        ]
    )
    assert cause is not None
    assert cause.line.endswith("error for ModelConfig Value error, Invalid dtype: float17")


def test_a_cause_names_the_field_of_a_template_that_cures_it() -> None:
    for signature in SIGNATURES:
        assert signature.field in signature.advice
        first = signature.field.split(".")[0]
        assert first in TemplateSpec.model_fields, signature.code


def test_what_was_printed_long_before_the_end_is_no_cause() -> None:
    log = ["torch.OutOfMemoryError: CUDA out of memory."]
    assert find_cause([*log, *["ready"] * LINES]) is None
    assert find_cause([*log, *["ready"] * (LINES - 1)]) is not None


@given(st.lists(st.binary(max_size=300), max_size=30))
def test_any_bytes_are_read_without_a_fault(raw: list[bytes]) -> None:
    cause = find_cause([line.decode("utf-8", "replace") for line in raw])
    assert cause is None or cause.code in BY_CODE


@settings(max_examples=10, deadline=None)
@given(st.text(max_size=40), st.sampled_from(["error", "validation error", " for ", "cuda "]))
def test_the_number_of_searches_is_bounded_whatever_the_text(noise: str, word: str) -> None:
    parts = sum(
        len(mark.parts) + len(mark.unless) for signature in SIGNATURES for mark in signature.marks
    )
    line = (word + noise).replace("\n", " ") * 500
    assert _searches([line] * (2 * LINES)) <= LINES * (parts + 4)
    assert _searches(["x" * (100 * LONGEST)]) <= parts + 4


def _searches(lines: list[str]) -> int:
    """Count the searches through a line, each of which takes a time in proportion to it."""
    count = 0

    def note(frame: FrameType, event: str, called: object) -> None:
        nonlocal count
        count += event == "c_call" and getattr(called, "__name__", "") == "find"

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        find_cause(lines)
    finally:
        sys.setprofile(before)
    return count
