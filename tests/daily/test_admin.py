"""The day in the admin site: what is shown to whom and when, and what can be done."""

import re
from datetime import date, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from daily.admin.figures import result
from daily.admin.status import in_status
from daily.models import AuditEntry, Challenge, Look, Policy, Run
from daily.services import keep_checkpoint, start_attempt
from daily.status import Status, status_of
from games.pyramid import Deal
from leaderboard.corrections import void_day, void_run
from leaderboard.services import submit_run
from leaderboard.settling import settle_due
from players.models import Player
from tests.cast import FrozenClock, greedy_log, make_challenge, make_player, record

pytestmark = pytest.mark.django_db

TODAY = date(2926, 11, 30)
"""So far ahead that the database, whose own clock no test moves, takes every day for a coming one."""
TOMORROW, YESTERDAY = TODAY + timedelta(days=1), TODAY - timedelta(days=1)
LIST = "admin:daily_challenge_changelist"
CALENDAR = "admin:daily_challenge_calendar"


@pytest.fixture(autouse=True)
def far_ahead(clock: FrozenClock) -> None:
    clock.moment = clock.moment.replace(year=TODAY.year)


@pytest.fixture
def keeper(db: None) -> Player:
    return Player.objects.create(name="keeper", is_staff=True, is_superuser=True, is_guest=False)


@pytest.fixture
def desk(client: Client, keeper: Player) -> Client:
    """The admin site as a superuser sees it."""
    client.force_login(keeper)
    return client


def desk_of(name: str, *codenames: str) -> Client:
    """The admin site as a member of staff with these permissions sees it."""
    helper = Player.objects.create(name=name, is_staff=True, is_guest=False)
    helper.user_permissions.set(Permission.objects.filter(codename__in=codenames))
    desk = Client()
    desk.force_login(helper)
    return desk


def shown(response: Any) -> str:
    assert response.status_code == 200
    return str(response.content.decode())


def page(day: date) -> str:
    return reverse("admin:daily_challenge_change", args=[day])


def preview(day: date) -> str:
    return reverse("admin:daily_challenge_preview", args=[day])


def deal_page(day: date) -> str:
    return reverse("admin:daily_challenge_deal", args=[day])


def run_page(run: Run) -> str:
    return reverse("admin:daily_run_change", args=[run.pk])


def cards_drawn(text: str, kind: str = "deal") -> list[str]:
    """The cards of the first picture of this kind, in the order they are drawn in."""
    found = re.search(rf'<svg class="picture {kind}".*?</svg>', text, re.DOTALL)
    return re.findall(r"#card-(\w\w)", found[0]) if found else []


def settled(day: date, clock: FrozenClock) -> Challenge:
    """The challenge of a day that is over and settled."""
    make_challenge(day)
    settle_due(clock.moment + timedelta(days=2))
    return Challenge.objects.get(date=day)


def solve(day: date) -> Challenge:
    """The challenge of the day with figures as scheduling stores them."""
    Challenge.objects.filter(date=day).update(best_clear=1, best_line_text="D D", difficulty=0.4321)
    return Challenge.objects.get(date=day)


# The list


def test_days_are_listed_with_status_players_and_best_run(desk: Client, ann: Player, bob: Player) -> None:
    challenge = make_challenge(TODAY)
    record(ann, challenge, cleared=26, elapsed_ms=187_000)
    best = record(bob, challenge, cleared=27, elapsed_ms=300_000)
    text = shown(desk.get(reverse(LIST)))
    assert "Sat 2926-11-30" in text
    assert '<span class="day-status open">open</span>' in text
    assert "27 in 5:00" in text
    assert run_page(best) in text
    assert "?challenge__date=2926-11-30" in text


def test_runs_that_do_not_count_are_not_the_best(desk: Client, ann: Player, bob: Player) -> None:
    challenge = make_challenge(TODAY)
    record(ann, challenge, cleared=20, elapsed_ms=1000)
    void_run(run_id=record(bob, challenge, cleared=27, elapsed_ms=1000).pk, reason="a test", by=None)
    assert "20 in 0:01" in shown(desk.get(reverse(LIST)))


