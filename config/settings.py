"""Every setting of the service, read from the environment once.

Nothing set: the embedded default for one machine (SQLite in ``var/``, no Redis, no worker), allowed only with
``DEMO`` or ``DEBUG``. A deployment sets ``SECRET_KEY``, ``ALLOWED_HOSTS``, ``DATABASE_URL``, ``REDIS_URL``.
"""

import logging
import secrets
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any
from urllib.parse import urlsplit

import django_stubs_ext
import environ
from django.core.exceptions import ImproperlyConfigured
from django.utils.csp import CSP
from whitenoise.compress import Compressor

from config.logs import configure_logs

django_stubs_ext.monkeypatch()  # lets Django's classes be written as generics, ModelAdmin[Player]

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()

VAR_DIR = Path(env.str("VAR_DIR", str(BASE_DIR / "var")))
DEBUG = env.bool("DEBUG", False)
DEMO = env.bool("DEMO", False)
"""A first look on one machine: bots may play, a secret is made up, http will do."""
IS_LOCAL = DEMO or DEBUG


def _secret_key() -> str:
    """The secret from the environment; in demo and debug mode one made up and kept in ``var/``."""
    key: str = env.str("SECRET_KEY", "")
    if not key and IS_LOCAL:
        return _kept_secret(VAR_DIR / "secret.key")
    if len(key) < 50 or len(set(key)) < 5 or key.startswith(("django-insecure", "change")):
        raise ImproperlyConfigured(
            "SECRET_KEY is missing, short or a default. Set it to at least 50 random characters, e.g. from"
            " `python -c 'import secrets; print(secrets.token_urlsafe(48))'`."
        )
    return key


def _kept_secret(path: Path) -> str:
    """The secret in this file, made by whoever comes first."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile("w", dir=path.parent) as draft, suppress(FileExistsError):
        draft.write(secrets.token_urlsafe(48))
        draft.flush()
        path.hardlink_to(draft.name)
    return path.read_text()


def _service_url(name: str, *schemes: str) -> str:
    """The URL of a service from the environment, empty when not set."""
    url: str = env.str(name, "")
    try:
        is_usable = urlsplit(url).scheme in schemes and urlsplit(url).port != 0
    except ValueError:
        is_usable = False
    if url and not is_usable:
        # Without the URL itself, which may hold a password.
        raise ImproperlyConfigured(
            f"{name} is not a usable URL. It begins with {'://, '.join(schemes)}://, and a port is a number."
        )
    return url


def _mailer(url: str) -> dict[str, Any]:
    """What Django wants to know about a mail server."""
    given = env.email_url_config(url)
    if not given["EMAIL_BACKEND"].endswith("smtp.EmailBackend"):
        return {"BACKEND": given["EMAIL_BACKEND"]}
    options = {
        "host": given["EMAIL_HOST"],
        "port": given["EMAIL_PORT"],
        "username": given["EMAIL_HOST_USER"],
        "password": given["EMAIL_HOST_PASSWORD"],
        "use_tls": given.get("EMAIL_USE_TLS", False),
        "use_ssl": given.get("EMAIL_USE_SSL", False),
        "timeout": 10,
    }
    return {"BACKEND": given["EMAIL_BACKEND"], "OPTIONS": options}


def _guessed_site_url() -> str:
    """The first of the service's names, with what it speaks; on one machine the port that ``./run`` takes."""
    names: list[str] = [name for name in env.list("ALLOWED_HOSTS", default=[]) if "*" not in name]
    if names:
        return ("https://" if SECURE_HTTPS else "http://") + names[0].lstrip(".")
    return f"http://localhost:{env.str('PORT', '') or 8000}"


SECRET_KEY = _secret_key()
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
"""Earlier secrets: what they signed, sessions and mailed links, is still taken."""
SECURE_HTTPS = env.bool("SECURE_HTTPS", not IS_LOCAL)
"""Whether a proxy in front speaks https; then cookies are secure and http is sent there."""
ALLOWED_HOSTS = [*env.list("ALLOWED_HOSTS", default=[]), "127.0.0.1", "localhost", "[::1]"]
"""The names the service goes by; health checks always ask it by its local ones."""
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
SITE_URL = (_service_url("SITE_URL", "https", "http") or _guessed_site_url()).rstrip("/")
"""Where the site is, for the links in mails, which must not follow whatever host a request names."""

