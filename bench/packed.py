"""The settings of a deployment on plain http, with its packed static files where ``VAR_DIR`` is."""

from config.settings import *  # noqa: F403

STATIC_ROOT = VAR_DIR / "static"  # noqa: F405