def test_the_list_takes_as_many_queries_for_a_month_as_for_a_day(
    desk: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for ahead in range(20):
        make_challenge(TODAY + timedelta(days=ahead))
    with django_assert_max_num_queries(9):
        desk.get(reverse(LIST))


def test_the_list_does_not_even_read_deals(desk: Client) -> None:
    make_challenge(TOMORROW)
    [listed] = desk.get(reverse(LIST)).context["cl"].result_list
    assert {"deck", "code", "salt", "best_line_text"} <= listed.get_deferred_fields()


def test_difficulty_and_best_are_told_once_the_day_is_settled(desk: Client, clock: FrozenClock) -> None:
    make_challenge(TOMORROW)
    make_challenge(TODAY)
    make_challenge(YESTERDAY)
    for day in (TOMORROW, TODAY, YESTERDAY):
        solve(day)
    assert "0.43" not in shown(desk.get(reverse(LIST)))
    settle_due(clock.moment + timedelta(hours=12))
    assert shown(desk.get(reverse(LIST))).count("0.43") == 1


def test_a_relaxed_day_says_so_and_not_in_what(desk: Client) -> None:
    make_challenge(TOMORROW)
    Challenge.objects.update(relaxed="The policy asks for a best of at least 28; it is 26.")
    text = shown(desk.get(reverse(LIST))) + shown(desk.get(page(TOMORROW)))
    assert text.count("relaxed") == 2
    assert "it is 26" not in text


def at_every_stage(clock: FrozenClock) -> dict[date, Status]:
    """A day in each place of a day's life, and another one voided."""
    stages = {
        TOMORROW: Status.COMING,
        TODAY: Status.OPEN,
        YESTERDAY: Status.CLOSING,
        TODAY - timedelta(days=2): Status.SETTLED,
        TODAY - timedelta(days=3): Status.VOID,
    }
    for day in stages:
        make_challenge(day)
    settle_due(clock.moment - timedelta(hours=12) + timedelta(minutes=30))
    void_day(challenge=Challenge.objects.earliest("date"), reason="a test", by=None)
    return stages


def test_a_status_is_the_same_in_the_list_and_in_its_filter(desk: Client, clock: FrozenClock) -> None:
    stages = at_every_stage(clock)
    for challenge in Challenge.objects.all():
        assert status_of(challenge, clock.moment) == stages[challenge.date]
    for status in Status:
        found = Challenge.objects.filter(in_status(status, clock.moment))
        assert {challenge.date for challenge in found} == {day for day in stages if stages[day] == status}
        listed = desk.get(reverse(LIST), {"status": status}).context["cl"].result_list
        assert list(listed) == list(found)


def test_an_unknown_status_filters_nothing(desk: Client) -> None:
    make_challenge(TODAY)
    assert len(desk.get(reverse(LIST), {"status": "lost"}).context["cl"].result_list) == 1


@pytest.mark.parametrize(("search", "hits"), [("2926-12", 1), ("2926", 2), ("2025", 0), ("%", 0)])
def test_days_are_searched_by_date(desk: Client, search: str, hits: int) -> None:
    make_challenge(TODAY)
    make_challenge(TOMORROW)
    assert len(desk.get(reverse(LIST), {"q": search}).context["cl"].result_list) == hits


def test_no_search_finds_a_deal(desk: Client) -> None:
    challenge = make_challenge(TOMORROW)
    for secret in (challenge.code, challenge.salt, challenge.deck[:20]):
        assert not desk.get(reverse(LIST), {"q": secret}).context["cl"].result_list


@pytest.mark.parametrize(
    "field", ["code", "deck", "salt", "code__startswith", "best_clear__gte", "difficulty__gt"]
)
def test_no_filter_in_the_address_probes_a_deal(desk: Client, field: str) -> None:
    make_challenge(TOMORROW)
    assert desk.get(reverse(LIST), {field: "1"}).status_code == 400


@pytest.mark.parametrize(
    ("model", "lookup"),
    [
        ("run", "log_text__startswith"),
        ("run", "line_hash"),
        ("run", "challenge__deck__startswith"),
        ("run", "attempt__checkpoint_text__contains"),
        ("attempt", "checkpoint_text__contains"),
        ("attempt", "run__log_text__startswith"),
        ("attempt", "challenge__code__startswith"),
        ("auditentry", "run__log_text__startswith"),
    ],
)
def test_no_filter_in_the_address_probes_a_log(desk: Client, model: str, lookup: str) -> None:
    assert desk.get(reverse(f"admin:daily_{model}_changelist"), {lookup: "1"}).status_code == 400


@pytest.mark.parametrize("column", range(1, 9))
def test_no_order_of_the_list_tells_how_hard_days_are(desk: Client, column: int) -> None:
    for ahead, difficulty in enumerate((0.5, 0.3, 0.9)):
        make_challenge(TODAY + timedelta(days=ahead))
        Challenge.objects.filter(date=TODAY + timedelta(days=ahead)).update(difficulty=difficulty)
    listed = desk.get(reverse(LIST), {"o": column}).context["cl"].result_list
    assert [challenge.difficulty for challenge in listed] != [0.3, 0.5, 0.9]


def test_a_run_is_written_as_cards_and_time() -> None:
    assert result({"cleared": 26, "elapsed_ms": 187_999}) == "26 in 3:07"
    assert result({"cleared": 0, "elapsed_ms": 3_600_000}) == "0 in 60:00"


# The calendar


def test_the_calendar_shows_this_month_in_whole_weeks(desk: Client) -> None:
    make_challenge(TODAY)
    response = desk.get(reverse(CALENDAR))
    weeks = response.context["month"].weeks
    assert [weeks[0][0].day, weeks[-1][-1].day] == [date(2926, 10, 28), date(2926, 12, 1)]
    assert [cell.day for week in weeks for cell in week if cell.is_today] == [TODAY]
    text = shown(response)
    assert "November 2926" in text
    assert text.count('aria-current="date"') == 1
    assert page(TODAY) in text


def test_the_calendar_turns_pages(desk: Client) -> None:
    text = shown(desk.get(reverse(CALENDAR, args=[2926, 12])))
    assert reverse(CALENDAR, args=[2926, 11]) in text
    assert reverse(CALENDAR, args=[2927, 1]) in text


def test_a_missing_day_can_be_made_unless_it_is_over(desk: Client) -> None:
    make_challenge(TODAY)
    text = shown(desk.get(reverse(CALENDAR)))
    assert re.findall(r"add/\?date=([\d-]+)", text) == [str(TOMORROW)]


@pytest.mark.parametrize(("year", "month"), [(2026, 13), (2026, 0), (1999, 12), (3000, 1), (99999, 1)])
def test_there_is_no_calendar_of_impossible_months(desk: Client, year: int, month: int) -> None:
    assert desk.get(reverse(CALENDAR, args=[year, month])).status_code == 404


def test_the_calendar_tells_no_deal(desk: Client) -> None:
    make_challenge(TOMORROW)
    challenge = solve(TOMORROW)
    text = shown(desk.get(reverse(CALENDAR, args=[2926, 12])))
    assert not [secret for secret in (challenge.code, challenge.salt, "0.43") if secret in text]


# The page of a day


def test_a_coming_day_shows_its_promise_and_no_deal(desk: Client) -> None:
    make_challenge(TOMORROW)
    challenge = solve(TOMORROW)
    text = shown(desk.get(page(TOMORROW)))
    assert challenge.commitment in text
    assert "Look at the deal" in text
    assert "bars you from ranking" in text
    assert not cards_drawn(text)
    for secret in (challenge.code, challenge.salt, challenge.deck[:17], "0.43"):
        assert secret not in text


@pytest.mark.parametrize("day", [TODAY, YESTERDAY])
def test_a_deal_that_is_not_settled_is_on_no_page_before_a_look(desk: Client, day: date) -> None:
    make_challenge(day)
    challenge = solve(day)
    text = shown(desk.get(page(day)))
    assert "Look at the deal" in text
    assert not cards_drawn(text)
    assert challenge.deck[:17] not in text
    assert not Look.objects.exists()


@pytest.mark.parametrize("way", ["look", "run"])
def test_who_looked_or_played_finds_the_open_deal_and_nothing_that_helps(
    desk: Client, keeper: Player, way: str
) -> None:
    challenge = make_challenge(TODAY)
    if way == "look":
        Look.objects.create(challenge=challenge, player=keeper, first_at=challenge.opens_at)
    else:
        played(keeper)
    challenge = solve(TODAY)
    text = shown(desk.get(page(TODAY)))
    assert cards_drawn(text) == challenge.deck.split()
    for secret in (challenge.code, challenge.salt, "0.43", "of 28"):
        assert secret not in text


def test_an_attempt_that_is_under_way_does_not_open_the_deal(desk: Client, keeper: Player) -> None:
    make_challenge(TODAY)
    start_attempt(player=keeper)
    assert not cards_drawn(shown(desk.get(page(TODAY))))


def test_a_settled_day_shows_everything(desk: Client, clock: FrozenClock) -> None:
    settled(YESTERDAY, clock)
    challenge = solve(YESTERDAY)
    text = shown(desk.get(page(YESTERDAY)))
    for told in (challenge.code, challenge.salt, challenge.deck, "0.43", "1 of 28", preview(YESTERDAY)):
        assert told in text
    assert "Look at" not in text


def test_a_settled_day_leads_to_its_bundle(desk: Client, clock: FrozenClock, ann: Player) -> None:
    run = record(ann, make_challenge(YESTERDAY), cleared=5, elapsed_ms=1234)
    settle_due(clock.moment + timedelta(days=2))
    void_run(run_id=run.pk, reason="two accounts", by=None)
    response = desk.get(page(YESTERDAY))
    [_, (_, revealed)] = response.context["adminform"].fieldsets
    text = shown(response)
    assert {"revision", "digest", "bundle"} <= set(revealed["fields"])
    assert Challenge.objects.get().settlements.get(revision=2).digest in text
    assert f'href="/api/v1/challenges/{YESTERDAY}/bundle/"' in text


@pytest.mark.parametrize("relaxed", ["", "The policy asks for 28."])
def test_in_what_a_settled_deal_was_relaxed_is_told_if_it_was(
    desk: Client, clock: FrozenClock, relaxed: str
) -> None:
    settled(YESTERDAY, clock)
    Challenge.objects.update(relaxed=relaxed)
    assert ("field-relaxed" in shown(desk.get(page(YESTERDAY)))) == bool(relaxed)


def test_a_voided_coming_day_is_not_given_another_deal(desk: Client) -> None:
    assert "Change the deal" in shown(desk.get(page(make_challenge(TOMORROW).date)))
    void_day(challenge=Challenge.objects.get(), reason="a test", by=None)
    assert "Change the deal" not in shown(desk.get(page(TOMORROW)))


def test_the_front_page_leads_to_the_calendar(desk: Client) -> None:
    text = shown(desk.get(reverse("admin:index")))
    assert f'href="{reverse(CALENDAR)}"' in text
    assert "Administration" in text
    assert reverse(CALENDAR) not in shown(desk_of("stranger", "view_player").get(reverse("admin:index")))


def test_a_voided_day_says_why(desk: Client) -> None:
    challenge = make_challenge(TODAY)
    void_day(challenge=challenge, reason="The deal was known.", by=None)
    text = shown(desk.get(page(TODAY)))
    assert "The deal was known." in text
    assert "Void the day" not in text


def test_nothing_is_edited_in_place(desk: Client) -> None:
    challenge = make_challenge(TOMORROW)
    before = Challenge.objects.values().get()
    assert desk.post(page(TOMORROW), {"rules": "strict", "deck": challenge.deck}).status_code == 403
    delete = reverse("admin:daily_challenge_delete", args=[TOMORROW])
    assert desk.post(delete, {"post": "yes"}).status_code == 403
    assert Challenge.objects.values().get() == before


@pytest.mark.parametrize("day", ["2030-01-01", "yesterday", "0", "2926-11-31"])
def test_a_day_that_is_not_there_has_no_pages(desk: Client, day: str) -> None:
    assert desk.get(page(day)).status_code == 302  # type: ignore[arg-type]
    for address in (preview(day), deal_page(day)):  # type: ignore[arg-type]
        assert desk.get(address).status_code == 404


# Looking


def test_asking_for_a_coming_deal_shows_it_and_is_recorded(desk: Client, keeper: Player) -> None:
    make_challenge(TOMORROW)
    challenge = solve(TOMORROW)
    text = shown(desk.post(preview(TOMORROW)))
    assert cards_drawn(text) == challenge.deck.split()
    for told in (challenge.code, "0.432", "1 of 28, proven", "keeper"):
        assert told in text
    assert challenge.salt not in text
    assert (Look.objects.get().player, Look.objects.get().challenge_id) == (keeper, TOMORROW)
    assert AuditEntry.objects.get().action == "look_at_deal"
    assert "keeper" in shown(desk.get(page(TOMORROW)))


@pytest.mark.parametrize("day", [TOMORROW, TODAY, YESTERDAY])
def test_a_deal_is_not_shown_to_who_does_not_ask(desk: Client, day: date) -> None:
    make_challenge(day)
    for response in (desk.get(preview(day)), desk.head(preview(day))):
        assert response.headers["Location"] == page(day)
    assert not Look.objects.exists()


def test_asking_needs_the_token_of_the_form(keeper: Player) -> None:
    make_challenge(TOMORROW)
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(keeper)
    assert strict.post(preview(TOMORROW)).status_code == 403
    assert not Look.objects.exists()


def test_the_best_line_of_an_open_day_is_a_look_too(desk: Client, keeper: Player) -> None:
    make_challenge(TODAY)
    played(keeper)
    assert "Look at the best line" in shown(desk.get(page(TODAY)))
    shown(desk.post(preview(TODAY)))
    assert Look.objects.filter(challenge_id=TODAY).exists()


def test_a_settled_deal_is_no_secret(desk: Client, clock: FrozenClock) -> None:
    settled(YESTERDAY, clock)
    challenge = solve(YESTERDAY)
    assert cards_drawn(shown(desk.get(preview(YESTERDAY)))) == challenge.deck.split()
    assert not Look.objects.exists()


def test_the_best_line_is_a_list_of_positions_without_any_script(desk: Client) -> None:
    make_challenge(TOMORROW)
    log = greedy_log(Challenge.objects.get(), 3)
    Challenge.objects.update(best_clear=28, best_line_text=" ".join(log))
    text = shown(desk.post(preview(TOMORROW)))
    steps = desk.post(preview(TOMORROW)).context["steps"]
    assert len(steps) == len(log) + 1
    assert text.count("<details>") == text.count('class="picture position"') == len(log) + 1


def test_a_deal_that_is_not_solved_yet_is_shown_all_the_same(desk: Client) -> None:
    make_challenge(TOMORROW)
    text = shown(desk.post(preview(TOMORROW)))
    assert "not proven yet" in text
    assert "not measured yet" in text
    assert "A best line" not in text


def test_pages_keep_to_the_content_security_policy(desk: Client) -> None:
    make_challenge(TODAY)
    for response in (desk.post(preview(TODAY)), desk.get(page(TODAY)), desk.get(reverse(CALENDAR))):
        assert "'self'" in response.headers["Content-Security-Policy"]
        assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)", shown(response))


