"""What is opened from a mail. Looking changes nothing, since programs that scan mails look too."""

from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from players import accounts
from players.links import RESET_PASSWORD, VERIFY_EMAIL, is_alive
from web.forms import ForgottenForm, ResetForm, refused
from web.sessions import viewer_of
from web.throttling import counted


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@counted("login")
def verify(request: HttpRequest, link: str) -> HttpResponse:
    """A button that confirms an address."""
    form = Form(request.POST if request.method == "POST" else None)
    if form.is_valid() and not refused(form, lambda: accounts.verify_email(link=link)):
        messages.success(request, "Your address is confirmed.")
        return redirect("web:account" if viewer_of(request) else "account_login")
    return _page(request, "web/account/verify.html", form, is_alive=is_alive(VERIFY_EMAIL, link))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@counted("login")
def forgotten(request: HttpRequest) -> HttpResponse:
    """Ask for a mail to choose a new password by. Whether there is such an account is not told."""
    form = ForgottenForm(request.POST or None)
    if form.is_valid() and not refused(form, lambda: accounts.request_reset(**form.cleaned_data)):
        return render(request, "web/account/reset_sent.html")
    return _page(request, "web/account/forgotten.html", form)


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
@counted("login")
def reset(request: HttpRequest, link: str) -> HttpResponse:
    """Choose a new password; one signs in with it, and with the second step where there is one."""
    form = ResetForm(request.POST or None)
    if form.is_valid() and not refused(
        form, lambda: accounts.reset_password(link=link, password=form.cleaned_data["password"])
    ):
        messages.success(request, "Your password is changed. Sign in with it.")
        return redirect("account_login")
    return _page(request, "web/account/reset.html", form, is_alive=is_alive(RESET_PASSWORD, link))


def _page(request: HttpRequest, template: str, form: Form, **others: object) -> HttpResponse:
    return render(request, template, {"form": form, **others})
