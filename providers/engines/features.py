"""The wishes that vLLM and SGLang spell alike, as pieces of a command line."""

from collections.abc import Iterator

from providers.engines.arguments import Piece, bare, one_word
from providers.engines.wishes import Wishes


def text_pieces(pairs: tuple[tuple[str, str], ...]) -> Iterator[Piece]:
    """Return `--flag=value` for every value that is given."""
    return (one_word(flag, value) for flag, value in pairs if value)


def degree_pieces(pairs: tuple[tuple[str, int], ...]) -> Iterator[Piece]:
    """Return `--flag=degree` for every degree above 1, which is what the engine has without it."""
    return (one_word(flag, degree) for flag, degree in pairs if degree > 1)


def quantization_pieces(wishes: Wishes) -> Iterator[Piece]:
    """Return the weight and cache types."""
    yield from text_pieces(
        (("quantization", wishes.weight), ("kv-cache-dtype", wishes.kv_cache)),
    )


def trust_pieces(wishes: Wishes) -> Iterator[Piece]:
    """Return the switch that lets code of the model run, where the template allows it."""
    if wishes.remote_code:
        yield bare("trust-remote-code")