# Making and changing


NUMBER = 20_000_000_012_345


def new_deal(**answers: Any) -> dict[str, Any]:
    return {"rules": "endless", "source": "given", "given": str(NUMBER)} | answers


@pytest.fixture
def easy_to_please() -> None:
    Policy.objects.update(min_best_clear=0, min_difficulty=0, max_difficulty=1)


ADD = "/admin/daily/challenge/add/"


def test_a_missing_day_is_made_by_hand(desk: Client, keeper: Player, easy_to_please: None) -> None:
    response = desk.post(ADD, new_deal(date=TOMORROW, rules="", source="random"), follow=True)
    assert response.redirect_chain == [(page(TOMORROW), 302)]
    assert "2926-12-01 is made." in shown(response)
    made = Challenge.objects.get()
    assert (made.date, made.rules) == (TOMORROW, "endless")
    assert AuditEntry.objects.get().action == "make_day"
    assert not Look.objects.exists()


def test_a_day_is_made_with_a_deal_that_is_given(desk: Client, keeper: Player) -> None:
    desk.post(ADD, new_deal(date=TOMORROW, rules="three-pass"))
    made = Challenge.objects.get()
    assert (made.rules, made.code) == ("three-pass", Deal.from_number(NUMBER).code)
    assert Look.objects.get().player == keeper


