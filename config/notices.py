"""Where what a page has to say next is kept meanwhile."""

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage


class NoticeCookie(CookieStorage):
    """A cookie of this host, like the session's."""

    cookie_name = f"{settings.COOKIE_PREFIX}messages"


class NoticeStorage(FallbackStorage):
    """The cookie, and the session for what does not fit."""

    storage_classes = (NoticeCookie, SessionStorage)
