"""The review queue, corrections and settlements in the admin site."""

import re
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from daily.models import AuditEntry, Challenge, Look, Run
from leaderboard.corrections import void_run
from leaderboard.models import Settlement, Signal
from leaderboard.services import submit_run
from leaderboard.settling import settle_due
from players.models import Player
from tests.cast import DAY, FrozenClock, greedy_log, make_challenge, record, started

QUEUE = "admin:leaderboard_signal_changelist"
WHY = "Played by a program."


@pytest.fixture
def keeper(db: None) -> Player:
    return Player.objects.create_superuser("Keeper")


@pytest.fixture
def desk(client: Client, keeper: Player) -> Client:
    """The admin site as a superuser sees it."""
    client.force_login(keeper)
    return client


@pytest.fixture
def reader_desk(client: Client, db: None) -> Client:
    """The admin site as staff sees it who may look into things and decide nothing."""
    reader = Player.objects.create(name="Reader", is_staff=True, is_guest=False)
    reader.user_permissions.set(Permission.objects.filter(codename__in=["view_signal", "view_settlement"]))
    client.force_login(reader)
    return client


@pytest.fixture
def flagged(challenge: Challenge, ann: Player, clock: FrozenClock) -> Run:
    """A legal run that was too fast."""
    run, _ = submit_run(player=ann, attempt_id=started(ann).pk, log=greedy_log(challenge, 6))
    return run


def settle_day(challenge: Challenge, clock: FrozenClock) -> None:
    clock.moment = challenge.closes_at + settings.ATTEMPT_TIME_LIMIT + settings.DEADLINE_GRACE
    assert settle_due(clock.now()) == [challenge.date]


def shown(desk: Client, address: str, **query: str) -> str:
    response = desk.get(address, query)
    assert response.status_code == 200
    return response.content.decode()


def page(run: Run) -> str:
    return reverse("admin:leaderboard_review", args=[run.pk])


def decide(desk: Client, run: Run, decision: str, reason: str = WHY) -> Any:
    return desk.post(page(run), {"decision": decision, "reason": reason}, follow=True)


# --- The queue


def test_the_queue_shows_what_is_to_be_decided(desk: Client, flagged: Run) -> None:
    text = shown(desk, reverse(QUEUE))
    assert "ann" in text
    assert "2026-11-30" in text
    assert "too fast" in text
    assert page(flagged) in text
    assert re.search(r'class="field-rank">1<', text)


def test_the_newest_comes_first(desk: Client, challenge: Challenge, ann: Player, bob: Player) -> None:
    record(ann, challenge, cleared=28, elapsed_ms=9_000)
    newest = record(bob, challenge, cleared=28, elapsed_ms=9_500)
    listed = desk.get(reverse(QUEUE)).context["cl"].result_list
    assert listed[0].run == newest


def test_what_is_decided_leaves_the_queue_and_can_still_be_found(desk: Client, flagged: Run) -> None:
    decide(desk, flagged, "dismiss")
    assert page(flagged) not in shown(desk, reverse(QUEUE))
    assert page(flagged) in shown(desk, reverse(QUEUE), decided="yes")


def test_a_voided_run_has_no_rank_in_the_queue(desk: Client, flagged: Run) -> None:
    void_run(run_id=flagged.pk, reason=WHY, by=None)
    assert "not ranked" in shown(desk, reverse(QUEUE), decided="yes")


def test_the_queue_tells_no_log(desk: Client, flagged: Run) -> None:
    assert " ".join(flagged.log) not in shown(desk, reverse(QUEUE))


# --- Looking into a run


def test_the_log_of_a_settled_day_is_shown_move_by_move(
    desk: Client, flagged: Run, challenge: Challenge, clock: FrozenClock
) -> None:
    settle_day(challenge, clock)
    response = desk.get(page(flagged))
    assert len(response.context["steps"]) == len(flagged.log) + 1
    assert not Look.objects.exists()