def test_the_form_for_a_new_day_starts_with_the_date_that_was_clicked(desk: Client) -> None:
    assert 'value="2926-12-01"' in shown(desk.get(ADD, {"date": "2926-12-01"}))


@pytest.mark.parametrize(
    ("answers", "field", "told"),
    [
        ({"date": YESTERDAY}, "date", "That day is over; nobody could play it."),
        ({"date": TODAY}, "date", "That day has a challenge already."),
        ({"date": "soon"}, "date", "Enter a valid date."),
        ({"date": TOMORROW, "rules": "klondike"}, "rules", "Select a valid choice."),
        ({"date": TOMORROW, "source": "keep"}, "source", "Select a valid choice."),
        ({"date": TOMORROW, "given": "AC 2C"}, "given", "A deck has 52 cards; this one has 2."),
        ({"date": TOMORROW, "given": ""}, "given", "The deck cannot be read"),
        ({"date": TOMORROW, "given": "AC " * 52}, "given", "The deck holds AC more than once."),
        ({"date": TOMORROW, "given": "PYR1-0000-0000-0000-0000"}, "given", "typing error"),
        ({"date": TOMORROW, "given": "12345"}, "given", "Take a number of 14 digits or more."),
        ({"date": TOMORROW, "given": "PYR1-0000-000Z-ZZZZ-ZZZB"}, "given", "Take a number"),
        ({"date": TOMORROW, "given": "0"}, "given", "A deal's number is a whole number"),
        ({"date": TOMORROW, "given": "x" * 1001}, "given", "at most 1000 characters"),
    ],
)
def test_a_day_that_cannot_be_made_so_is_refused_in_the_form(
    desk: Client, answers: dict[str, Any], field: str, told: str
) -> None:
    make_challenge(TODAY)
    response = desk.post(ADD, new_deal(**answers))
    assert shown(response)
    assert told in "".join(response.context["form"].errors[field])
    assert Challenge.objects.count() == 1


