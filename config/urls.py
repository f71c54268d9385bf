"""Every URL of the service."""

from django.contrib import admin
from django.http import HttpRequest, HttpResponseRedirect
from django.shortcuts import redirect
from django.templatetags.static import static
from django.urls import include, path

from api.urls import urlpatterns as api_urls


def favicon(_request: HttpRequest) -> HttpResponseRedirect:
    """Lead browsers, which ask for this address by themselves, to the picture."""
    return redirect(static("favicon.svg"))


urlpatterns = [
    *api_urls,  # first, because programs ask most
    path("favicon.ico", favicon),
    path("admin/", admin.site.urls),
    path("account/", include("web.entrances")),
    path("", include("web.urls")),
]
handler400 = "api.errors.bad_request"
handler403 = "api.errors.permission_denied"
handler404 = "api.errors.not_found"
handler500 = "api.errors.server_error"
