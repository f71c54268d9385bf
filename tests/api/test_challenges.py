"""The days: what is told when."""

from datetime import timedelta

import pytest

from daily.models import Challenge
from daily.scheduling import schedule_ahead
from leaderboard import settling
from leaderboard.corrections import void_day, void_run
from players.models import Player
from tests.api.conftest import CheckedClient, forget_kept_answers
from tests.cast import DAY, FrozenClock, make_challenge, record, started

TODAY = "/api/v1/challenges/today/"


def settle(challenge: Challenge, clock: FrozenClock) -> None:
    """Gives the day a best line, lets it pass and settles it."""
    best = {"best_clear": 28, "best_line_text": "D D KD", "difficulty": 0.5}
    Challenge.objects.filter(pk=challenge.pk).update(**best)
    clock.advance(days=2)
    settling.settle(challenge.date, clock.moment)


def test_today_says_when_it_is_and_how_it_stands(
    api: CheckedClient, challenge: Challenge, ann: Player
) -> None:
    record(ann, challenge, cleared=20, elapsed_ms=90_000)
    day = api.get(TODAY).json()
    assert day["date"] == "2026-11-30"
    assert (day["opens_at"], day["closes_at"]) == (
        "2026-11-30T00:00:00.000000Z",
        "2026-12-01T00:00:00.000000Z",
    )
    assert day["server_time"] == "2026-11-30T12:00:00.000000Z"
    assert (day["is_open"], day["is_settled"]) == (True, False)
    assert (day["rules"], day["rules_version"]) == ("endless", 1)
    assert day["commitment"] == challenge.commitment
    assert (day["attempts"], day["runs"], day["field_size"]) == (1, 1, 1)
    assert day["distribution"][20] == 1
    assert len(day["distribution"]) == 29


def test_today_has_its_date_for_an_address_too(api: CheckedClient, challenge: Challenge) -> None:
    assert api.get("/api/v1/challenges/2026-11-30/").json() == api.get(TODAY).json()


def test_a_missing_today_is_made_by_its_first_reader(
    api: CheckedClient, db: None, clock: FrozenClock
) -> None:
    assert api.get(TODAY).status_code == 200
    assert Challenge.objects.filter(date=DAY).exists()


def test_an_open_day_keeps_its_deal(api: CheckedClient, challenge: Challenge) -> None:
    response = api.get(TODAY)
    day = response.json()
    for field in (
        "deck",
        "code",
        "salt",
        "best_clear",
        "best_line",
        "difficulty",
        "board_digest",
        "revision",
    ):
        assert day[field] is None
    assert day["revisions"] == []
    told = response.content.decode() + str(response.headers)
    assert not any(secret in told for secret in (challenge.deck, challenge.code, challenge.salt))


def test_of_a_coming_day_only_the_commitment_is_told(api: CheckedClient, challenge: Challenge) -> None:
    coming = make_challenge(DAY + timedelta(days=1), rules="strict")
    for day in (
        api.get("/api/v1/challenges/2026-12-01/").json(),
        api.get("/api/v1/challenges/").json()["results"][0],
    ):
        assert day["date"] == "2026-12-01"
        assert day["commitment"] == coming.commitment
        assert (day["rules"], day["rules_version"], day["is_open"]) == (None, None, False)


def test_a_settled_day_reveals_everything(
    api: CheckedClient, challenge: Challenge, clock: FrozenClock
) -> None:
    settle(challenge, clock)
    day = api.get("/api/v1/challenges/2026-11-30/").json()
    assert (day["is_open"], day["is_settled"]) == (False, True)
    assert (day["deck"], day["code"], day["salt"]) == (challenge.deck, challenge.code, challenge.salt)
    assert (day["best_clear"], day["best_line"], day["difficulty"]) == (28, ["D", "D", "KD"], 0.5)


def test_each_correction_of_a_settled_day_is_told_as_a_revision(
    api: CheckedClient, challenge: Challenge, ann: Player, clock: FrozenClock
) -> None:
    run = record(ann, challenge, cleared=20, elapsed_ms=90_000)
    settle(challenge, clock)
    before = api.get("/api/v1/challenges/2026-11-30/")
    void_run(run_id=run.pk, reason="Played by a program.", by=None)
    forget_kept_answers()
    day = api.get("/api/v1/challenges/2026-11-30/", HTTP_IF_NONE_MATCH=before.headers["ETag"]).json()
    first, second = day["revisions"]
    assert (first["revision"], first["digest"]) == (1, before.json()["board_digest"])
    assert (second["revision"], second["field_size"]) == (2, 0)
    assert (day["revision"], day["board_digest"]) == (2, second["digest"])
    assert (day["attempts"], day["runs"], day["field_size"]) == (1, 1, 0)
    assert "Played by a program." not in str(day)


def test_a_voided_day_says_why(api: CheckedClient, challenge: Challenge) -> None:
    void_day(challenge=challenge, reason="The deal had leaked.", by=None)
    for day in (api.get(TODAY).json(), api.get("/api/v1/challenges/").json()["results"][0]):
        assert (day["is_voided"], day["void_reason"]) == (True, "The deal had leaked.")


def test_a_best_that_is_not_proven_is_not_told(
    api: CheckedClient, challenge: Challenge, clock: FrozenClock
) -> None:
    clock.advance(days=2)
    settling.settle(challenge.date, clock.moment)
    day = api.get("/api/v1/challenges/2026-11-30/").json()
    assert (day["best_clear"], day["best_line"], day["difficulty"]) == (None, None, None)


