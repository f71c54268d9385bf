"""Private leagues. Who is in none of them learns of none, unless by its code."""

from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from rest_framework.exceptions import APIException

from daily import clock
from leaderboard import leagues as verbs
from leaderboard.boards import day_board
from leaderboard.league_boards import LeagueBoard
from leaderboard.leagues import NoSuchLeague, NoSuchMember, SizedLeague, find_league, read_code, show_code
from leaderboard.models import League
from players.models import Player
from web.asking import next_page_or
from web.board_pages import tabs_of
from web.forms import refused, show_refusal
from web.league_forms import InviteForm, LeagueForm
from web.people import find_player, isolated
from web.sessions import signed_in, viewer_of
from web.throttling import counted

ROWS = 10
"""Of today's board on a league's page."""

type View = Callable[..., HttpResponse]


def for_players(scope: str) -> Callable[[View], Callable[..., HttpResponseBase]]:
    """Ask who is not signed in to be somebody first, and let what is posted count in a scope."""

    def decorate(view: View) -> Callable[..., HttpResponseBase]:
        @wraps(view)
        def enter(request: HttpRequest, **named: object) -> HttpResponseBase:
            if viewer_of(request) is None:
                query = urlencode({"next": request.get_full_path()})
                return redirect(f"{reverse('web:league-start')}?{query}")
            return view(request, **named)

        return never_cache(require_http_methods(["GET", "HEAD", "POST"])(counted(scope)(enter)))

    return decorate


@never_cache
@require_safe
def start(request: HttpRequest) -> HttpResponse:
    """Become somebody, a guest at once if one likes, and go on to what one came for."""
    onwards = next_page_or(request, "web:leagues")
    return (
        redirect(onwards)
        if viewer_of(request)
        else render(request, "web/leagues/start.html", {"next": onwards})
    )


@require_safe
def leagues(request: HttpRequest) -> HttpResponse:
    """One's leagues, and the ways to more of them."""
    return _overview(request, LeagueForm())


def _overview(request: HttpRequest, form: LeagueForm) -> HttpResponse:
    player = viewer_of(request)
    mine = [(league, show_code(league.code)) for league in verbs.leagues_of(player)] if player else []
    return render(
        request, "web/leagues/leagues.html", {"leagues": mine, "form": form, "invite": InviteForm()}
    )


@for_players("write")
def create(request: HttpRequest) -> HttpResponse:
    """Found a league and be its first member."""
    form = LeagueForm(request.POST if request.method == "POST" else None)
    founded: list[League] = []
    if form.is_valid() and not refused(form, lambda: founded.append(_create(request, form))):
        messages.success(request, "The league is there. Its link lets others in.")
        return redirect(_address(founded[0]))
    return _overview(request, form)


def _create(request: HttpRequest, form: LeagueForm) -> League:
    name = form.cleaned_data["name"]
    return verbs.create_league(owner=signed_in(request), name=name, now=clock.now())


