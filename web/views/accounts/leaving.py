"""Taking one's data along, and leaving for good."""

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from leaderboard import personal_data
from players.accounts import check_present_password
from players.models import Player
from web.forms import FarewellForm, refused
from web.sessions import signed_in
from web.throttling import counted


@never_cache
@require_safe
@login_required
def export(request: HttpRequest) -> HttpResponse:
    """Everything that is held about oneself, to keep."""
    headers = {"Content-Disposition": 'attachment; filename="pyramid-daily-export.json"'}
    return JsonResponse(personal_data.export(player=signed_in(request)), headers=headers)


@never_cache
@sensitive_post_parameters("current_password")
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@counted("login")
def delete(request: HttpRequest) -> HttpResponse:
    """Leave for good, after saying so once more."""
    player = signed_in(request)
    form = FarewellForm(request.POST or None, player=player)
    if form.is_valid() and not refused(form, lambda: _erase(player, form)):
        logout(request)
        messages.success(request, "Your data is deleted. Your runs stay, under a name that says nothing.")
        return redirect("web:today")
    return render(request, "web/account/delete.html", {"form": form, "player": player})


def _erase(player: Player, form: FarewellForm) -> None:
    check_present_password(player=player, current_password=form.cleaned_data.get("current_password", ""))
    personal_data.erase(player=player)
