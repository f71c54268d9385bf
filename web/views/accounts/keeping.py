"""Staying who one is: name and country, address and password, tokens for programs."""

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from players import accounts, services
from players.models import Player, Token
from players.second_factor import has_second_factor
from web.forms import ChangePasswordForm, NewEmailForm, ProfileForm, TokenForm, refused
from web.sessions import signed_in
from web.throttling import counted


@never_cache
@require_safe
@login_required
def account(request: HttpRequest) -> HttpResponse:
    """Everything about oneself that one can change."""
    return overview(request)


def overview(request: HttpRequest, *, profile: ProfileForm | None = None, secret: str = "") -> HttpResponse:
    """The page of everything, with a form that was refused or the secret of a new token."""
    player = signed_in(request)
    page = {
        "player": Player.objects.get(pk=player.pk),  # what is kept, whatever was typed into a form
        "profile": profile or ProfileForm(initial={"name": player.name, "country": player.country}),
        "tokens": Token.objects.active().filter(player=player).order_by("-id"),
        "token_form": TokenForm(),
        "secret": secret,
        "has_second_factor": has_second_factor(player),
    }
    return render(request, "web/account/account.html", page)


@never_cache
@require_POST
@login_required
@counted("write")
def change_profile(request: HttpRequest) -> HttpResponse:
    """Change name and country."""
    form = ProfileForm(request.POST)
    player = signed_in(request)
    if form.is_valid() and not refused(
        form, lambda: services.update_profile(player=player, **form.cleaned_data)
    ):
        messages.success(request, "Saved.")
        return redirect("web:account")
    return overview(request, profile=form)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@counted("login")
def change_email(request: HttpRequest) -> HttpResponse:
    """Have a link mailed to another address, or to the present one again."""
    player = signed_in(request)
    form = NewEmailForm(request.POST or None, initial={"email": _unverified(player)})
    if form.is_valid() and not refused(
        form, lambda: accounts.change_email(player=player, **form.cleaned_data)
    ):
        messages.success(request, "Open the link that was mailed there to confirm the address.")
        return redirect("web:account")
    return render(request, "web/account/email.html", {"form": form, "player": player})


def _unverified(player: Player) -> str:
    return (player.email or "") if player.email_verified_at is None else ""


@never_cache
@sensitive_post_parameters("current_password", "password")
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@counted("login")
def change_password(request: HttpRequest) -> HttpResponse:
    """Change the password, which ends every other session and all tokens."""
    player = signed_in(request)
    form = ChangePasswordForm(request.POST or None)
    if form.is_valid() and not refused(
        form, lambda: accounts.change_password(player=player, **form.cleaned_data)
    ):
        update_session_auth_hash(request, player)
        messages.success(request, "Your password is changed, and everything else was signed out.")
        return redirect("web:account")
    return render(request, "web/account/password.html", {"form": form})


@never_cache
@require_POST
@login_required
@counted("write")
def new_token(request: HttpRequest) -> HttpResponse:
    """Make a token and show its secret, this once."""
    form = TokenForm(request.POST)
    if not form.is_valid():
        messages.error(request, "A label has at most 60 characters.")
        return redirect("web:account")
    _, secret = services.issue_token(player=signed_in(request), label=form.cleaned_data["label"])
    return overview(request, secret=secret)


@require_POST
@login_required
@counted("write")
def revoke_token(request: HttpRequest, token_id: int) -> HttpResponse:
    """End a token for good."""
    token = get_object_or_404(Token.objects.active(), pk=token_id, player=signed_in(request))
    services.revoke_token(token=token)
    messages.success(request, "The token is ended.")
    return redirect("web:account")
