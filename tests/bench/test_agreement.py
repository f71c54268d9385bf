"""What ``bench/chaos.py`` finds after it has killed everything: it has to notice what it looks for."""

from copy import deepcopy
from http.client import HTTPMessage
from random import Random

import pytest

from bench import agreement
from bench.agreement import Verdict
from bench.client import Answer
from bench.stories import Contradiction, Journal, expect, join, keep, start, submit
from daily.models import Attempt, Challenge, Run
from leaderboard import index
from leaderboard.boards import day_board
from leaderboard.models import Standing, Tally
from tests.bench.in_process import in_process
from tests.cast import DAY, FrozenClock

pytestmark = pytest.mark.django_db


@pytest.fixture
def journal(challenge: Challenge, clock: FrozenClock) -> Journal:
    """What three players were told who submitted, two of them with the same result, and one who left."""
    told, client = Journal(), in_process()
    stories = [join(client, told) for _ in range(4)]
    for story in stories:
        start(client, story)
    keep(client, stories[3], ["D"])
    keep(client, stories[0], ["D"])
    for story in stories[:3]:
        clock.advance(seconds=0 if story is stories[1] else 60)
        submit(client, story, ["D"])
    return told


def compared(told: Journal) -> Verdict:
    """The verdict over the test's database."""
    return agreement.compare(told, in_process(), Random(1))


def test_what_is_as_it_was_told_is_good(journal: Journal) -> None:
    verdict = compared(journal)
    assert verdict.is_good, verdict
    assert verdict.views == 4 + 3 + 1 + 3  # boards, runs, the day, profiles


def test_a_run_that_is_not_there_is_lost(journal: Journal) -> None:
    story = deepcopy(journal.stories[0])
    story.run["id"] = "0" * 32
    journal.stories.append(story)
    assert [sentence[:8] for sentence in compared_database(journal).lost] == ["run 0000"]


def compared_database(told: Journal) -> Verdict:
    """The verdict over what is stored."""
    return Verdict(lost=list(agreement.lost(told)), doubled=list(agreement.doubled(told)))


@pytest.mark.parametrize("field", ["elapsed_ms", "cleared", "rank"])
def test_a_run_that_was_told_otherwise_is_lost(journal: Journal, field: str) -> None:
    Run.objects.filter(pk=journal.stories[0].run["id"]).update(**{field: 9})
    assert len(compared_database(journal).lost) == 1


def test_a_guest_an_attempt_and_a_checkpoint_may_be_lost(journal: Journal) -> None:
    journal.stories[0].name = "somebody else"
    Attempt.objects.filter(pk=journal.stories[3].attempt["id"]).update(checkpoint_text="")
    sentences = compared_database(journal).lost
    assert [sentence.split()[0] for sentence in sentences] == ["guest", "attempt", "attempt", "run"]


def test_a_run_that_nobody_was_told_of_is_doubled(journal: Journal) -> None:
    del journal.stories[2]
    sentences = compared_database(journal).doubled
    assert [sentence.split()[0] for sentence in sentences] == ["Attempt", "Run"]


def test_a_standing_that_counted_a_run_twice_is_doubled(journal: Journal) -> None:
    Standing.objects.filter(board="all-time").update(days=2)
    assert len(compared_database(journal).doubled) == 3


def test_a_board_with_a_wrong_sum_is_wrong(journal: Journal) -> None:
    Standing.objects.filter(board="2026-11").update(elapsed_ms=5)
    index.clear("2026-11")
    assert {sentence.split(":")[0] for sentence in compared(journal).wrong} == {"board 2026-11"}


def test_a_tally_that_counted_twice_is_wrong(journal: Journal) -> None:
    Tally.objects.filter(board=day_board(DAY)).update(runs=4)
    sentences = compared(journal).wrong
    assert {sentence.split(":")[0] for sentence in sentences} == {"board 2026-11-30", "challenge 2026-11-30"}


@pytest.mark.redis
def test_an_index_that_misses_somebody_is_not_whole(journal: Journal) -> None:
    days = agreement.days_of(journal)
    for board in ("2026-11-30", "2026-W49", "2026-11", "all-time"):
        index.clear(board)
    assert not agreement.is_index_whole(days)
    assert len(agreement.different_boards(days)) == 4


def test_an_answer_with_another_status_is_a_contradiction() -> None:
    with pytest.raises(Contradiction, match="500"):
        expect(Answer(500, HTTPMessage(), b"{}", 0), 200, 201)
