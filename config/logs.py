"""Logs: one JSON object a line, with the request's id; never a deal, a move log or a token."""

import re
import sys
from typing import Any

import structlog
from structlog.typing import EventDict, Processor

MAILED = re.compile(r"(/account/(?:verify|reset)/)[^/\s?\"']+")
"""What a mailed link says in an address, which opens an account as long as nobody has used it."""


def hide_mailed_links(_logger: Any, _method: str, event: EventDict) -> EventDict:
    """Take mailed links out of whatever is logged about a request."""
    for key, value in event.items():
        if isinstance(value, str):
            event[key] = MAILED.sub(r"\1…", value)
    return event


ENRICH: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    hide_mailed_links,
]
"""What every line gets, ours and the libraries'."""


def configure_logs(level: str, *, is_for_people: bool) -> dict[str, Any]:
    """Set up structlog and return the ``LOGGING`` dictionary that sends everything to stderr through it.

    ``is_for_people`` writes for a terminal, otherwise each line is one JSON object. Tracebacks come without
    the values of local variables, which could hold a deal.
    """
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *ENRICH,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    render = _render_for_people() if is_for_people else _render_as_json()
    formatter = {
        "()": structlog.stdlib.ProcessorFormatter,
        "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *render],
        "foreign_pre_chain": ENRICH,
    }
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": formatter},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "lines"}},
        "root": {"handlers": ["stderr"], "level": level},
        # The request's own line tells of refusals. Django repeats them, with a traceback where a host is
        # made up or fields come in floods, so that whoever likes could fill the log. What is wrong with the
        # token of a form is told here only.
        "loggers": {
            "django.request": {"level": "ERROR"},
            "django.security": {"level": "CRITICAL"},
            "django.security.csrf": {"level": "WARNING"},
        },
    }


def _render_for_people() -> list[Processor]:
    plain = structlog.dev.plain_traceback
    return [structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=plain)]


def _render_as_json() -> list[Processor]:
    return [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
