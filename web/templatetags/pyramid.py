"""How figures are written on pages."""

from django import template

register = template.Library()


@register.filter
def duration(elapsed_ms: int) -> str:
    """Milliseconds as minutes, seconds and tenths, ``2:05.3``, with hours where there are some."""
    minutes, rest_ms = divmod(elapsed_ms, 60_000)
    seconds = f"{rest_ms // 1000:02}.{rest_ms % 1000 // 100}"
    hours, minutes_left = divmod(minutes, 60)
    return f"{hours}:{minutes_left:02}:{seconds}" if hours else f"{minutes}:{seconds}"
