"""The WSGI application that servers import."""

import gc
import os
from collections.abc import Iterable
from importlib import import_module
from wsgiref.types import StartResponse, WSGIEnvironment

from django.core.wsgi import get_wsgi_application
from django.utils.http import parse_header_parameters

import config.patience  # noqa: F401 (for requests, not for tasks)

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

django = get_wsgi_application()
import_module("config.urls")  # now, and not with the first request
gc.freeze()
"""What is loaded by now stays; the garbage collector need not look through it again and again."""


def application(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    """Django, which reads the whole request, its URL too, by the charset that the Content-Type names.

    Where it cannot, or would read something else than was meant, it is told of bytes only: what needs a body
    then refuses this one, and everything else answers as ever.
    """
    if not is_readable(environ.get("CONTENT_TYPE", "")):
        environ["CONTENT_TYPE"] = "application/octet-stream"
    return django(environ, start_response)


def is_readable(content_type: str) -> bool:
    """Whether a Content-Type is of a sane length and names no charset but UTF-8."""
    try:
        _kind, parameters = parse_header_parameters(content_type)
    except ValueError:
        return False
    return parameters.get("charset", "utf-8").lower() in ("utf-8", "utf8")
