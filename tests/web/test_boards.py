"""The pages of the leaderboards."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from daily.models import Challenge
from leaderboard.boards import boards_of
from leaderboard.corrections import void_day, void_run
from leaderboard.leagues import create_league, join_league, show_code
from leaderboard.models import Signal
from leaderboard.scoring import Position
from leaderboard.services import repair
from leaderboard.settling import settle_due
from players.models import Player
from tests.cast import DAY, FrozenClock, make_challenge, make_player, record
from web.board_pages import HIGHEST, read_position

TODAY = f"/days/{DAY}/"
ROW = re.compile(r'<tr data-player="([^"]*)" data-rank="(\d+)"(?: class="(\w+)")?')


def page(client: Client, address: str = TODAY) -> str:
    response = client.get(address)
    assert response.status_code == 200, address
    return response.content.decode()


def rows(text: str) -> list[tuple[str, int]]:
    return [(name, int(rank)) for name, rank, _ in ROW.findall(text)]


def link(text: str, rel: str) -> str:
    """Where the page's link to the page before or after leads; the days' links come first."""
    found: list[str] = re.findall(rf'class="button" rel="{rel}" href="([^"]*)"', text)
    return TODAY + found[0].replace("&amp;", "&")


@pytest.fixture
def crowd(challenge: Challenge) -> list[Player]:
    """A hundred and twenty players, the last best."""
    players = [make_player(f"player{number:03}") for number in range(120)]
    for number, player in enumerate(players):
        record(player, challenge, cleared=number // 5, elapsed_ms=100_000 - number)
    return players


@pytest.fixture
def queries(settings: Settings) -> Callable[[Client, str], int]:
    """How many queries a page takes where a worker sees to what is due and the boards are indexed."""
    settings.CELERY_TASK_ALWAYS_EAGER = False

    def count(client: Client, address: str) -> int:
        for board in boards_of(DAY):
            repair(board)
        with CaptureQueriesContext(connection) as captured:
            page(client, address)
        return len(captured)

    return count


def sign_in(client: Client, player: Player) -> Client:
    client.force_login(player)
    return client


def settled(challenge: Challenge, clock: FrozenClock) -> Challenge:
    clock.advance(days=1)
    settle_due(clock.moment)
    challenge.refresh_from_db()
    return challenge


# The day


def test_a_day_lists_the_best_first_and_equals_share_a_rank(
    client: Client, challenge: Challenge, ann: Player, bob: Player
) -> None:
    record(ann, challenge, cleared=20, elapsed_ms=65_300)
    record(bob, challenge, cleared=20, elapsed_ms=65_300)
    record(make_player("cy"), challenge, cleared=28, elapsed_ms=90_000)
    text = page(client)
    assert rows(text) == [("cy", 1), ("ann", 2), ("bob", 2)]
    assert "1:05.3" in text
    assert "3 ranked" in text


def test_today_is_the_day_that_the_clock_says(client: Client, challenge: Challenge) -> None:
    assert "Monday, 30 November 2026" in page(client, "/days/today/")


def test_a_day_without_runs_says_so(client: Client, challenge: Challenge) -> None:
    assert "Nobody is on this board yet" in page(client)


def test_a_page_has_fifty_rows_and_links_that_walk_the_whole_board(
    client: Client, crowd: list[Player]
) -> None:
    first = page(client)
    second = page(client, link(first, "next"))
    third = page(client, link(second, "next"))
    names = [name for text in (first, second, third) for name, _ in rows(text)]
    assert [len(rows(text)) for text in (first, second, third)] == [50, 50, 20]
    assert names == [player.name for player in reversed(crowd)]
    assert 'class="button" rel="next"' not in third
    assert rows(page(client, link(third, "prev"))) == rows(second)
    assert 'class="button" rel="prev"' not in first


FORGED = (
    "x",
    "0" * 31,
    "0" * 33,
    "f" * 32,
    "8" + "0" * 31,
    "0" * 16 + "8" + "0" * 15,
    "'; --",
    "%25",
    "-" * 32,
    "٣" * 32,
)


def test_a_forged_place_leads_to_the_top(client: Client, crowd: list[Player]) -> None:
    top = rows(page(client))
    for place in FORGED:
        assert rows(page(client, f"{TODAY}?after={place}")) == top, place
        assert rows(page(client, f"{TODAY}?before={place}")) == top, place


def test_a_place_at_the_edge_of_what_the_database_takes_is_read() -> None:
    edge = Position(HIGHEST, HIGHEST)
    assert read_position(str(edge)) == edge


def test_a_place_below_everybody_says_that_nobody_stands_there(client: Client, crowd: list[Player]) -> None:
    text = page(client, f"{TODAY}?after={Position(HIGHEST, HIGHEST)}")
    assert rows(text) == []
    assert "Nobody stands here" in text


def test_jumping_to_me_shows_my_row_marked_among_its_neighbours(client: Client, crowd: list[Player]) -> None:
    text = page(sign_in(client, crowd[60]), f"{TODAY}?around=me")
    assert [name for name, _, kind in ROW.findall(text) if kind == "own"] == ["player060"]
    assert len(rows(text)) == 49
    assert 'id="you"' in text


def test_my_standing_is_on_every_page(client: Client, crowd: list[Player]) -> None:
    text = page(sign_in(client, crowd[0]))
    assert "player000" not in [name for name, _ in rows(text)]
    assert re.search(r"<dd>120<small> of 120</small></dd>", text)
    assert re.search(r"<dd>0<small> % of the others", text)


def test_my_share_beaten_is_written_with_the_digits_it_has(client: Client, crowd: list[Player]) -> None:
    assert re.search(r"<dd>50\.4<small> % of the others", page(sign_in(client, crowd[60])))


def test_jumping_to_me_unknown_asks_to_sign_in(client: Client, crowd: list[Player]) -> None:
    text = page(client, f"{TODAY}?around=me")
    assert "Sign in to find yourself" in text
    assert len(rows(text)) == 50


def test_jumping_to_me_without_a_run_says_so(client: Client, crowd: list[Player], ann: Player) -> None:
    assert "You are not on this board yet" in page(sign_in(client, ann), f"{TODAY}?around=me")


def test_a_player_is_found_however_the_name_is_spelled(client: Client, crowd: list[Player]) -> None:
    text = page(client, f"{TODAY}?around=PLAYER060")
    assert [name for name, _, kind in ROW.findall(text) if kind == "sought"] == ["player060"]


def test_looking_for_nobody_says_so_harmlessly(client: Client, crowd: list[Player]) -> None:
    text = page(client, f"{TODAY}?around=<script>alert(1)</script>")
    assert "Nobody is called “\u2068&lt;script&gt;alert(1)&lt;/script&gt;\u2069”" in text
    assert "<script>alert" not in text


def test_looking_for_somebody_who_did_not_play_says_so(
    client: Client, crowd: list[Player], ann: Player
) -> None:
    assert "\u2068ann\u2069 is not on this board" in page(client, f"{TODAY}?around=ann")


def test_looking_for_an_empty_name_shows_the_top(client: Client, crowd: list[Player]) -> None:
    assert rows(page(client, f"{TODAY}?around=+")) == rows(page(client))


def test_bots_and_countries_are_told(client: Client, challenge: Challenge, ann: Player) -> None:
    Player.objects.filter(pk=ann.pk).update(is_bot=True, country="NL")
    record(ann, challenge, cleared=20, elapsed_ms=1)
    text = page(client)
    assert '<span class="tag">bot</span>' in text
    assert '<span class="tag plain">NL</span>' in text


def test_a_top_run_that_an_admin_has_yet_to_look_at_is_under_review(
    client: Client, challenge: Challenge, ann: Player
) -> None:
    run = record(ann, challenge, cleared=20, elapsed_ms=1)
    assert "under review" not in page(client)
    Signal.objects.create(run=run, kind=Signal.Kind.TOO_FAST, noticed_at=run.submitted_at)
    assert "under review" in page(client)


def test_the_chart_counts_the_field_and_marks_my_result(
    client: Client, challenge: Challenge, ann: Player, bob: Player
) -> None:
    record(ann, challenge, cleared=20, elapsed_ms=1)
    record(bob, challenge, cleared=21, elapsed_ms=1)
    assert "20: 1, 21: 1." in page(client)
    assert "20: 1 (yours), 21: 1." in page(sign_in(client, ann))


def test_an_open_day_is_provisional_and_tells_no_deal(
    client: Client, challenge: Challenge, ann: Player
) -> None:
    run = record(ann, challenge, cleared=20, elapsed_ms=1)
    text = page(client)
    assert "Provisional" in text
    assert challenge.commitment in text
    assert "draw_deal" not in text
    assert "card-" not in text
    assert f"/runs/{run.pk}/" not in text


def test_a_day_that_is_over_waits_for_the_last_attempts(
    client: Client, challenge: Challenge, clock: FrozenClock
) -> None:
    clock.advance(hours=12, minutes=30)
    text = page(client)
    assert "closing" in text
    assert "card-" not in text


def test_a_settled_day_shows_its_deal_its_figures_and_every_replay(
    client: Client, challenge: Challenge, clock: FrozenClock, ann: Player
) -> None:
    run = record(ann, challenge, cleared=20, elapsed_ms=1)
    Challenge.objects.update(best_clear=27, difficulty=0.735)
    settled(challenge, clock)
    text = page(client)
    assert "final" in text
    assert "Provisional" not in text
    assert 'href="#card-' in text
    assert "27<small> of 28" in text
    assert "74<small> % of it" in text
    assert f"/runs/{run.pk}/replay/" in text
    assert f"/days/{DAY}/verify/" in text
    assert f"/practice/?day={DAY}" in text
    assert challenge.settlements.get().digest in text


def test_a_settled_day_without_a_proven_best_says_so(
    client: Client, challenge: Challenge, clock: FrozenClock
) -> None:
    Challenge.objects.update(best_clear=None, difficulty=None)
    settled(challenge, clock)
    assert "not proven" in page(client)


def test_a_correction_is_listed_with_its_reason(
    client: Client, challenge: Challenge, clock: FrozenClock, ann: Player
) -> None:
    run = record(ann, challenge, cleared=20, elapsed_ms=1)
    settled(challenge, clock)
    void_run(run_id=run.pk, reason="played by <b>a program</b>", by=None)
    text = page(client)
    assert "0 ranked: played by &lt;b&gt;a program" in text
    assert rows(text) == []


def test_a_day_that_is_due_is_settled_by_who_looks(
    client: Client, challenge: Challenge, clock: FrozenClock
) -> None:
    clock.advance(days=1)
    assert "final" in page(client)


def test_a_void_day_says_why(client: Client, challenge: Challenge, ann: Player) -> None:
    record(ann, challenge, cleared=20, elapsed_ms=1)
    void_day(challenge=challenge, reason="The deal was seen & sold", by=None)
    text = page(client)
    assert "counts for nobody: The deal was seen &amp; sold" in text
    assert rows(text) == []


def test_a_coming_day_tells_when_it_opens_and_its_commitment_only(
    client: Client, db: None, clock: FrozenClock
) -> None:
    coming = make_challenge(DAY + timedelta(days=2), rules="strict")
    text = page(client, f"/days/{coming}/")
    assert "2 December 2026, 00:00 UTC" in text
    assert coming.commitment in text
    for secret in (coming.salt, coming.code, "card-", "strict", "Strict", 'id="board"'):
        assert secret not in text


@pytest.mark.parametrize("day", ["2020-01-01", "2026-12-24", "2026-02-30", "2026-1-1", "1999-12-31"])
def test_a_day_that_there_is_not_is_not_found(client: Client, challenge: Challenge, day: str) -> None:
    assert client.get(f"/days/{day}/").status_code == 404


def test_the_days_beside_are_linked_past_gaps_and_ends(client: Client, challenge: Challenge) -> None:
    make_challenge(DAY - timedelta(days=3))
    text = page(client)
    assert f'rel="prev" href="/days/{DAY - timedelta(days=3)}/"' in text
    assert 'rel="next" href="/days/' not in text


def test_nothing_can_be_posted_to_a_board(client: Client, challenge: Challenge) -> None:
    assert client.post(TODAY).status_code == 405


def test_who_only_looks_gets_no_cookie(client: Client, challenge: Challenge) -> None:
    assert not client.get(TODAY).cookies


# Longer times


def test_a_week_a_month_and_all_time_sum_the_days(
    client: Client, challenge: Challenge, clock: FrozenClock, ann: Player
) -> None:
    tuesday = make_challenge(DAY + timedelta(days=1))
    record(ann, challenge, cleared=20, elapsed_ms=60_000)
    clock.advance(days=1)
    record(ann, tuesday, cleared=21, elapsed_ms=60_000)
    week, month, ever = (
        page(client, f"/boards/{board}/") for board in ("week/current", "month/2026-11", "all-time")
    )
    for text, cleared, time in ((week, 41, "2:00.0"), (month, 20, "1:00.0"), (ever, 41, "2:00.0")):
        assert rows(text) == [("ann", 1)]
        assert f"{cleared}</td>" in text
        assert time in text


def test_my_sums_are_told(client: Client, challenge: Challenge, ann: Player) -> None:
    record(ann, challenge, cleared=20, elapsed_ms=60_000)
    text = page(sign_in(client, ann), "/boards/month/2026-11/")
    assert "<dt>Days</dt><dd>1</dd>" in text
    assert "nobody else here yet" in text


@pytest.mark.parametrize(
    "board", ["week/2026-W50", "week/2020-W01", "week/2026-W60", "month/2026-12", "month/2026-10", "month/x"]
)
def test_a_period_not_begun_or_before_the_first_day_is_not_found(
    client: Client, challenge: Challenge, board: str
) -> None:
    assert client.get(f"/boards/{board}/").status_code == 404


def test_the_present_period_is_there_before_there_is_any_day(client: Client, db: None) -> None:
    assert "Nobody is on this board yet" in page(client, "/boards/week/current/")


def test_periods_link_their_neighbours_as_far_as_there_are_any(
    client: Client, challenge: Challenge, clock: FrozenClock
) -> None:
    make_challenge(DAY - timedelta(days=7))
    text = page(client, "/boards/week/2026-W49/")
    assert 'rel="prev" href="/boards/week/2026-W48/"' in text
    assert 'rel="next"' not in text
    text = page(client, "/boards/week/2026-W48/")
    assert 'rel="next" href="/boards/week/2026-W49/"' in text
    assert 'rel="prev"' not in text


def test_the_tabs_lead_to_the_boards_of_the_same_day(client: Client, challenge: Challenge) -> None:
    text = page(client)
    for address in ("/boards/week/2026-W49/", "/boards/month/2026-11/", "/boards/all-time/"):
        assert f'href="{address}"' in text


def test_a_period_that_is_over_is_not_asked_for_again(
    client: Client, challenge: Challenge, clock: FrozenClock
) -> None:
    assert "live.js" in page(client, "/boards/month/2026-11/")
    clock.advance(days=2)
    text = page(client, "/boards/month/2026-11/")
    assert "live.js" not in text
    assert "over</span>" in text


# Leagues


@pytest.fixture
def friends(challenge: Challenge, clock: FrozenClock, ann: Player, bob: Player) -> str:
    """The code of a league of Ann and Bob, who played, as did somebody else."""
    league = create_league(owner=ann, name="Friends & <i>foes</i>", now=clock.moment)
    join_league(player=bob, code=league.code, now=clock.moment)
    record(make_player("stranger"), challenge, cleared=28, elapsed_ms=1)
    record(ann, challenge, cleared=20, elapsed_ms=2)
    record(bob, challenge, cleared=21, elapsed_ms=2)
    return show_code(league.code)


@pytest.mark.parametrize("board", [f"/days/{DAY}/", "/boards/week/current/", "/boards/all-time/"])
def test_a_league_sees_its_members_only_ranked_among_themselves(
    client: Client, friends: str, ann: Player, board: str
) -> None:
    text = page(sign_in(client, ann), f"{board}?league={friends}")
    assert rows(text) == [("bob", 1), ("ann", 2)]
    assert "Friends &amp; &lt;i&gt;foes" in text
    assert f"/boards/month/2026-11/?league={friends}" in text


def test_the_links_of_a_league_stay_in_it(client: Client, friends: str, ann: Player) -> None:
    text = page(sign_in(client, ann), f"{TODAY}?league={friends}")
    assert f'href="?league={friends}&amp;around=me#you"' in text
    assert f'name="league" value="{friends}"' in text


@pytest.mark.parametrize("code", ["1", "AAAAA-AAAAA", "<script>"])
def test_a_league_that_there_is_not_is_not_found(
    client: Client, friends: str, ann: Player, code: str
) -> None:
    assert sign_in(client, ann).get(f"{TODAY}?league={code}").status_code == 404


def test_a_league_is_not_found_by_strangers(client: Client, friends: str) -> None:
    address = f"{TODAY}?league={friends}"
    assert client.get(address).status_code == 404
    assert sign_in(client, Player.objects.get(name="stranger")).get(address).status_code == 404


# Names


@pytest.mark.parametrize(
    "name",
    [
        "<script>alert(1)</script>",
        '" onmouseover="alert(1)',
        "\u202eevil\u202c",
        "שלום עולם",
        "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢",
        "a&b;c",
        "../x?y#z",
    ],
)
def test_names_are_shown_harmlessly_whatever_they_are(
    client: Client, challenge: Challenge, name: str
) -> None:
    player = make_player("victim")
    Player.objects.filter(pk=player.pk).update(name=name)
    record(player, challenge, cleared=20, elapsed_ms=1)
    text = page(client)
    assert "<script>alert" not in text
    assert '" onmouseover' not in text
    found = re.findall(r'<td class="who"><a href="(/players/[^"?#]*/)"><bdi>([^<]*)</bdi></a>', text)
    assert len(found) == 1


# Asking again


def test_a_page_that_says_nothing_new_is_not_sent_again(
    client: Client, challenge: Challenge, ann: Player
) -> None:
    response = client.get(TODAY)
    assert response.headers["Cache-Control"] == "private, no-cache"
    assert "Cookie" in response.headers["Vary"]
    again = client.get(TODAY, headers={"if-none-match": response.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    record(ann, challenge, cleared=20, elapsed_ms=1)
    changed = client.get(TODAY, headers={"if-none-match": response.headers["ETag"]})
    assert changed.status_code == 200


def test_another_viewer_has_another_page(client: Client, challenge: Challenge, ann: Player) -> None:
    etag = client.get(TODAY).headers["ETag"]
    assert sign_in(client, ann).get(TODAY, headers={"if-none-match": etag}).status_code == 200


def test_the_page_asks_again_by_itself_until_the_day_is_settled(
    client: Client, challenge: Challenge, clock: FrozenClock
) -> None:
    assert f'data-live="{DAY}"' in page(client)
    settled(challenge, clock)
    text = page(client)
    assert "data-live" not in text
    assert "live.js" not in text


# Cost


@pytest.mark.redis
def test_a_board_takes_six_queries_with_session_and_player(
    client: Client, crowd: list[Player], queries: Callable[[Client, str], int]
) -> None:
    sign_in(client, crowd[60])
    for address in (TODAY, f"{TODAY}?around=me", "/boards/month/2026-11/", "/boards/all-time/"):
        assert queries(client, address) <= 6, address


@pytest.mark.redis
def test_a_board_takes_four_queries_for_who_is_not_signed_in(
    client: Client, crowd: list[Player], queries: Callable[[Client, str], int]
) -> None:
    for address in (TODAY, "/boards/month/2026-11/", "/boards/all-time/"):
        assert queries(client, address) <= 4, address


@pytest.mark.redis
def test_a_settled_day_takes_one_query_more_for_its_revisions(
    client: Client,
    challenge: Challenge,
    crowd: list[Player],
    clock: FrozenClock,
    queries: Callable[[Client, str], int],
) -> None:
    settled(challenge, clock)
    assert queries(client, TODAY) <= 5


def test_a_board_takes_as_many_queries_for_many_rows_as_for_few(
    client: Client, challenge: Challenge, ann: Player, queries: Callable[[Client, str], int]
) -> None:
    record(ann, challenge, cleared=20, elapsed_ms=1)
    few = queries(client, TODAY)
    for number in range(30):
        record(make_player(f"player{number}"), challenge, cleared=number % 28, elapsed_ms=number)
    assert queries(client, TODAY) == few