def test_the_log_of_an_unsettled_day_is_shown_on_record_only(
    desk: Client, flagged: Run, keeper: Player
) -> None:
    response = desk.get(page(flagged))
    assert response.context["steps"] is None
    assert "bars you from ranking" in response.content.decode()
    assert response.content.decode().count("<svg class=") == 0
    assert desk.post(page(flagged), {"look": "yes"}, follow=True).context["steps"]
    assert Look.objects.get().player == keeper
    assert AuditEntry.objects.get().action == "look_at_deal"


def test_who_has_played_the_day_is_barred_from_nothing(desk: Client, flagged: Run, keeper: Player) -> None:
    submit_run(player=keeper, attempt_id=started(keeper).pk, log=[])
    assert desk.get(page(flagged)).context["steps"]
    assert not Look.objects.exists()


def test_the_page_leads_to_the_run_that_was_copied(
    desk: Client, challenge: Challenge, ann: Player, bob: Player, clock: FrozenClock
) -> None:
    log = greedy_log(challenge, 14)
    original, _ = submit_run(player=ann, attempt_id=started(ann).pk, log=log)
    clock.advance(minutes=1)
    copy, _ = submit_run(player=bob, attempt_id=started(bob).pk, log=log)
    assert page(original) in shown(desk, page(copy))


def test_no_page_has_scripts_or_styles_of_its_own(
    desk: Client, flagged: Run, challenge: Challenge, clock: FrozenClock
) -> None:
    settle_day(challenge, clock)
    for address in (page(flagged), reverse("admin:leaderboard_void_day", args=[DAY])):
        text = shown(desk, address)
        assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", text)


def test_an_unknown_run_is_not_found(desk: Client, challenge: Challenge) -> None:
    assert desk.get(reverse("admin:leaderboard_review", args=[uuid4()])).status_code == 404


# --- Deciding


def test_a_dismissal_is_decided_and_on_record(desk: Client, flagged: Run, keeper: Player) -> None:
    text = decide(desk, flagged, "dismiss", "I know her.").content.decode()
    assert Signal.objects.get().decided_at
    assert AuditEntry.objects.get().actor == keeper
    assert "I know her." in text
    assert 'value="dismiss"' not in text


def test_a_run_is_voided_and_reinstated(desk: Client, flagged: Run) -> None:
    text = decide(desk, flagged, "void").content.decode()
    assert Run.objects.get().void_reason == WHY
    assert 'value="void"' not in text
    decide(desk, flagged, "reinstate", "It was not.")
    assert Run.objects.get().counts
    assert list(AuditEntry.objects.values_list("action", "reason")) == [
        ("reinstate_run", "It was not."),
        ("void_run", WHY),
    ]


@pytest.mark.parametrize("reason", ["", "  ", "x" * 201, "a\x00b", "a\u2028b"])
def test_nothing_is_decided_without_a_reason(desk: Client, flagged: Run, reason: str) -> None:
    response = decide(desk, flagged, "void", reason)
    assert response.context["form"].errors
    assert Run.objects.get().counts
    assert not AuditEntry.objects.exists()


def test_what_is_done_already_is_said(desk: Client, flagged: Run) -> None:
    decide(desk, flagged, "void")
    assert "That is how it stands already." in decide(desk, flagged, "void").content.decode()
    assert AuditEntry.objects.count() == 1


def test_there_is_no_other_decision(desk: Client, flagged: Run) -> None:
    assert decide(desk, flagged, "delete").status_code == 403
    assert Run.objects.get().counts


@pytest.mark.parametrize("decision", ["dismiss", "void", "reinstate"])
def test_who_may_only_look_decides_nothing(reader_desk: Client, flagged: Run, decision: str) -> None:
    assert 'name="decision"' not in shown(reader_desk, page(flagged))
    assert decide(reader_desk, flagged, decision).status_code == 403
    assert not AuditEntry.objects.exists()


def test_a_decision_from_another_site_is_refused(flagged: Run, keeper: Player) -> None:
    careful = Client(enforce_csrf_checks=True)
    careful.force_login(keeper)
    assert careful.post(page(flagged), {"decision": "void", "reason": WHY}).status_code == 403
    assert Run.objects.get().counts


