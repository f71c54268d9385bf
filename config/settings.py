"""Every setting of the service, read from the environment once.

Nothing set: the embedded default for one machine (SQLite in ``var/``, no Redis, no worker), allowed only with
``DEMO`` or ``DEBUG``. A deployment sets ``SECRET_KEY``, ``ALLOWED_HOSTS``, ``DATABASE_URL`` and ``REDIS_URL``.
"""

import secrets
from datetime import timedelta
from pathlib import Path
from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured
from django.utils.csp import CSP

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()

VAR_DIR = Path(env.str("VAR_DIR", str(BASE_DIR / "var")))
DEBUG = env.bool("DEBUG", False)
DEMO = env.bool("DEMO", False)
"""A first look on one machine: bots may play, a secret is made up, http will do."""


def _secret_key() -> str:
    """The secret from the environment; in demo and debug mode one made up and kept in ``var/``."""
    key = env.str("SECRET_KEY", "")
    if not key and (DEMO or DEBUG):
        return _kept_secret(VAR_DIR / "secret.key")
    if len(key) < 32 or key.startswith(("django-insecure", "change")):
        raise ImproperlyConfigured(
            "SECRET_KEY is missing, short or a default. Set it to at least 32 random characters, e.g. from"
            " `python -c 'import secrets; print(secrets.token_urlsafe(48))'`."
        )
    return key


def _kept_secret(path: Path) -> str:
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(48))
    return path.read_text()


SECRET_KEY = _secret_key()
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"] if DEMO or DEBUG else [])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

# The game
DAILY_RULES_BY_WEEKDAY = env.list("DAILY_RULES_BY_WEEKDAY", default=["endless"] * 7)
"""Rule set slugs for Monday to Sunday."""
DAYS_AHEAD = env.int("DAYS_AHEAD", 7)
"""How many coming days are kept made, besides today."""
ATTEMPT_TIME_LIMIT = timedelta(minutes=env.int("ATTEMPT_MINUTES", 60))

# Rooms
INSTALLED_APPS = [
    "config.admin.PyramidAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "servestatic.runserver_nostatic",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_structlog",
    "players",
    "daily",
    "leaderboard",
    "api",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "servestatic.middleware.ServeStaticMiddleware",
    "api.middleware.ProblemMiddleware",
    "django_structlog.middlewares.RequestMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
]
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

# PostgreSQL is the truth; SQLite is the same on one machine.
DATABASES: dict[str, dict[str, Any]] = {
    "default": env.db_url("DATABASE_URL", default=f"sqlite:///{VAR_DIR / 'db.sqlite3'}")
}
DATABASE = DATABASES["default"]
IS_POSTGRES = DATABASE["ENGINE"] == "django.db.backends.postgresql"
if IS_POSTGRES:
    DATABASE["CONN_MAX_AGE"] = None
    DATABASE["CONN_HEALTH_CHECKS"] = True
    DATABASE.setdefault("OPTIONS", {}).update(
        connect_timeout=2, options="-c statement_timeout=15000 -c lock_timeout=10000"
    )
else:
    VAR_DIR.mkdir(parents=True, exist_ok=True)
    DATABASE["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Redis is an index that may die; short time-outs everywhere.
REDIS_URL = env.str("REDIS_URL", "")
REDIS_TIMEOUT_S = 0.25
REDIS_PREFIX = env.str("REDIS_PREFIX", "pyramid:")
CELERY_BROKER_URL = env.str("CELERY_BROKER_URL", REDIS_URL) or "memory://"
CELERY_TASK_ALWAYS_EAGER = not REDIS_URL

# People
AUTH_USER_MODEL = "players.Player"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "admin:login"

# Clocks, words
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = False
LANGUAGE_CODE = "en"

# Static files
STATIC_URL = "static/"
STATIC_ROOT = Path(env.str("STATIC_ROOT", str(BASE_DIR / "static")))
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "servestatic.storage.CompressedManifestStaticFilesStorage"},
}
SERVESTATIC_USE_FINDERS = DEMO or DEBUG

# Security
SECURE_HTTPS = env.bool("SECURE_HTTPS", not (DEMO or DEBUG))
"""Whether a proxy in front speaks https; then cookies are secure and http is sent there."""
SECURE_SSL_REDIRECT = SECURE_HTTPS
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if env.int("TRUSTED_PROXIES", 0) else None
SECURE_HSTS_SECONDS = 31_536_000 if SECURE_HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HTTPS
SECURE_HSTS_PRELOAD = SECURE_HTTPS
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_HTTPS
SESSION_COOKIE_HTTPONLY = True
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CSP = {
    "default-src": [CSP.NONE],
    "script-src": [CSP.SELF],
    "style-src": [CSP.SELF],
    "img-src": [CSP.SELF, "data:"],
    "font-src": [CSP.SELF],
    "connect-src": [CSP.SELF],
    "manifest-src": [CSP.SELF],
    "form-action": [CSP.SELF],
    "base-uri": [CSP.NONE],
    "frame-ancestors": [CSP.NONE],
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 128 * 1024

# The contract
TRUSTED_PROXIES = env.int("TRUSTED_PROXIES", 0)
"""How many proxies in front may be believed about the client's address."""
REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "players.authentication.BearerAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.AllowAny"],
    "DEFAULT_PARSER_CLASSES": ["api.parsers.StrictJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_THROTTLE_CLASSES": ["api.throttling.Throttle"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "api.errors.handle",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
    "NUM_PROXIES": TRUSTED_PROXIES,
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
    "URL_FORMAT_OVERRIDE": None,
}
THROTTLE_RATES: dict[str, str] = {
    "read": env.str("THROTTLE_READ", "1200/minute"),
    "write": env.str("THROTTLE_WRITE", "240/minute"),
    "join": env.str("THROTTLE_JOIN", "120/hour"),
}
SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "Pyramid Daily",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SERVE_INCLUDE_SCHEMA": False,
    "COMPONENT_SPLIT_REQUEST": True,
    "SCHEMA_PATH_PREFIX": "/api/v1/",
}

# Logs: one JSON object a line, with a request id; never a deal, a log or a token.
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "json": {
            "()": "structlog.stdlib.ProcessorFormatter",
            "processor": "structlog.processors.JSONRenderer",
            "foreign_pre_chain": ["structlog.contextvars.merge_contextvars"],
        }
    },
    "handlers": {"console": {"class": "logging.StreamHandler"}},
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", "INFO")},
}