def test_a_coming_deal_is_replaced(desk: Client, keeper: Player) -> None:
    before = make_challenge(TOMORROW)
    response = desk.post(deal_page(TOMORROW), new_deal(), follow=True)
    assert "2926-12-01 is changed." in shown(response)
    after = Challenge.objects.get()
    assert after.code == Deal.from_number(NUMBER).code
    assert after.commitment != before.commitment
    assert AuditEntry.objects.get().action == "replace_deal"


def test_a_replaced_deal_that_the_policy_would_not_take_is_warned_of(desk: Client) -> None:
    make_challenge(TOMORROW)
    response = desk.post(deal_page(TOMORROW), new_deal(), follow=True)
    assert "The weekday&#x27;s policy asks for another deal." in shown(response)


def test_a_coming_deal_is_kept_under_other_rules(desk: Client) -> None:
    before = make_challenge(TOMORROW)
    desk.post(deal_page(TOMORROW), {"rules": "three-pass", "source": "keep"})
    after = Challenge.objects.get()
    assert (after.deck, after.rules) == (before.deck, "three-pass")
    assert AuditEntry.objects.get().action == "choose_rules"


def test_keeping_everything_is_no_change(desk: Client) -> None:
    make_challenge(TOMORROW)
    response = desk.post(deal_page(TOMORROW), {"rules": "endless", "source": "keep"})
    assert "the rules it has" in shown(response)
    assert not AuditEntry.objects.exists()