def test_players_have_no_business_here(client: Client, flagged: Run, bob: Player) -> None:
    client.force_login(bob)
    for address in (page(flagged), reverse(QUEUE), reverse("admin:leaderboard_void_day", args=[DAY])):
        assert client.get(address).status_code == 302


# --- Days


def test_a_day_is_voided_by_who_is_sure(desk: Client, flagged: Run, keeper: Player) -> None:
    address = reverse("admin:leaderboard_void_day", args=[DAY])
    assert "1 ranked run" in shown(desk, address)
    assert desk.post(address, {"reason": WHY}).context["form"].errors
    assert not Challenge.objects.get().is_voided
    assert desk.post(address, {"reason": WHY, "is_sure": "on"}).status_code == 302
    assert Challenge.objects.get().void_reason == WHY
    assert AuditEntry.objects.get().action == "void_day"
    assert WHY in shown(desk, address)
    desk.post(address, {"reason": WHY, "is_sure": "on"})
    assert AuditEntry.objects.count() == 1


def test_the_page_to_void_a_day_is_under_its_day(desk: Client, challenge: Challenge) -> None:
    crumbs = shown(desk, reverse("admin:leaderboard_void_day", args=[DAY])).split('class="breadcrumbs"')[1]
    crumbs = crumbs.split("</ol>")[0]
    for address in ("daily_challenge_changelist", "daily_challenge_change"):
        assert reverse(f"admin:{address}", args=[DAY] if address.endswith("change") else []) in crumbs
    assert "ettlement" not in crumbs


def test_a_settled_day_leads_to_its_bundle(desk: Client, challenge: Challenge, clock: FrozenClock) -> None:
    settle_day(challenge, clock)
    text = shown(desk, reverse("admin:daily_challenge_change", args=[DAY]))
    [address] = re.findall(r'href="(\S+/bundle/)"', text)
    assert desk.get(address).status_code == 200


def test_settlements_come_newest_first(desk: Client, challenge: Challenge, clock: FrozenClock) -> None:
    make_challenge(DAY - timedelta(days=1))
    settle_due(challenge.closes_at + timedelta(hours=2))
    listed = desk.get(reverse("admin:leaderboard_settlement_changelist")).context["cl"].result_list
    assert [settlement.challenge_id for settlement in listed] == [DAY, DAY - timedelta(days=1)]


def test_what_was_decided_is_told_in_words(desk: Client, flagged: Run) -> None:
    decide(desk, flagged, "dismiss")
    assert f"Keeper: found nothing wrong with the run. {WHY}" in shown(desk, page(flagged))


def test_who_may_not_change_days_voids_none(reader_desk: Client, flagged: Run) -> None:
    address = reverse("admin:leaderboard_void_day", args=[DAY])
    assert reader_desk.post(address, {"reason": WHY, "is_sure": "on"}).status_code == 403
    assert not Challenge.objects.get().is_voided


@pytest.mark.parametrize("day", ["2026-11-29", "today", "2026-13-01"])
def test_only_days_there_are_can_be_voided(desk: Client, challenge: Challenge, day: str) -> None:
    assert desk.get(reverse("admin:leaderboard_void_day", args=[day])).status_code == 404


def test_settlements_are_there_to_read(
    desk: Client, flagged: Run, challenge: Challenge, clock: FrozenClock
) -> None:
    settle_day(challenge, clock)
    decide(desk, flagged, "void")
    text = shown(desk, reverse("admin:leaderboard_settlement_changelist"))
    assert all(digest in text for digest in Settlement.objects.values_list("digest", flat=True))
    assert WHY in text
    assert desk.get(reverse("admin:leaderboard_settlement_add")).status_code == 403


def test_what_follows_from_the_runs_has_no_pages(desk: Client, flagged: Run) -> None:
    text = shown(desk, reverse("admin:index"))
    assert "Signals" in text
    assert "Standings" not in text
    assert "Tallies" not in text
