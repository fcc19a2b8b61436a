"""Secrets that engines print, and figures that only look like them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from providers.contract.masking import MASK, mask_lines, mask_secrets

JWT = "eyJhbGciOiJSUzI1NiIsImtpZCI6IiJ9.eyJpc3MiOiJrdWJlcm5ldGVzIn0.c3dvcmRmaXNo"


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("Namespace(api_key='swordfish', port=8000)", "swordfish"),
        ("vllm serve --api-key=swordfish --port=8000", "swordfish"),
        ("vllm serve --api-key swordfish --port 8000", "swordfish"),
        ("llama-server --hf-token swordfish", "swordfish"),
        ("HF_TOKEN=swordfish", "swordfish"),
        ("HUGGING_FACE_HUB_TOKEN: swordfish", "swordfish"),
        ("AWS_SECRET_ACCESS_KEY=swordfish", "swordfish"),
        ("Invalid token hf_abcDEF0123456789", "hf_abcDEF0123456789"),
        ("GET /v1/models Authorization: Bearer swordfish", "swordfish"),
        ("http://user:swordfish@proxy.example:3128", "swordfish"),
        (f"presented {JWT}", JWT),
        ("key AKIAIOSFODNN7EXAMPLE", "AKIAIOSFODNN7EXAMPLE"),
        ("sk-abcdefghij0123456789", "sk-abcdefghij0123456789"),
    ],
)
def test_a_secret_of_an_engine_is_masked(text: str, secret: str) -> None:
    masked = mask_secrets(text)
    assert secret not in masked
    assert MASK in masked
    assert mask_secrets(masked) == masked


@pytest.mark.parametrize(
    "text",
    [
        "max_num_batched_tokens=8192, tokenizer='Qwen/Qwen3-8B', max_tokens: 512",
        "print_info: EOS token = 151645 '<|im_end|>'",
        "eos_token_id=151645 pad_token='<|endoftext|>' num_key_value_heads=8",
        "Avg prompt throughput: 0.0 tokens/s, Running: 0 reqs",
        "#new-token: 12, #cached-token: 0, token usage: 0.01",
        "--max-num-batched-tokens 8192 --tokenizer Qwen/Qwen3-8B",
    ],
)
def test_a_figure_of_an_engine_stays(text: str) -> None:
    assert mask_secrets(text) == text


def test_a_private_key_is_masked_on_each_of_its_lines_and_no_further() -> None:
    lines = ["-----BEGIN RSA PRIVATE KEY-----", "MIIEpAI", "-----END RSA PRIVATE KEY-----", "ready"]
    assert list(mask_lines(lines)) == [MASK, MASK, MASK, "ready"]


@given(st.text())
def test_masking_twice_is_the_same_as_once(text: str) -> None:
    once = mask_secrets(text)
    assert mask_secrets(once) == once
