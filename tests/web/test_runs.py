"""A result: its page, the words and the picture to share."""

import re
from datetime import timedelta
from io import BytesIO

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from PIL import Image

from daily.models import Challenge, Run, Unranked
from leaderboard.corrections import void_day, void_run
from leaderboard.models import Signal
from leaderboard.runs import SeenRun
from leaderboard.scoring import Place
from leaderboard.settling import settle_due
from players.models import Player
from tests.cast import DAY, FrozenClock, greedy_log, make_challenge, make_player, record
from tests.test_leaks import cards_in
from tests.web.test_play import client_of
from web.result_picture import Figures, draw, places
from web.sharing import bar, share_text

MOST_QUERIES = 12


@pytest.fixture
def run(challenge: Challenge, ann: Player) -> Run:
    """Ann's run: second of three."""
    for name, cleared in (("rival a", 28), ("rival b", 4)):
        record(make_player(name), challenge, cleared=cleared, elapsed_ms=90_000)
    Challenge.objects.update(best_clear=28)
    return record(ann, challenge, cleared=26, elapsed_ms=192_345)


def address(run: Run) -> str:
    return f"/runs/{run.pk}/"


def page(client: Client, run: Run) -> str:
    response = client.get(address(run))
    assert response.status_code == 200
    return response.content.decode()


def settle(challenge: Challenge, clock: FrozenClock) -> None:
    clock.advance(days=2)
    settle_due(clock.moment)


def test_ones_own_result_says_all_of_it(run: Run, ann: Player) -> None:
    text = page(client_of(ann), run)
    assert "<strong>26</strong><span>/28</span>" in text
    assert "<dd>3:12.3</dd>" in text
    assert "<dd>2 <small>of 3</small></dd>" in text
    assert "50 %" in text
    assert "The best play clears 28." in text
    assert "26: 1 (yours)" in text
    assert "The next deal is out in" in text
    assert "<dd>1 <small>day</small></dd>" in text


def test_ones_own_result_leads_on(run: Run, ann: Player) -> None:
    text = page(client_of(ann), run)
    for link in (f"{address(run)}replay/", f"/days/{DAY}/?around=me#you", "/practice/", f"/days/{DAY}/"):
        assert f'href="{link}"' in text


def test_a_guest_is_told_how_to_keep_what_it_won(run: Run, ann: Player, bob: Player) -> None:
    assert "Make an account" in page(client_of(ann), run)
    assert "Make an account" not in page(client_of(bob), run)
    Player.objects.filter(pk=ann.pk).update(is_guest=False)
    assert "Make an account" not in page(client_of(ann), run)


def test_a_win_is_said_to_be_one(challenge: Challenge, ann: Player) -> None:
    text = page(client_of(ann), record(ann, challenge, cleared=28, elapsed_ms=1_000))
    assert "You cleared it" in text
    assert "The whole pyramid is gone." in text


def test_whose_run_is_not_settled_is_seen_by_others_without_what_would_help(
    client: Client, run: Run, bob: Player
) -> None:
    for text in (page(client, run), page(client_of(bob), run)):
        assert "<bdi>ann</bdi>" in text
        assert "<strong>26</strong>" in text
        assert "best play" not in text
        assert "/replay/" not in text
        assert "share-text" not in text
        assert "(yours)" not in text
        assert "?around=ann#sought" in text


def test_once_settled_others_see_how_it_compares(
    client: Client, run: Run, challenge: Challenge, clock: FrozenClock
) -> None:
    settle(challenge, clock)
    text = page(client, run)
    assert "The best play clears 28." in text
    assert "/replay/" in text
    assert "The ranks are final." in text


