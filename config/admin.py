"""The admin site's name and its place in the project."""

from django.contrib.admin import AdminSite
from django.contrib.admin.apps import AdminConfig


class PyramidAdminSite(AdminSite):
    """Stock Django admin under our title."""

    site_header = "Pyramid Daily"
    site_title = "Pyramid Daily"
    index_title = "Administration"
    index_template = "admin/daily/front.html"


class PyramidAdminConfig(AdminConfig):
    """Installs ``PyramidAdminSite`` as the default admin site."""

    default_site = "config.admin.PyramidAdminSite"
