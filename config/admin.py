"""The admin site's name, its place in the project, and its door, which is the one of the site."""

from functools import wraps
from typing import Any, Final, override

from django.conf import settings
from django.contrib.admin import AdminSite
from django.contrib.admin.apps import AdminConfig
from django.contrib.admin.views.main import SEARCH_VAR
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.core.exceptions import BadRequest, PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme, urlencode

MAX_SEARCH_CHARS: Final = 200
"""Each word asks every searched column once more; SQLite refuses a few hundred, PostgreSQL takes its time."""


class PyramidAdminSite(AdminSite):
    """Stock Django admin under our title."""

    site_header = "Pyramid Daily"
    site_title = "Pyramid Daily"
    index_title = "Administration"
    index_template = "admin/daily/front.html"

    @override
    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """A view for staff, who do not search for pages of words either."""

        @wraps(view)
        def search(request: HttpRequest, *values: Any, **named: Any) -> HttpResponseBase:
            sought = request.GET.get(SEARCH_VAR, "") + request.GET.get("term", "")
            if len(sought) > MAX_SEARCH_CHARS:
                raise BadRequest
            response: HttpResponseBase = view(request, *values, **named)
            return response

        return super().admin_view(search, cacheable)

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
