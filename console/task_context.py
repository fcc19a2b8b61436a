"""Carries the id of a request into the tasks that it asks for, and into what those ask for.

What the clock asks for has no request: there the first task's own id stands for it, so that all
lines of one turn bear the same id, and each task its own beside it.
"""

from contextvars import Token
from typing import Any

from celery.signals import before_task_publish, task_postrun, task_prerun
from structlog.contextvars import bind_contextvars, reset_contextvars

from deployments.services.tracing import Source, current_request_id

HEADER = "slipway_request_id"

_bound: dict[str, dict[str, Token[Any]]] = {}


def carry_request_ids() -> None:
    """Begin to do so in this process, for what it sends and for what it runs."""
    before_task_publish.connect(send_request_id)
    task_prerun.connect(bind_request_id)
    task_postrun.connect(forget_request_id)


def send_request_id(headers: dict[str, Any], **_sent: Any) -> None:
    """Write the id of what is going on here on a message."""
    if request_id := current_request_id():
        headers[HEADER] = request_id


def bind_request_id(task_id: str, task: Any, **_sent: Any) -> None:
    """Give every line of a task its id and the id of the request behind it."""
    request_id = task.request.get(HEADER) or task_id
    names = {"task": task.name, "task_id": task_id, "source": Source.RECONCILER.value}
    _bound[task_id] = dict(bind_contextvars(request_id=request_id, **names))


def forget_request_id(task_id: str, **_sent: Any) -> None:
    """Leave the thread as it was found: the next task is another's."""
    if tokens := _bound.pop(task_id, None):
        reset_contextvars(**tokens)