def test_an_unproven_best_is_said_to_be_none(run: Run, ann: Player) -> None:
    Challenge.objects.update(best_clear=None)
    assert "not proven for this deal" in page(client_of(ann), run)


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        (Unranked.NO_ACCOUNT, "only players with an account are ranked"),
        (Unranked.NOT_VERIFIED, "only players with a verified address are ranked"),
        (Unranked.LOOKED, "you knew the deal from elsewhere"),
    ],
)
def test_why_a_run_is_not_ranked(run: Run, ann: Player, reason: str, said: str) -> None:
    Run.objects.filter(pk=run.pk).update(unranked_reason=reason)
    text = page(client_of(ann), run)
    assert said in text
    assert "Would be rank" in text
    assert "(yours)" not in text
    assert "around=me" not in text
    assert "rank" not in shared(text)


def test_a_withdrawn_day_counts_for_nobody(run: Run, ann: Player, challenge: Challenge) -> None:
    void_day(challenge=challenge, reason="Two aces.", by=ann)
    text = page(client_of(ann), run)
    assert "withdrawn: Two aces." in text
    assert "<dt>Rank</dt>" not in text


def test_why_a_run_was_voided_is_told_to_its_player_only(client: Client, run: Run, ann: Player) -> None:
    void_run(run_id=run.pk, reason="Played by <bot>.", by=ann)
    own, others = page(client_of(ann), run), page(client, run)
    assert "This run was voided" in own
    assert "This run was voided" in others
    assert "Played by &lt;bot&gt;." in own
    assert "Played by" not in others


def test_a_run_under_review_says_so(client: Client, run: Run) -> None:
    assert "under review" not in page(client, run)
    Signal.objects.create(run=run, kind="fast", noticed_at=timezone.now())
    assert "under review" in page(client, run)


def test_a_run_made_at_the_deadline_says_so(run: Run, ann: Player) -> None:
    Run.objects.filter(pk=run.pk).update(is_from_checkpoint=True)
    assert "made of the last moves that had arrived" in page(client_of(ann), run)


def test_alone_on_the_board_nobody_is_beaten(challenge: Challenge, ann: Player) -> None:
    assert "nobody else yet" in page(client_of(ann), record(ann, challenge, cleared=3, elapsed_ms=1_000))


def test_no_run_no_page(client: Client, run: Run) -> None:
    for suffix in ("", "picture.png"):
        assert client.get(f"/runs/00000000-0000-4000-8000-000000000000/{suffix}").status_code == 404


def test_names_are_shown_harmlessly(client: Client, run: Run) -> None:
    Player.objects.filter(name="ann").update(name="<script>alert(1)</script>&?")
    text = page(client, run)
    assert "<script>alert" not in text
    assert "?around=%3Cscript%3Ealert%281%29%3C/script%3E%26%3F" in text


def test_it_is_cheap(run: Run, ann: Player) -> None:
    client = client_of(ann)
    page(client, run)
    with CaptureQueriesContext(connection) as queries:
        page(client, run)
    assert len(queries) <= MOST_QUERIES, "\n".join(query["sql"][:200] for query in queries)


# Sharing


def shared(text: str) -> str:
    [found] = re.findall(r'<textarea id="share-text"[^>]*>(.*?)</textarea>', text, re.DOTALL)
    return str(found)


def test_the_text_to_share(run: Run, ann: Player) -> None:
    assert shared(page(client_of(ann), run)) == (
        "Pyramid Daily 2026-11-30 ▲ 26/28 in 3:12 · rank 2 of 3\n"
        "🟩🟩🟩🟩🟩🟩⬜\n"
        f"http://testserver{address(run)}"
    )


def test_the_text_to_share_names_no_card(run: Run, ann: Player, challenge: Challenge) -> None:
    Run.objects.filter(pk=run.pk).update(log_text=" ".join(greedy_log(challenge, 6)))
    text = shared(page(client_of(ann), run)).partition("http")[0]
    assert cards_in(text) == []
    assert challenge.code not in text or not challenge.code


