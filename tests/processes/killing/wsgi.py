"""The console behind gunicorn, where a request may carry the order to halt its process.

`X-Record: FILE` counts the request's effects into that file, `X-Halt: NUMBER-SIDE SIGNAL` halts the
process there. The answer counts as an effect: it is after it when the last byte is sent.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from console.wsgi import application as console
from tests.processes.killing.effects import Count, Side, counting, parse_halt

ANSWER = "answer"


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Answer as the console does."""
    record = environ.get("HTTP_X_RECORD")
    if not record:
        return console(environ, start_response)
    stack = ExitStack()
    halt = parse_halt(environ.get("HTTP_X_HALT", ""))
    count = stack.enter_context(counting(Path(record), halt))
    response = console(environ, start_response)
    return Answer(response, count, stack)


class Answer:
    """A response whose sending is counted."""

    def __init__(self, response: Iterable[bytes], count: Count, stack: ExitStack) -> None:
        self._response, self._count, self._stack = response, count, stack
        self._number = count.begin(ANSWER)

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._response)

    def close(self) -> None:
        """End the count: gunicorn has sent everything."""
        self._count.reach(self._number, Side.AFTER, ANSWER)
        close = getattr(self._response, "close", None)
        if close is not None:
            close()
        self._stack.close()
