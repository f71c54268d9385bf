"""How figures are written on pages."""

from datetime import datetime

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from daily.pictures import draw_cards
from daily.status import Status

register = template.Library()


@register.filter
def duration(elapsed_ms: int) -> str:
    """Milliseconds as minutes, seconds and tenths, ``2:05.3``, with hours where there are some."""
    minutes, rest_ms = divmod(elapsed_ms, 60_000)
    seconds = f"{rest_ms // 1000:02}.{rest_ms % 1000 // 100}"
    hours, minutes_left = divmod(minutes, 60)
    return f"{hours}:{minutes_left:02}:{seconds}" if hours else f"{minutes}:{seconds}"


@register.filter
def status_words(status: Status) -> str:
    """Where a day stands, as players read it."""
    return "final" if status == Status.SETTLED else str(status.label)


@register.simple_tag
def countdown(until: datetime, now: datetime, over: str = "now", reveals: str = "") -> SafeString:
    """The time left until a moment, which ``countdown.js`` counts down; without it, as it was at ``now``.

    ``over`` is what it says in the end, and ``reveals`` the id of what is shown then.
    """
    return format_html(
        '<time class="countdown" datetime="{}" data-until="{}" data-now="{}" data-over="{}"'
        ' data-reveals="{}">{}</time>',
        until.isoformat(),
        until.isoformat(),
        now.isoformat(),
        over,
        reveals,
        time_left(max(0, (until - now).total_seconds())),
    )


@register.simple_tag
def card_symbols() -> SafeString:
    """The drawings of the 52 cards, for a page to use."""
    return draw_cards()


def time_left(left_s: float) -> str:
    """Seconds as hours and minutes, ``3 h 12 min``, for those whose page stands still."""
    hours, minutes = divmod(round(left_s / 60), 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"
