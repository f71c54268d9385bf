"""The admin site's name, its place in the project, and its door, which is the one of the site."""

from typing import Any, override

from django.conf import settings
from django.contrib.admin import AdminSite
from django.contrib.admin.apps import AdminConfig
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme, urlencode


class PyramidAdminSite(AdminSite):
    """Stock Django admin under our title."""

    site_header = "Pyramid Daily"
    site_title = "Pyramid Daily"
    index_title = "Administration"
    index_template = "admin/daily/front.html"

    @override
    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Lead staff on, guests and strangers to signing in, and refuse everybody else."""
        return _enter(self, request)


def _enter(site: AdminSite, request: HttpRequest) -> HttpResponse:
    wanted = request.GET.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure())
    goal = wanted if is_ours else reverse("admin:index")
    if site.has_permission(request):
        return redirect(goal)
    if request.user.is_authenticated and not request.user.is_guest:
        raise PermissionDenied
    return redirect(f"{reverse(settings.LOGIN_URL)}?{urlencode({REDIRECT_FIELD_NAME: goal})}")


class PyramidAdminConfig(AdminConfig):
    """Installs ``PyramidAdminSite`` as the default admin site."""

    default_site = "config.admin.PyramidAdminSite"