# The game
DAYS_AHEAD = env.int("DAYS_AHEAD", 7)
"""How many coming days are kept made, besides today."""
ATTEMPT_TIME_LIMIT = timedelta(minutes=env.int("ATTEMPT_MINUTES", 60))
CHECKPOINT_INTERVAL = timedelta(seconds=3)
"""The least time between two checkpoints of an attempt."""
RANKED_REQUIRES = env.str("RANKED_REQUIRES", "anyone")
"""Who is ranked: ``anyone``, who has an ``account``, or whose email address is ``verified``."""
if RANKED_REQUIRES not in ("anyone", "account", "verified"):
    raise ImproperlyConfigured("RANKED_REQUIRES is one of anyone, account and verified.")
DEADLINE_GRACE = timedelta(seconds=60)
"""How long after a deadline nothing is decided: longer than any request that arrived in time can take."""

# Rooms
INSTALLED_APPS = [
    "config.admin.PyramidAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_structlog",
    "players",
    "daily",
    "leaderboard",
    "api",
    "web",  # before allauth, whose pages it draws
    "allauth",
    "allauth.account",
    "allauth.mfa",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",  # what comes after may refuse, with a page
    "api.middleware.MetricsMiddleware",
    "config.middleware.RequestLog",
    "api.middleware.ProblemMiddleware",
    "config.middleware.ShortWay",
    "web.middleware.PageMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "api.middleware.SlashMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "web.sessions.KeepSessions",
    "allauth.account.middleware.AccountMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "config.middleware.short_way_end",
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
    "default": env.db_url_config(
        _service_url("DATABASE_URL", "postgres", "postgresql", "sqlite")
        or f"sqlite:///{VAR_DIR / 'db.sqlite3'}"
    )
}
DATABASE = DATABASES["default"]
IS_POSTGRES = DATABASE["ENGINE"] == "django.db.backends.postgresql"
if IS_POSTGRES:
    DATABASE["ENGINE"] = "config.postgresql"
    DATABASE["CONN_MAX_AGE"] = None
    DATABASE["CONN_HEALTH_CHECKS"] = True
    DATABASE.setdefault("OPTIONS", {}).update(
        connect_timeout=2,
        server_side_binding=True,
        prepare_threshold=5,
        options="-c statement_timeout=15000 -c lock_timeout=10000",
        # A server whose machine is gone, without a word, is noticed within seconds.
        keepalives_idle=5,
        keepalives_interval=2,
        keepalives_count=3,
        tcp_user_timeout=10000,
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
REDIS_URL = _service_url("REDIS_URL", "redis", "rediss", "unix")
REDIS_TIMEOUT_S = 0.25
REDIS_PREFIX = env.str("REDIS_PREFIX", "pyramid:")
CELERY_BROKER_URL = env.str("CELERY_BROKER_URL", REDIS_URL) or "memory://"
CELERY_TASK_ALWAYS_EAGER = not REDIS_URL
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR_DIR / "celerybeat-schedule")

# People
AUTH_USER_MODEL = "players.Player"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
AUTHENTICATION_BACKENDS = ["players.backends.AccountBackend"]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "web:today"
LOGOUT_REDIRECT_URL = "web:today"
SESSION_COOKIE_AGE = 365 * 24 * 60 * 60
"""A year from the latest use (see ``web.sessions``): its session is all that a guest has."""
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"

# Signing in, with a second step: allauth's, in our forms. Accounts, mails and limits are ours alone.
ACCOUNT_ADAPTER = "web.adapters.AccountAdapter"
ACCOUNT_AUTHENTICATED_LOGIN_REDIRECTS = False
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_FORMS = {"login": "web.forms.SignInForm", "reauthenticate": "web.forms.PasswordForm"}
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_RATE_LIMITS = False
ACCOUNT_USER_MODEL_USERNAME_FIELD = "name"
MFA_ADAPTER = "web.adapters.MfaAdapter"
MFA_FORMS = {
    "authenticate": "web.forms.CodeForm",
    "reauthenticate": "web.forms.CodeAgainForm",
    "add_webauthn": "web.forms.NewPasskeyForm",
    "authenticate_webauthn": "web.forms.PasskeyForm",
    "login_webauthn": "web.forms.PasskeySignInForm",
    "reauthenticate_webauthn": "web.forms.PasskeyAgainForm",
}
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_RATE_LIMITS = False
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_TOTP_ISSUER = "Pyramid Daily"
MFA_TOTP_TOLERANCE = 1
"""Codes of the step before and after count too: clocks differ, and people type."""

