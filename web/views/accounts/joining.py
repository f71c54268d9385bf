"""Becoming somebody: a guest at once, an account when one likes."""

from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from players.accounts import create_account
from players.models import Player
from players.services import create_tokenless_guest
from web.asking import next_page, next_page_or, wants_page
from web.forms import SignUpForm, refused
from web.sessions import sign_in, viewer_of
from web.throttling import counted


@require_POST
@counted("join")
def guest(request: HttpRequest) -> HttpResponse:
    """Sign a new guest in, or nobody new where somebody is signed in: 204 for scripts, the next page else."""
    if not request.user.is_authenticated:
        sign_in(request, create_tokenless_guest())
    return redirect(next_page_or(request, "web:play")) if wants_page(request) else HttpResponse(status=204)


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
@counted("login")
def sign_up(request: HttpRequest) -> HttpResponse:
    """Make an account: of the guest who is signed in, who keeps everything, or of nobody yet."""
    player = viewer_of(request)
    if player and not player.is_guest:
        return redirect(next_page_or(request, "web:account"))
    form = SignUpForm(request.POST or None)
    if player:
        del form.fields["name"]
    if form.is_valid() and not refused(form, lambda: _create(request, player, form.cleaned_data)):
        messages.success(
            request, f"Welcome. To confirm your address, open the link mailed to {form['email'].value()}."
        )
        return redirect(next_page_or(request, "web:account"))
    return render(request, "web/account/sign_up.html", {"form": form, "next": next_page(request)})


def _create(request: HttpRequest, guest: Player | None, given: dict[str, Any]) -> None:
    with transaction.atomic():
        player = guest or create_tokenless_guest(name=given["name"] or None)
        create_account(player=player, email=given["email"], password=given["password"])
    sign_in(request, player)
