"""The room of the pages."""

from django.apps import AppConfig


class WebConfig(AppConfig):
    """The site."""

    name = "web"
    verbose_name = "The site"