@pytest.mark.parametrize(("cleared", "full"), [(0, 0), (3, 0), (4, 1), (27, 6), (28, 7)])
def test_only_a_full_clear_fills_the_bar(cleared: int, full: int) -> None:
    assert bar(cleared) == "🟩" * full + "⬜" * (7 - full)


def test_a_long_run_is_shared_with_its_hours() -> None:
    run = Run(challenge_id=DAY, cleared=28, elapsed_ms=3_600_000)
    assert "28/28 in 1:00:00 · rank 1 of 9\n" in share_text(run, Place(1, 8, 9), "")


# The picture


def picture(client: Client, run: Run, **headers: str) -> tuple[int, bytes, str]:
    response = client.get(f"{address(run)}picture.png", headers=headers)
    return response.status_code, response.content, response.headers["ETag"]


def test_the_picture_is_as_large_as_other_sites_want_it(client: Client, run: Run) -> None:
    status, content, _ = picture(client, run)
    image = Image.open(BytesIO(content))
    assert (status, image.format, image.size) == (200, "PNG", (1200, 630))
    assert len(content) < 60_000


def test_the_page_names_its_picture(client: Client, run: Run) -> None:
    text = page(client, run)
    assert f'<meta property="og:image" content="http://testserver{address(run)}picture.png">' in text
    assert '<meta property="og:title" content="26/28 in 3:12.3' in text
    assert '<meta name="twitter:card" content="summary_large_image">' in text


def test_the_picture_is_asked_for_again_and_sent_only_when_it_differs(client: Client, run: Run) -> None:
    _, _, etag = picture(client, run)
    status, content, _ = picture(client, run, if_none_match=etag)
    assert (status, content) == (304, b"")
    record(make_player("rival c"), run.challenge, cleared=28, elapsed_ms=1)
    assert picture(client, run, if_none_match=etag)[0] == 200


def test_the_picture_is_the_same_for_everybody(client: Client, run: Run, ann: Player) -> None:
    response = client.get(f"{address(run)}picture.png")
    assert response.headers["Cache-Control"] == "public, no-cache"
    assert "Cookie" not in response.headers.get("Vary", "")
    assert response.content == client_of(ann).get(f"{address(run)}picture.png").content


def test_a_picture_is_drawn_once(client: Client, run: Run) -> None:
    draw.cache_clear()
    picture(client, run)
    picture(client, run)
    assert draw.cache_info().misses == 1


@pytest.mark.parametrize(("name", "shown"), [("Ann 7", "Ann 7"), ("Zoë", ""), ("ابن", ""), ("王", "")])
def test_a_name_that_the_font_does_not_have_is_left_out(challenge: Challenge, name: str, shown: str) -> None:
    run = Run(challenge_id=DAY, challenge=challenge, player=Player(name=name), cleared=1, elapsed_ms=1)
    assert Figures.of(SeenRun(run, None, is_own=False)).name == shown


def test_a_long_name_fits() -> None:
    figures = Figures("1 May 2026", 28, "1:00:00", "rank 1 of 100,000", "W" * 40)
    image = Image.open(BytesIO(draw(figures))).convert("RGB")
    strip = image.crop((590, 500, 606, 600))
    assert len(strip.getcolors() or []) == 1


@pytest.mark.parametrize("cleared", [0, 1, 27, 28])
def test_as_many_cards_are_lit_as_are_gone(cleared: int) -> None:
    image = Image.open(BytesIO(draw(Figures("1 May 2026", cleared, "0:01", "", "")))).convert("RGB")
    lit = sum(image.getpixel((int(x) + 31, y + 20)) == (246, 194, 68) for x, y in places())
    assert lit == cleared


def test_a_yesterdays_run_leads_to_todays_deal(ann: Player, challenge: Challenge) -> None:
    run = record(ann, make_challenge(DAY - timedelta(days=1)), cleared=3, elapsed_ms=5_000)
    text = page(client_of(ann), run)
    assert "Play today" in text
    assert "The next deal is out" not in text
