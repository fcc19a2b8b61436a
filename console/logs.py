"""How the console logs: one JSON object a line, with the id of the request that it belongs to.

A line names a request by id, method and path, never by its query, in which anything may stand; a
task by its name and ids, never by its arguments. Secrets are masked last, when all is text.
"""

from collections.abc import Iterable, MutableMapping
from typing import Any

import structlog
from django.http import HttpRequest

from console.masking import Masker

REQUEST_ID = "slipway.request_id"


def name_request(
    logger: Any, method: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """Replace the request object that Django's loggers attach by what a reader looks for.

    Django tells refused and failed requests after the middleware is through, when nothing is bound
    any more; and the object itself would print its query.
    """
    del logger, method
    request = event.pop("request", None)
    if isinstance(request, HttpRequest):
        event.setdefault("request_id", request.META.get(REQUEST_ID, ""))
        event.update(method=request.method, path=request.path_info)
    return event


def drop_task_arguments(
    logger: Any, method: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """Remove what Celery attaches to its lines: arguments and results beside what they say."""
    del logger, method
    if isinstance(data := event.get("data"), dict) and "args" in data:
        del event["data"]
    return event


_STEPS: tuple[structlog.typing.Processor, ...] = (
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.stdlib.ExtraAdder(),
    name_request,
    drop_task_arguments,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
)


def configure_structlog() -> None:
    """Let structlog's loggers end in the same handlers as everybody else's."""
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *_STEPS,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )


def json_logging(level: str, *, secrets: Iterable[str] = ()) -> dict[str, Any]:
    """Return the configuration for `logging`: everything to stderr, as JSON.

    `secrets` are masked wherever they stand, beside all that looks like one.
    """
    formatter = {
        "()": structlog.stdlib.ProcessorFormatter,
        "processors": [
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            Masker(secrets),
            structlog.processors.JSONRenderer(default=str),
        ],
        "foreign_pre_chain": list(_STEPS),
    }
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": formatter},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            # Their own handlers would print the same line a second time, as plain text.
            "django": {"handlers": [], "propagate": True},
            "django.server": {"handlers": [], "propagate": True},
            # At DEBUG they would log request bodies, which may name secrets.
            "kubernetes": {"level": "INFO"},
            "urllib3": {"level": "INFO"},
            # It warns of each HEAD whose body it drops, as it should.
            "gunicorn.http.wsgi": {"level": "ERROR"},
        },
    }
