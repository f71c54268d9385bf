"""The Celery application and its beat schedule.

Celery makes things punctual and is not needed for them to be right: every task looks at what is missing and
repairs it, and the web side does the same for whoever reads first. Tasks carry nothing.
"""

import logging.config
import os

import structlog
from celery import Celery, Task, signals
from celery.schedules import crontab
from django.conf import settings
from django.db import connection
from django.dispatch import receiver
from django_structlog.celery.signals import bind_extra_task_metadata
from django_structlog.celery.steps import DjangoStructLogInitStep

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

FRESH = {"options": {"expires": 55}}
"""Seconds after which a task that no worker took is dropped: the next one does its work, so none pile up."""

app = Celery("pyramid_daily")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.update(
    task_ignore_result=True,
    result_backend=None,
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    worker_prefetch_multiplier=1,
    task_time_limit=600,
    timezone="UTC",
    broker_connection_retry_on_startup=True,
    broker_transport_options={
        "socket_timeout": 2,
        "socket_connect_timeout": 1,
        "visibility_timeout": 900,
        "max_retries": 1,
        "interval_start": 0,
        "connect_retries_timeout": 1,
    },
    task_publish_retry=False,
    beat_schedule={
        "schedule-ahead": {"task": "daily.tasks.schedule_ahead", "schedule": crontab(minute="*/10")} | FRESH,
        "finish-overdue": {"task": "leaderboard.tasks.finish_overdue", "schedule": crontab()} | FRESH,
        "settle-due": {"task": "leaderboard.tasks.settle_due", "schedule": crontab()} | FRESH,
        "clear-sessions": {"task": "web.tasks.clear_sessions", "schedule": crontab(minute=17, hour=4)}
        | FRESH,
        "repair-index": {"task": "leaderboard.tasks.repair_index", "schedule": crontab()} | FRESH,
    },
)
app.steps["worker"].add(DjangoStructLogInitStep)
app.autodiscover_tasks()


@signals.worker_init.connect
def take_time(**_: object) -> None:
    """Let a worker's statements last as long as its tasks may: freezing a big board is one statement."""
    if settings.IS_POSTGRES:
        connection.settings_dict["OPTIONS"]["options"] += " -c statement_timeout=0"


@signals.setup_logging.connect
def keep_our_logs(**_: object) -> None:
    """Let a worker log as the web does, not as Celery would."""
    logging.config.dictConfig(settings.LOGGING)


@receiver(bind_extra_task_metadata)
def name_task(task: Task[..., object], **_: object) -> None:
    """Let every line of a task say whose it is."""
    structlog.contextvars.bind_contextvars(task=task.name)
