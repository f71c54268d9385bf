"""Deals small enough to look into every position, and a plain search on the real board that does."""

from random import Random

from games.cards import FULL_DECK, Card
from games.pyramid import Board, Deal, Rules


def knotted_deal(rng: Random) -> Deal:
    """A deal in which little goes: but for a few swaps its low cards cover the only partners they have."""
    kings = _of_value(13)
    covered = kings[:3] + _of_value(10) + _of_value(11) + _of_value(12)
    covering = kings[3:] + _of_value(1) + _of_value(2) + _of_value(3)
    deck = covered + covering + [card for value in range(4, 10) for card in _of_value(value)]
    for _ in range(rng.randrange(8, 13)):
        one, other = rng.randrange(52), rng.randrange(52)
        deck[one], deck[other] = deck[other], deck[one]
    return Deal(tuple(deck))


def _of_value(value: int) -> list[Card]:
    return [card for card in FULL_DECK if card.value == value]


def any_flags(rng: Random) -> Rules:
    return Rules(
        slug="any",
        passes=rng.choice([None, 1, 1, 2, 3]),
        first_waste=rng.random() < 0.5,
        stock_top_in_play=rng.random() < 0.5,
        cover_pairs=rng.random() < 0.5,
        win=rng.choice(["pyramid", "all"]),
    )


def explore(deal: Deal, rules: Rules) -> tuple[int, bool]:
    """The most cards any play clears and whether any play wins, from every position that can be reached."""
    board = Board(deal, rules)
    seen = {_position(board)}
    waiting = [board]
    cleared, is_won = 0, False
    while waiting:
        board = waiting.pop()
        cleared, is_won = max(cleared, board.cleared), is_won or board.is_won
        for move in board.legal_moves:
            following = board.copy()
            following.push(move)
            if _position(following) not in seen:
                seen.add(_position(following))
                waiting.append(following)
    return cleared, is_won


def _position(board: Board) -> tuple[object, ...]:
    pass_number = 0 if board.rules.passes is None else board.pass_number
    return board.pyramid, board.stock, board.waste, pass_number