@pytest.mark.parametrize("day", [TODAY, YESTERDAY])
@pytest.mark.parametrize("answers", [{}, {"source": "keep", "rules": "three-pass"}])
def test_an_opened_day_is_not_changed(desk: Client, day: date, answers: dict[str, str]) -> None:
    make_challenge(day)
    before = Challenge.objects.values().get()
    assert "Change the deal" not in shown(desk.get(page(day)))
    assert "This day has opened" in shown(desk.post(deal_page(day), new_deal(**answers)))
    assert Challenge.objects.values().get() == before


def test_the_history_tells_what_was_done_and_no_deal(desk: Client) -> None:
    make_challenge(TOMORROW)
    desk.post(deal_page(TOMORROW), new_deal())
    challenge = Challenge.objects.get()
    text = shown(desk.get(reverse("admin:daily_challenge_history", args=[TOMORROW])))
    assert "Changed the deal or the rules." in text
    entry = LogEntry.objects.get()
    for secret in (challenge.code, challenge.salt, challenge.deck[:17]):
        assert secret not in text + entry.change_message + entry.object_repr


# Who may do what


def test_who_may_only_view_sees_days_and_no_way_to_look_or_change(clock: FrozenClock) -> None:
    make_challenge(TOMORROW)
    viewer = desk_of("viewer", "view_challenge")
    text = (
        shown(viewer.get(reverse(LIST)))
        + shown(viewer.get(page(TOMORROW)))
        + shown(viewer.get(reverse(CALENDAR)))
    )
    assert "Look at" not in text
    assert "Change the deal" not in text
    assert "add/" not in text
    for response in (
        viewer.post(preview(TOMORROW)),
        viewer.get(deal_page(TOMORROW)),
        viewer.post(deal_page(TOMORROW), new_deal()),
        viewer.post(ADD, new_deal(date=TODAY)),
    ):
        assert response.status_code == 403
    assert not Look.objects.exists()


def test_who_may_change_looks_and_changes(clock: FrozenClock) -> None:
    make_challenge(TOMORROW)
    manager = desk_of("manager", "change_challenge")
    assert "Look at the deal" in shown(manager.get(page(TOMORROW)))
    shown(manager.post(preview(TOMORROW)))
    assert manager.post(deal_page(TOMORROW), new_deal()).status_code == 302
    assert manager.get(ADD).status_code == 403


def test_staff_without_permission_sees_nothing_of_the_days(ann: Player) -> None:
    challenge = make_challenge(TODAY)
    run = record(ann, challenge, cleared=20, elapsed_ms=1000)
    stranger = desk_of("stranger", "view_player")
    for address in (
        reverse(LIST),
        reverse(CALENDAR),
        page(TODAY),
        preview(TODAY),
        deal_page(TODAY),
        run_page(run),
    ):
        assert stranger.get(address).status_code == 403
    assert stranger.post(reverse("admin:daily_run_look", args=[run.pk])).status_code == 403


def test_players_are_sent_to_log_in(client: Client, ann: Player) -> None:
    make_challenge(TODAY)
    client.force_login(ann)
    for address in (reverse(LIST), reverse(CALENDAR), page(TODAY), preview(TODAY), deal_page(TODAY)):
        assert client.get(address).status_code == 302


# Attempts and runs


def played(player: Player) -> Run:
    """The player's run of today, with a few moves in its log."""
    attempt, _ = start_attempt(player=player)
    run, _ = submit_run(player=player, attempt_id=attempt.pk, log=greedy_log(attempt.challenge, 4))
    return run


