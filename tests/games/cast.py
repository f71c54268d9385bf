"""A deal that plays itself, and random play on random deals."""

from random import Random

from hypothesis import strategies as st

from games.cards import FULL_DECK
from games.pyramid import RULES, Board, Deal, Move, Outcome, Rules

EASY = Deal.from_deck(
    "KC"
    " AC QC"
    " 2C JC KD"
    " 3C TC 4C 9C"
    " 5C 8C 6C 7C KH"
    " AD QD 2D JD 3D TD"
    " 4D 9D 5D 8D 6D 7D KS"
    " AH QH 2H JH 3H TH 4H 9H 5H 8H 6H 7H"
    " AS QS 2S JS 3S TS 4S 9S 5S 8S 6S 7S"
)
"""Every row of the pyramid goes in pairs and kings of its own, and so do the 24 cards of the stock."""

EASY_PYRAMID = [
    "4D9D", "5D8D", "6D7D", "KS",
    "ADQD", "2DJD", "3DTD",
    "5C8C", "6C7C", "KH",
    "3CTC", "4C9C",
    "2CJC", "KD",
    "ACQC",
    "KC",
]  # fmt: skip
"""The log that clears the pyramid of EASY, row by row."""

EASY_STOCK = [
    move
    for low, high in zip(EASY.stock[::2], EASY.stock[1::2], strict=True)
    for move in ("D", f"{low}{high}")
]
"""The moves that clear the stock of EASY where its top is in play: draw one card, take it with the next."""

ALL_MOVES = [Move.parse(letter) for letter in "DRU"] + [
    Move.removal(*cards)
    for cards in [(card,) for card in FULL_DECK] + [(a, b) for a in FULL_DECK for b in FULL_DECK if a != b]
]
"""Every move that can be written."""

deals = st.integers(min_value=1, max_value=2**53 - 1).map(Deal.from_number)

any_rules = st.sampled_from(list(RULES.values())) | st.builds(
    Rules,
    slug=st.just("any"),
    passes=st.none() | st.integers(1, 3),
    first_waste=st.booleans(),
    stock_top_in_play=st.booleans(),
    cover_pairs=st.booleans(),
    win=st.sampled_from(["pyramid", "all"]),
    undo_limit=st.none() | st.integers(0, 4),
    undo_gives_move_back=st.booleans(),
    points_per_pyramid_card=st.integers(0, 3),
    points_per_pair=st.integers(0, 3),
    points_per_king=st.integers(0, 3),
)
"""The seven rule sets and any mixture of their flags."""

seeds = st.integers(0, 2**32)


def wander(board: Board, seed: int, length: int) -> list[str]:
    """Play up to so many random legal moves, removals first and now and then an undo; returns the log."""
    rng = Random(seed)
    log: list[str] = []
    while len(log) < length and (move := _choose(board, rng)):
        board.play(move)
        log.append(str(move))
    return log


def _choose(board: Board, rng: Random) -> Move | None:
    undo = Move.parse("U")
    if not board.refusal(undo) and rng.random() < 0.1:
        return undo
    moves = board.legal_moves
    removals = [move for move in moves if move.is_removal]
    return rng.choice(removals if removals and rng.random() < 0.7 else moves) if moves else None


def facts(board: Board) -> tuple[object, ...]:
    """All that can be seen of a board."""
    return board.pyramid, board.stock, board.waste, Outcome.of(board)
