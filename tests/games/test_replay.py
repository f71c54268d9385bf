import json
import pickle
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from games.pyramid import RULES, Board, Deal, IllegalMove, Outcome, Rules, replay
from tests.games.cast import EASY, EASY_PYRAMID

VECTORS = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "data" / "replay.jsonl").read_text().splitlines()
]


def judged(deal: Deal, rules: Rules, log: list[str]) -> dict[str, Any]:
    """The verdict as the vectors write it."""
    try:
        return dict(replay(deal, rules, log).as_dict())
    except IllegalMove as refused:
        return {"error": {"index": refused.index, "move": refused.move, "code": refused.code}}


@pytest.mark.parametrize("number", range(len(VECTORS)))
def test_the_verdict_is_that_of_the_second_engine(number: int) -> None:
    vector = VECTORS[number]
    assert (
        judged(Deal.from_deck(vector["deck"]), Rules.named(vector["rules"]), vector["log"])
        == vector["expect"]
    )


def test_an_empty_log_is_legal_and_clears_nothing() -> None:
    assert replay(EASY, RULES["endless"], []) == Outcome(
        cleared=0, won=False, stuck=False, moves=0, points=0, pass_number=1, stock=24, waste=0
    )


def test_a_log_may_come_from_a_stream() -> None:
    assert replay(EASY, RULES["endless"], iter(EASY_PYRAMID)).won


def test_an_undone_removal_does_not_count_as_cleared() -> None:
    assert replay(EASY, RULES["endless"], ["KS", "4D9D", "U"]).cleared == 1


def test_a_refused_move_is_told_with_its_index_from_0() -> None:
    with pytest.raises(IllegalMove) as refused:
        replay(EASY, RULES["endless"], ["D", "D", "QD"])
    assert (refused.value.index, refused.value.move, refused.value.code) == (2, "QD", "covered")
    assert str(refused.value) == "Move 2, QD: QD is still covered by 9D and 5D."


@pytest.mark.parametrize(
    "move", [5, 10**5000, None, True, 1.5, [], ["D"], {"D": 1}, b"D", "d", "\ud800"], ids=count()
)
def test_what_is_no_text_of_a_move_is_malformed_and_kept_as_given(move: object) -> None:
    with pytest.raises(IllegalMove) as refused:
        replay(EASY, RULES["endless"], ["D", move])  # type: ignore[list-item]
    assert (refused.value.index, refused.value.code) == (1, "malformed")
    assert refused.value.move is move
    assert str(refused.value).isprintable()


def test_a_refusal_survives_a_pickle() -> None:
    with pytest.raises(IllegalMove) as refused:
        replay(EASY, RULES["endless"], ["QD"])
    copy = pickle.loads(pickle.dumps(refused.value))
    assert (copy.index, copy.move, copy.code, str(copy)) == (0, "QD", "covered", str(refused.value))


def eager_log(deal: Deal, removals: int) -> list[str]:
    """The log of a player who takes the first removal there is and else draws, up to so many removals."""
    board = Board(deal, RULES["endless"])
    log: list[str] = []
    while sum(len(move) > 1 for move in log) < removals:
        log.append(str(board.play(board.legal_moves[0])))
    return log


def verdicts_on_other_deals() -> list[tuple[list[str], dict[str, Any]]]:
    deals = [Deal.from_number(number) for number in range(1, 41)]
    logs = {deal: eager_log(deal, removals=3) for deal in deals}
    return [
        (logs[deal], judged(other, RULES["endless"], logs[deal]))
        for deal in deals
        for other in deals
        if other is not deal
    ]


def test_a_log_of_three_removals_replays_on_no_other_of_40_deals() -> None:
    assert all("error" in verdict for _, verdict in verdicts_on_other_deals())


def test_on_another_deal_a_log_mostly_fails_at_its_first_removal() -> None:
    first_removals = [
        verdict["error"]["index"] == next(index for index, move in enumerate(log) if len(move) > 1)
        for log, verdict in verdicts_on_other_deals()
    ]
    assert sum(first_removals) / len(first_removals) > 0.9