@for_players("join")
def join(request: HttpRequest) -> HttpResponse:
    """Join the league of a code, after a look at it; whether there is one is told to who joins only."""
    code = request.POST.get("code") or request.GET.get("code", "")
    form = InviteForm({"code": code} if code or request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        return _join(request, form)
    return render(request, "web/leagues/join.html", {"form": form, "is_given": bool(code)})


def _join(request: HttpRequest, form: InviteForm) -> HttpResponse:
    code = form.cleaned_data["code"]
    try:
        league, is_new = verbs.join_league(player=signed_in(request), code=code, now=clock.now())
    except APIException as refusal:
        show_refusal(form, refusal)
        page = {"form": form, "is_given": True}
        return render(request, "web/leagues/join.html", page, status=refusal.status_code)
    messages.success(request, "You are in." if is_new else "You were in this league already.")
    return redirect(_address(league))


@for_players("write")
def league(request: HttpRequest, code: str) -> HttpResponse:
    """A league's members, its boards and its invitation. Who is not in it is asked whether to join."""
    player = signed_in(request)
    try:
        found = find_league(player=player, code=code)
    except NoSuchLeague:
        return _invited(code)
    today = clock.about_now().date()
    board = LeagueBoard.read(found, day_board(today))
    context = {
        "league": found,
        "code": show_code(found.code),
        "is_owner": found.owner == player,
        "members": list(verbs.members_of(found)),
        "invitation": request.build_absolute_uri(_invitation(found)),
        "boards": tabs_of(today, f"?{urlencode({'league': show_code(found.code)})}"),
        "page": board.page_after(None, ROWS, viewer_id=player.pk),
    }
    return render(request, "web/leagues/league.html", context)


def _invited(code: str) -> HttpResponse:
    """The question whether to join, for whatever may be a code. Raises Http404."""
    try:
        return redirect(f"{reverse('web:league-join')}?{urlencode({'code': show_code(read_code(code))})}")
    except NoSuchLeague:
        raise Http404 from None


def _invitation(league: League) -> str:
    return f"{reverse('web:league-join')}?{urlencode({'code': show_code(league.code)})}"


def _address(league: League) -> str:
    return reverse("web:league", kwargs={"code": show_code(league.code)})


class Question(NamedTuple):
    """What is asked before something is done, and what is said when it is done."""

    title: str
    text: str
    button: str
    done: str
    is_danger: bool = True


def _ask(
    request: HttpRequest, league: SizedLeague, question: Question, act: Callable[[], str], **context: Any
) -> HttpResponse:
    """Ask, and once that is answered do it and go where ``act`` says. A refusal leads back to the league."""
    if request.method != "POST":
        page = {"league": league, "code": show_code(league.code), "question": question, **context}
        return render(request, "web/leagues/ask.html", page)
    try:
        onwards = act()
    except APIException as refusal:
        messages.error(request, str(refusal.detail))
        return redirect(_address(league))
    messages.success(request, question.done)
    return redirect(onwards)


def for_members(view: View) -> Callable[..., HttpResponseBase]:
    """Let the members of the league of a code in, and nobody else know that there is one."""

    @for_players("write")
    @wraps(view)
    def enter(request: HttpRequest, code: str) -> HttpResponse:
        try:
            return view(request, find_league(player=signed_in(request), code=code))
        except NoSuchLeague:
            raise Http404 from None

    return enter


@for_members
def leave(request: HttpRequest, league: SizedLeague) -> HttpResponse:
    """Leave the league."""
    question = Question(
        "Leave the league?", "You can come back as long as you have its code.", "Leave", "You have left."
    )

    def act() -> str:
        verbs.leave_league(player=signed_in(request), code=league.code)
        return reverse("web:leagues")

    return _ask(request, league, question, act)


@for_members
def remove(request: HttpRequest, league: SizedLeague) -> HttpResponse:
    """Send a member away."""
    member = _member(request)
    name = isolated(member.name)
    text = "The league's present code will not let them back in; a new code will."
    question = Question(f"Remove {name}?", text, "Remove", f"{name} has been removed.")

    def act() -> str:
        verbs.kick_member(by=signed_in(request), code=league.code, member=member)
        return _address(league)

    return _ask(request, league, question, act, member=member)


@for_members
def pass_on(request: HttpRequest, league: SizedLeague) -> HttpResponse:
    """Make another member the owner."""
    member = _member(request)
    name = isolated(member.name)
    text = "They will own the league instead of you. Only they can give it back."
    question = Question(f"Make {name} the owner?", text, "Pass on", f"{name} owns the league now.")

    def act() -> str:
        verbs.pass_on_league(by=signed_in(request), code=league.code, to=member)
        return _address(league)

    return _ask(request, league, question, act, member=member)


def _member(request: HttpRequest) -> Player:
    """The player whom the request names, a member or not; that is for the verbs to judge. Raises Http404."""
    player = find_player(request.POST.get("member") or request.GET.get("member", ""))
    if player is None:
        raise Http404(NoSuchMember.default_detail)
    return player


@for_members
def new_code(request: HttpRequest, league: SizedLeague) -> HttpResponse:
    """Give the league another code."""
    text = "The old code and its link end at once. Members stay, and who was removed may be invited again."
    question = Question("Change the code?", text, "Change", "The league has a new code.", is_danger=False)

    def act() -> str:
        return _address(verbs.rotate_code(by=signed_in(request), code=league.code))

    return _ask(request, league, question, act)


@for_members
def close(request: HttpRequest, league: SizedLeague) -> HttpResponse:
    """End the league."""
    question = Question(
        "Close the league?", "It ends for everybody and for good.", "Close for good", "The league is closed."
    )

    def act() -> str:
        verbs.close_league(by=signed_in(request), code=league.code, now=clock.now())
        return reverse("web:leagues")

    return _ask(request, league, question, act)


@for_members
def rename(request: HttpRequest, league: SizedLeague) -> HttpResponse:
    """Give the league another name."""
    form = LeagueForm(request.POST if request.method == "POST" else None, initial={"name": league.name})
    if form.is_valid() and not refused(form, lambda: _rename(request, league, form)):
        messages.success(request, "The league has a new name.")
        return redirect(_address(league))
    page = {"league": league, "code": show_code(league.code), "form": form}
    return render(request, "web/leagues/rename.html", page)


def _rename(request: HttpRequest, league: SizedLeague, form: LeagueForm) -> None:
    verbs.rename_league(by=signed_in(request), code=league.code, name=form.cleaned_data["name"])
