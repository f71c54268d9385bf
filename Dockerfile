# syntax=docker/dockerfile:1
# One image for web, worker, beat and migrate; the default command is web.

FROM python:3.13-slim-trixie AS build
RUN pip install --no-cache-dir uv==0.13.9
WORKDIR /app
ENV UV_COMPILE_BYTECODE=1 UV_LINK_MODE=copy UV_PYTHON_DOWNLOADS=never
COPY pyproject.toml uv.lock ./
RUN --mount=type=cache,target=/root/.cache/uv uv sync --frozen --no-dev
COPY manage.py ./
COPY api api
COPY config config
COPY daily daily
COPY games games
COPY leaderboard leaderboard
COPY players players
COPY web web
# A secret of the moment lets the settings load; the image keeps none.
RUN SECRET_KEY="$(python -c 'import secrets; print(secrets.token_urlsafe(48))')" VAR_DIR=/tmp \
    .venv/bin/python manage.py collectstatic --no-input --ignore redoc \
    && .venv/bin/python -m compileall -q api config daily games leaderboard players web

FROM python:3.13-slim-trixie
RUN useradd --uid 10001 --home-dir /var/lib/pyramid --create-home pyramid
WORKDIR /app
COPY --from=build /app /app
ENV PATH=/app/.venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    VAR_DIR=/var/lib/pyramid \
    PROMETHEUS_MULTIPROC_DIR=/var/lib/pyramid/metrics \
    GRANIAN_HOST=0.0.0.0 \
    GRANIAN_PORT=8000 \
    GRANIAN_HTTP=1 \
    GRANIAN_HTTP1_BUFFER_SIZE=65536 \
    GRANIAN_WORKERS=2 \
    GRANIAN_BLOCKING_THREADS=4
USER 10001:10001
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request; urllib.request.urlopen(f'http://127.0.0.1:{os.environ[\"GRANIAN_PORT\"]}/readyz', timeout=4)"]
CMD ["granian", "--interface", "wsgi", "--no-ws", "--workers-kill-timeout", "10", "--respawn-failed-workers", "config.wsgi:application"]