# Mail: by EMAIL_URL, such as smtp+tls://user:password@mail.example.org:587; on one machine onto the terminal.
EMAIL_URL = env.str("EMAIL_URL", "") or ("consolemail://" if IS_LOCAL else "")
DEFAULT_FROM_EMAIL = env.str("EMAIL_FROM", "") or "Pyramid Daily <pyramid@localhost>"
MAILERS = {"default": _mailer(EMAIL_URL)} if EMAIL_URL else {}
"""Without a mailer every mail is a warning in the log."""
if RANKED_REQUIRES == "verified" and not EMAIL_URL:
    raise ImproperlyConfigured("RANKED_REQUIRES=verified needs EMAIL_URL: addresses are verified by mail.")

# Clocks, words
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = False
LANGUAGE_CODE = "en"

# Static files: collected and hashed into the image, or straight from the apps on one machine.
STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "config" / "static"]
STATIC_ROOT = None if IS_LOCAL else BASE_DIR / "static"
WHITENOISE_USE_FINDERS = IS_LOCAL
WHITENOISE_KEEP_ONLY_HASHED_FILES = True
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = (*Compressor.SKIP_COMPRESS_EXTENSIONS, "map")
"""Maps from packed code to its source, which hardly anybody asks for and which take longest to pack."""
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if IS_LOCAL
        else "config.storage.HashedStaticFiles"
    },
}

# Security
TRUSTED_PROXIES = env.int("TRUSTED_PROXIES", 0)
"""How many proxies in front may be believed about the client's address and whether it spoke https."""
SECURE_SSL_REDIRECT = SECURE_HTTPS
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if TRUSTED_PROXIES else None
SECURE_HSTS_SECONDS = 31_536_000 if SECURE_HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HTTPS
SECURE_HSTS_PRELOAD = SECURE_HTTPS
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_HTTPS
COOKIE_PREFIX = "__Host-" if SECURE_HTTPS else ""
"""By it browsers take cookies from this very host over https only, and from none beside or below it."""
SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = f"{COOKIE_PREFIX}sessionid", f"{COOKIE_PREFIX}csrftoken"
MESSAGE_STORAGE = "config.notices.NoticeStorage"
SESSION_COOKIE_HTTPONLY = True
WHITENOISE_ALLOW_ALL_ORIGINS = False  # nothing of ours is for the pages of others
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
    "worker-src": [CSP.SELF],
    "form-action": [CSP.SELF],
    "base-uri": [CSP.NONE],
    "frame-ancestors": [CSP.NONE],
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 128 * 1024

# The contract
REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "players.authentication.BearerAuthentication",
        "api.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.AllowAny"],
    "DEFAULT_PARSER_CLASSES": ["api.parsers.StrictJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["api.renderers.JSONRenderer"],
    "DEFAULT_THROTTLE_CLASSES": ["api.throttling.Throttle"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "api.negotiation.Negotiation",
    "DEFAULT_METADATA_CLASS": "api.metadata.NoMetadata",
    "DEFAULT_SCHEMA_CLASS": "api.schema.Schema",
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
    "login": env.str("THROTTLE_LOGIN", "60/hour"),
    "solve": env.str("THROTTLE_SOLVE", "30/minute"),
    "guess": env.str("THROTTLE_GUESS", "20/hour"),
}
"""Per caller, but for ``guess``: tries at one account's password or code, by whomever."""
SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "Pyramid Daily",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SERVE_INCLUDE_SCHEMA": False,
    "COMPONENT_SPLIT_REQUEST": True,
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    "POSTPROCESSING_HOOKS": ["api.schema.complete"],
}

# Metrics
METRICS_TOKEN = env.str("METRICS_TOKEN", "")
"""The bearer token of who may read /metrics; without one whoever asks from a private network may."""
METRICS_FOLDER = env.str("PROMETHEUS_MULTIPROC_DIR", "")
"""Where the processes of a machine put their counts together; prometheus-client reads it under this name."""
if METRICS_FOLDER:
    Path(METRICS_FOLDER).mkdir(parents=True, exist_ok=True)

# Logs
LOGGING = configure_logs(env.str("LOG_LEVEL", "INFO"), is_for_people=IS_LOCAL)
DJANGO_STRUCTLOG_CELERY_ENABLED = True
DJANGO_STRUCTLOG_STATUS_START_LOG_LEVEL = logging.DEBUG
