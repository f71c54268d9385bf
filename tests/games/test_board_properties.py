"""What holds on every board, whatever the deal, the rules and the way that led there."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.cards import FULL_DECK
from games.pyramid import Board, Deal, IllegalMove, Move, Rules
from games.pyramid.moves import DRAW, REDEAL, UNDO
from tests.games.cast import ALL_MOVES, any_rules, deals, facts, seeds, wander
from tests.games.literal import LiteralBoard

lengths = st.integers(0, 120)


@st.composite
def boards(draw: st.DrawFn) -> Board:
    """A board after a random game of some length."""
    board = Board(draw(deals), draw(any_rules))
    wander(board, draw(seeds), draw(lengths))
    return board


def attempt(board: Board, rng: Random) -> Move | str:
    """A move that is probably legal, or any move, or no move at all."""
    legal = board.legal_moves
    if legal and rng.random() < 0.7:
        removals = [move for move in legal if move.is_removal]
        move = rng.choice(removals or legal)
        return Move.removal(*reversed(move.cards)) if move.is_removal and rng.random() < 0.5 else move
    others: list[Move | str] = [DRAW, DRAW, REDEAL, UNDO, UNDO, rng.choice(ALL_MOVES), "kd"]
    return rng.choice(others)


@given(deals, any_rules, seeds)
@settings(max_examples=150)
def test_the_board_agrees_with_an_engine_of_lists_move_by_move(deal: Deal, rules: Rules, seed: int) -> None:
    rng = Random(seed)
    board, literal = Board(deal, rules), LiteralBoard(deal.deck, rules)
    for _ in range(80):
        move = attempt(board, rng)
        try:
            board.play(move)
            code = None
        except IllegalMove as refused:
            code = refused.code
        assert code == literal.play(str(move))
        assert [card and str(card) for card in board.pyramid] == literal.pyramid()
        assert ([*map(str, board.stock)], [*map(str, board.waste)]) == (literal.stock, literal.waste)
        assert (board.points, board.moves, board.pass_number) == (
            literal.points,
            literal.moves,
            literal.pass_number,
        )
        assert board.is_won == literal.is_won()


@given(deals, any_rules, seeds)
@settings(max_examples=25)
def test_both_engines_refuse_every_move_for_the_same_reason(deal: Deal, rules: Rules, seed: int) -> None:
    board, literal = Board(deal, rules), LiteralBoard(deal.deck, rules)
    for text in wander(board, seed, Random(seed).randrange(100)):
        literal.play(text)
    for move in Random(seed).sample(ALL_MOVES, k=500) + board.legal_moves:
        assert board.refusal(move) == literal.refusal(str(move)), move


@given(boards())
def test_the_52_cards_are_always_in_exactly_one_place(board: Board) -> None:
    left = [card for card in (*board.pyramid, *board.stock, *board.waste) if card]
    gone = {card for card, place in zip(board.deal.pyramid, board.pyramid, strict=True) if place is None}
    removed_from_stock = set(board.deal.stock) - set(left)
    assert sorted([*left, *gone, *removed_from_stock]) == list(FULL_DECK)
    assert board.cleared == len(gone)


@given(boards(), seeds, lengths)
def test_any_actions_popped_again_restore_the_board(board: Board, seed: int, length: int) -> None:
    before = facts(board)
    rng = Random(seed)
    pushed = 0
    while pushed < length and (moves := board.legal_moves):
        board.push(rng.choice(moves))
        pushed += 1
    for _ in range(pushed):
        board.pop()
    assert facts(board) == before


@given(boards(), seeds, lengths)
def test_any_actions_undone_again_restore_the_board(board: Board, seed: int, length: int) -> None:
    moves, piles = board.moves, facts(board)[:3]
    points, pass_number = board.points, board.pass_number
    limit = board.rules.undo_limit
    length = length if limit is None else min(length, limit)
    rng = Random(seed)
    played = 0
    while played < length and (legal := board.legal_moves):
        board.play(rng.choice(legal))
        played += 1
    if board.is_won:
        return
    for _ in range(played):
        board.play("U")
    assert facts(board)[:3] == piles
    assert (board.points, board.pass_number) == (points, pass_number)
    assert board.moves == moves + (0 if board.rules.undo_gives_move_back else played)


@given(boards())
def test_legal_moves_are_those_of_all_moves_that_are_not_refused(board: Board) -> None:
    accepted = [move for move in ALL_MOVES if move != UNDO and not board.refusal(move)]
    assert {frozenset(move.cards) or move for move in board.legal_moves} == {
        frozenset(move.cards) or move for move in accepted
    }


@given(boards())
def test_legal_moves_name_each_pair_once_in_dealing_order_and_stand_in_it(board: Board) -> None:
    order = {card: place for place, card in enumerate(board.deal.cards)}
    removals = [tuple(order[card] for card in move.cards) for move in board.legal_moves if move.is_removal]
    assert removals == sorted({tuple(sorted(removal)) for removal in removals})
    assert [move for move in board.legal_moves if not move.is_removal] == board.legal_moves[len(removals) :]


@given(boards())
def test_stuck_means_not_won_and_no_legal_move(board: Board) -> None:
    is_anything_legal = any(not board.refusal(move) for move in ALL_MOVES if move != UNDO)
    assert board.is_stuck == (not board.is_won and not is_anything_legal)


@given(boards(), st.sampled_from(ALL_MOVES))
def test_a_refused_move_leaves_the_board_as_it_was(board: Board, move: Move) -> None:
    before, code = facts(board), board.refusal(move)
    if code is None:
        return
    with pytest.raises(IllegalMove) as refused:
        board.play(move)
    assert refused.value.code == code
    assert facts(board) == before


@given(boards(), seeds)
def test_a_copy_goes_its_own_way(board: Board, seed: int) -> None:
    before = facts(board)
    twin = board.copy()
    assert facts(twin) == before
    assert twin.refusal(UNDO) == board.refusal(UNDO)
    wander(twin, seed, 20)
    assert facts(board) == before
