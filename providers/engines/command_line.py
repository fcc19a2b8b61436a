"""From pieces to a command line and to what there is to say about it: the same pieces for both.

A refused argument is never rendered, so that what a review refuses cannot run by another way.
Where a runtime of the cluster starts the engine, arguments come after those of the runtime, which
says itself where the model lies and where the engine listens.
"""

from collections.abc import Iterable, Iterator

from providers.engines.arguments import Piece, without_repeats
from providers.engines.dialect import Dialect
from providers.engines.launch import Finding
from providers.engines.serve_args import Group, accepted, group_words, review_words, suppress
from providers.engines.wishes import Wishes

_RUNTIMES = frozenset({"model", "model-path", "hf-repo", "revision", "host", "port"})


def join_args(pieces: Iterable[Piece], wishes: Wishes, dialect: Dialect) -> tuple[str, ...]:
    """Return the arguments: ours, then the template's `serve_args`, which suppress ours."""
    groups = tuple(accepted(_groups(wishes, dialect), dialect, remote_code=wishes.remote_code))
    said = (piece for piece in pieces if not (wishes.by_runtime and piece.flag in _RUNTIMES))
    ours = suppress(without_repeats(said, path=wishes.args_path), groups, dialect)
    tokens = [token for piece in ours for token in piece.tokens]
    return (*tokens, *(token for group in groups for token in group.tokens))


def review_args(pieces: Iterable[Piece], wishes: Wishes, dialect: Dialect) -> Iterator[Finding]:
    """Return what there is to say about every argument, ours and those appended."""
    yield from wishes.twins
    for piece in without_repeats(pieces, path=wishes.args_path):
        if piece.finding:
            yield piece.finding
    groups = _groups(wishes, dialect)
    yield from review_words(groups, dialect, remote_code=wishes.remote_code)


def _groups(wishes: Wishes, dialect: Dialect) -> tuple[Group, ...]:
    return group_words(wishes.engine.serve_args, dialect)