def test_a_settled_run_is_shown_move_by_move(desk: Client, ann: Player, clock: FrozenClock) -> None:
    make_challenge(TODAY)
    run = played(ann)
    settle_due(clock.moment + timedelta(days=2))
    response = desk.get(run_page(run))
    text = shown(response)
    assert run.log_text in text
    assert len(response.context["steps"]) == len(run.log) + 1
    assert "1 of 1" in text


def test_an_open_log_is_shown_to_who_asks_on_record(desk: Client, keeper: Player, ann: Player) -> None:
    make_challenge(TODAY)
    run = played(ann)
    text = shown(desk.get(run_page(run)))
    assert run.log_text not in text
    assert not cards_drawn(text, "position")
    response = desk.post(reverse("admin:daily_run_look", args=[run.pk]), follow=True)
    assert run.log_text in shown(response)
    assert Look.objects.get().player == keeper
    assert AuditEntry.objects.get().action == "look_at_deal"


def test_an_open_log_is_no_secret_to_who_has_played(desk: Client, keeper: Player, ann: Player) -> None:
    make_challenge(TODAY)
    run = played(ann)
    played(keeper)
    assert run.log_text in shown(desk.get(run_page(run)))


def test_asking_for_a_log_is_not_done_by_a_link(desk: Client, ann: Player) -> None:
    make_challenge(TODAY)
    assert desk.get(reverse("admin:daily_run_look", args=[played(ann).pk])).status_code == 405
    assert desk.post(reverse("admin:daily_run_look", args=[uuid4()])).status_code == 404


def test_a_kept_attempt_shows_its_moves_to_who_knows_the_deal(
    desk: Client, keeper: Player, ann: Player
) -> None:
    make_challenge(TODAY)
    attempt, _ = start_attempt(player=ann)
    log = greedy_log(attempt.challenge, 4)
    keep_checkpoint(player=ann, attempt_id=attempt.pk, log=log)
    address = reverse("admin:daily_attempt_change", args=[attempt.pk])
    assert " ".join(log) not in shown(desk.get(address))
    Look.objects.create(challenge=attempt.challenge, player=keeper, first_at=attempt.started_at)
    assert " ".join(log) in shown(desk.get(address))


@pytest.mark.parametrize("model", ["attempt", "run"])
def test_what_happened_is_listed_without_logs_and_never_edited(
    desk: Client, ann: Player, bob: Player, model: str
) -> None:
    make_challenge(TODAY)
    run = played(ann)
    played(bob)
    text = shown(desk.get(reverse(f"admin:daily_{model}_changelist"), {"challenge__date": str(TODAY)}))
    assert text.count("2926-11-30") >= 2
    assert run.log_text not in text
    address = reverse(f"admin:daily_{model}_change", args=[run.pk])
    assert desk.post(address, {"cleared": 28}).status_code == 403
    for name, arguments in (("add", []), ("delete", [run.pk])):
        assert desk.get(reverse(f"admin:daily_{model}_{name}", args=arguments)).status_code == 403


@pytest.mark.parametrize("model", ["attempt", "run"])
def test_what_happened_last_is_listed_first_on_one_line_each(desk: Client, ann: Player, model: str) -> None:
    for day in (YESTERDAY, TODAY):
        record(ann, make_challenge(day), cleared=5, elapsed_ms=61_000)
    response = desk.get(reverse(f"admin:daily_{model}_changelist"))
    assert [row.challenge_id for row in response.context["cl"].result_list] == [TODAY, YESTERDAY]
    text = shown(response)
    assert "11-30 00:0" in text
    assert "daily/lists" in text


def test_a_list_of_runs_takes_as_many_queries_for_many_as_for_one(
    desk: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    challenge = make_challenge(TODAY)
    for number in range(12):
        record(make_player(f"player {number}"), challenge, cleared=number, elapsed_ms=1000)
    for model in ("attempt", "run"):
        with django_assert_max_num_queries(9):
            desk.get(reverse(f"admin:daily_{model}_changelist"))


def test_a_run_that_does_not_count_says_why(desk: Client, ann: Player, bob: Player) -> None:
    challenge = make_challenge(TODAY)
    void_run(run_id=record(ann, challenge, cleared=5, elapsed_ms=1234).pk, reason="two accounts", by=None)
    record(bob, challenge, cleared=5, elapsed_ms=1234)
    text = shown(desk.get(reverse("admin:daily_run_changelist")))
    assert "0:00:01.234" in text
    assert ">void<" in text
    assert ">counts<" in text


# Policies


def policy_page(weekday: int) -> str:
    return reverse("admin:daily_policy_change", args=[weekday])


def policy_form(**answers: Any) -> dict[str, Any]:
    usual = {"rules": "endless", "min_best_clear": 28, "min_difficulty": 0.5, "max_difficulty": 0.7}
    return usual | answers


def test_policies_are_listed_monday_first(desk: Client) -> None:
    text = shown(desk.get(reverse("admin:daily_policy_changelist")))
    assert text.index("Monday") < text.index("Sunday")
    assert "can be cleared" in text
    assert "0.45 \N{EN DASH} 0.65" in text


def test_a_policy_is_changed_on_record(desk: Client, keeper: Player, clock: FrozenClock) -> None:
    answers = policy_form(rules="three-pass", min_best_clear=20)
    assert desk.post(policy_page(2), answers).status_code == 302
    policy = Policy.objects.get(weekday=2)
    assert (policy.rules, policy.min_best_clear, policy.max_difficulty) == ("three-pass", 20, 0.7)
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.actor, entry.at) == ("change_policy", keeper, clock.moment)
    assert entry.detail["after"]["rules"] == "three-pass"


