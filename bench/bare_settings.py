"""Settings of the yardstick: what ``startproject`` and DRF come with, on the service's database."""

from config.settings import (  # noqa: F401
    ALLOWED_HOSTS,
    AUTH_USER_MODEL,
    DEFAULT_AUTO_FIELD,
    SECRET_KEY,
    TEMPLATES,
    USE_TZ,
    env,
)

DATABASES = {"default": {**env.db_url("DATABASE_URL"), "CONN_MAX_AGE": None}}
INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "players",
    "daily",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "bench.bare"
