"""What the beat asks of the site."""

from celery import shared_task
from django.contrib.sessions.models import Session
from django.utils import timezone

from daily.reports import reported


@shared_task
@reported
def clear_sessions() -> int:
    """Forget the sessions that have ended, which open nothing any more."""
    return Session.objects.filter(expire_date__lt=timezone.now()).delete()[0]