@pytest.mark.parametrize(
    ("answers", "field", "told"),
    [
        ({"rules": "klondike"}, "rules", "Select a valid choice."),
        ({"min_best_clear": 29}, "min_best_clear", "A pyramid has 28 cards"),
        ({"min_difficulty": 0.8}, "max_difficulty", "from a smaller to a larger"),
        ({"max_difficulty": 1.5}, "max_difficulty", "from 0 to 1"),
        ({"min_difficulty": "nan"}, "min_difficulty", "Enter a number."),
        ({"min_best_clear": -1}, "min_best_clear", "greater than or equal to 0"),
    ],
)
def test_a_policy_that_no_deal_can_meet_is_refused_in_the_form(
    desk: Client, answers: dict[str, Any], field: str, told: str
) -> None:
    response = desk.post(policy_page(2), policy_form(**answers))
    assert shown(response)
    assert told in "".join(response.context["adminform"].form.errors[field])
    assert not AuditEntry.objects.exists()


def test_there_is_one_policy_a_weekday(desk: Client) -> None:
    assert desk.get(reverse("admin:daily_policy_add")).status_code == 403
    assert desk.post(reverse("admin:daily_policy_delete", args=[2]), {"post": "yes"}).status_code == 403
    assert Policy.objects.count() == 7


def test_who_may_only_view_changes_no_policy(clock: FrozenClock) -> None:
    viewer = desk_of("viewer", "view_policy")
    assert "Wednesday" in shown(viewer.get(policy_page(2)))
    assert viewer.post(policy_page(2), policy_form()).status_code == 403


# The audit trail


def test_the_trail_is_read_and_filtered(desk: Client, keeper: Player, easy_to_please: None) -> None:
    make_challenge(TOMORROW)
    desk.post(preview(TOMORROW))
    desk.post(ADD, new_deal(date=TODAY, source="random"))
    address = reverse("admin:daily_auditentry_changelist")

    def found(**wanted: Any) -> list[str]:
        return [entry.action for entry in desk.get(address, wanted).context["cl"].result_list]

    assert sorted(found()) == ["look_at_deal", "make_day"]
    assert found(action="make_day") == ["make_day"]
    assert found(actor__id__exact=keeper.pk + 1) == []
    assert found(day__exact=TOMORROW) == ["look_at_deal"]
    assert found(q="keeper") != []


def test_the_trail_says_what_was_done_in_words(desk: Client, easy_to_please: None) -> None:
    desk.post(ADD, new_deal(date=TODAY, source="random"))
    desk.post(preview(TODAY))
    text = shown(desk.get(reverse("admin:daily_auditentry_changelist")))
    assert ">looked at the deal</td>" in text
    assert ">made the day</td>" in text
    assert "2 entries" in text
    assert ">look_at_deal" not in text
    page = reverse("admin:daily_auditentry_change", args=[AuditEntry.objects.latest("pk").pk])
    assert "looked at the deal" in shown(desk.get(page))


def test_an_entry_tells_before_and_after(desk: Client, keeper: Player) -> None:
    before = make_challenge(TOMORROW)
    desk.post(deal_page(TOMORROW), new_deal())
    entry = AuditEntry.objects.get()
    text = shown(desk.get(reverse("admin:daily_auditentry_change", args=[entry.pk])))
    assert before.commitment in text
    assert Challenge.objects.get().commitment in text


def test_the_trail_is_never_edited(desk: Client, keeper: Player) -> None:
    make_challenge(TOMORROW)
    desk.post(preview(TOMORROW))
    entry = AuditEntry.objects.get()
    for name in ("change", "delete"):
        address = reverse(f"admin:daily_auditentry_{name}", args=[entry.pk])
        assert desk.post(address, {"post": "yes", "reason": "none"}).status_code == 403
    assert desk.get(reverse("admin:daily_auditentry_add")).status_code == 403
