"""What the frame of every page is made with."""

from typing import Any

from django import template
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from web.modules import needed_by

register = template.Library()

SECTIONS = {
    "web:day": {"week", "month", "all-time"},
    "web:archive": {"verify"},
    "web:rules": {"rule-set"},
    "web:leagues": {"league", "league-create", "league-join", "league-rename", "league-start"},
}
"""The pages that belong to an entry of the navigation, besides its own."""


@register.simple_tag(takes_context=True)
def nav_link(context: dict[str, Any], view: str, words: str) -> SafeString:
    """A link of the navigation, marked where the page, or the section it belongs to, is the current one."""
    address = reverse(view, kwargs={"day": None} if view == "web:day" else None)
    return format_html('<a href="{}"{}>{}</a>', address, _current(context, view), words)


def _current(context: dict[str, Any], view: str) -> SafeString:
    match = getattr(context.get("request"), "resolver_match", None)
    name = match.view_name if match else ""
    if name == view:
        return SafeString(' aria-current="page"')
    is_within = name.removeprefix("web:") in SECTIONS.get(view, ())
    return SafeString(' aria-current="true"' if is_within else "")


@register.simple_tag
def module(name: str) -> SafeString:
    """A script of ours. What it imports is fetched at once, not when the browser has read who imports it."""
    first, *others = (static(f"web/{file}") for file in needed_by(name))
    preloads = format_html_join("", '<link rel="modulepreload" href="{}">', ((other,) for other in others))
    return format_html('{}<script type="module" src="{}"></script>', preloads, first)


@register.simple_tag(takes_context=True)
def absolute(context: dict[str, Any], address: str) -> str:
    """An address of this site with scheme and host, as other sites need it; as it is where no request is."""
    request = context.get("request")
    return request.build_absolute_uri(address) if request else address