def test_the_list_counts_who_played(
    api: CheckedClient, challenge: Challenge, ann: Player, bob: Player
) -> None:
    make_challenge(DAY - timedelta(days=1))
    record(ann, challenge, cleared=20, elapsed_ms=90_000)
    started(bob)
    today, before = api.get("/api/v1/challenges/").json()["results"]
    assert (today["attempts"], today["runs"], today["field_size"]) == (2, 1, 1)
    assert (before["attempts"], before["runs"], before["field_size"]) == (0, 0, 0)


def test_who_reads_a_day_that_is_over_finds_it_settled(
    api: CheckedClient, challenge: Challenge, ann: Player, clock: FrozenClock
) -> None:
    record(ann, challenge, cleared=20, elapsed_ms=90_000)
    clock.advance(days=2)
    day = api.get("/api/v1/challenges/2026-11-30/").json()
    assert (day["is_settled"], day["deck"], day["revision"]) == (True, challenge.deck, 1)
    assert len(day["board_digest"]) == 64


def test_the_clock_does_not_change_the_etag(
    api: CheckedClient, challenge: Challenge, clock: FrozenClock
) -> None:
    etag = api.get(TODAY).headers["ETag"]
    clock.advance(seconds=5)
    again = api.get(TODAY, HTTP_IF_NONE_MATCH=etag)
    assert again.status_code == 304
    assert not again.content


def test_a_change_changes_the_etag(api: CheckedClient, challenge: Challenge, ann: Player) -> None:
    etag = api.get(TODAY).headers["ETag"]
    record(ann, challenge, cleared=20, elapsed_ms=90_000)
    forget_kept_answers()
    assert api.get(TODAY, HTTP_IF_NONE_MATCH=etag).status_code == 200


@pytest.mark.parametrize("header", ['"x", {etag} , W/"y"', "*", "{strong}"])
def test_any_matching_form_of_if_none_match_is_a_304(
    api: CheckedClient, challenge: Challenge, header: str
) -> None:
    etag = api.get(TODAY).headers["ETag"]
    condition = header.format(etag=etag, strong=etag.removeprefix("W/"))
    assert api.get(TODAY, HTTP_IF_NONE_MATCH=condition).status_code == 304


@pytest.mark.parametrize("header", ['"x"', "", "garbage", 'W/"', "W/*", '"' * 5000])
def test_any_other_if_none_match_is_an_answer(api: CheckedClient, challenge: Challenge, header: str) -> None:
    assert api.get(TODAY, HTTP_IF_NONE_MATCH=header).status_code == 200


def test_public_answers_may_be_kept_and_personal_ones_only_by_their_owner(
    api: CheckedClient, as_ann: CheckedClient, challenge: Challenge
) -> None:
    public, personal = api.get(TODAY), as_ann.get(TODAY)
    assert public.headers["Cache-Control"] == "public, no-cache"
    assert personal.headers["Cache-Control"] == "private, no-cache"
    for response in (public, personal):
        assert {"Authorization", "Cookie"} <= set(response.headers["Vary"].split(", "))


def test_days_come_in_pages_newest_first(
    api: CheckedClient, challenge: Challenge, clock: FrozenClock
) -> None:
    for ago in range(1, 6):
        make_challenge(DAY - timedelta(days=ago))
    schedule_ahead(clock.moment)
    everything = api.get("/api/v1/challenges/?limit=100").json()
    dates = [day["date"] for day in everything["results"]]
    assert dates == sorted(dates, reverse=True)
    assert (dates[0], dates[-1]) == ("2026-12-07", "2026-11-25")
    assert (everything["next"], everything["previous"]) == (None, None)
    walked, url = [], "/api/v1/challenges/?limit=4"
    while url:
        page = api.get(url).json()
        walked += [day["date"] for day in page["results"]]
        url = page["next"]
    assert walked == dates


def test_the_way_back_shows_the_same_pages(api: CheckedClient, challenge: Challenge) -> None:
    for ago in range(1, 6):
        make_challenge(DAY - timedelta(days=ago))
    first = api.get("/api/v1/challenges/?limit=2")
    second = api.get(first.json()["next"])
    back = api.get(second.json()["previous"])
    assert back.json()["results"] == first.json()["results"]
    assert back.json()["previous"] is None
    assert first.headers["Link"] == f'<{first.json()["next"]}>; rel="next"'
    assert second.headers["Link"].endswith('; rel="prev"')


def test_no_page_repeats_or_skips_a_day_while_days_are_made(api: CheckedClient, challenge: Challenge) -> None:
    for ago in range(1, 4):
        make_challenge(DAY - timedelta(days=ago))
    first = api.get("/api/v1/challenges/?limit=2").json()
    make_challenge(DAY + timedelta(days=1))
    second = api.get(first["next"]).json()
    dates = [day["date"] for day in first["results"] + second["results"]]
    assert dates == ["2026-11-30", "2026-11-29", "2026-11-28", "2026-11-27"]


@pytest.mark.parametrize(
    "day",
    [
        "2026-11-31",
        "2026-02-29",
        "2026-13-01",
        "2026-00-10",
        "2026-1-1",
        "20261130",
        "1926-11-30",
        "9999-12-31",
        "2098-01-01",
        "2026-11-30T00:00:00Z",
        "\uff12\uff10\uff12\uff16-11-30",
        "2026-11-3\u0660",
        "-2026-11-30",
        "2026-11-30%0A",
        "%202026-11-30",
        "yesterday",
        "TODAY",
        "2026-W49-1",
    ],
)
def test_what_is_no_day_is_no_address(api: CheckedClient, challenge: Challenge, day: str) -> None:
    for path in (f"/api/v1/challenges/{day}/", f"/api/v1/challenges/{day}/leaderboard/"):
        assert api.get(path).json()["code"] == "not_found"
