"""What the rules allow and what they refuse, shown in positions of real deals.

An example only claims; the engine plays it to tell what happens, and the tests hold each claim to that.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from django.utils.safestring import SafeString

from games.pyramid import Board, Deal, IllegalMove, Move, Rules
from web.drawing import card_name, draw_table, with_signs

type Claim = Literal["allowed", "won", "stuck", "open"] | str
"""Of a move that it is allowed, or the code of its refusal. Of a position without one: won, stuck, open."""


@dataclass(frozen=True)
class Example:
    """A position, reached by a log from a numbered deal, and what is said of a move in it."""

    heading: str
    words: str
    rules: str
    number: int
    log: str = ""
    move: str = ""
    claim: Claim = "allowed"

    @cached_property
    def board(self) -> Board:
        """The position before the move."""
        board = Board(Deal.from_number(self.number), Rules.named(self.rules))
        for move in self.log.split():
            board.play(move)
        return board

    @property
    def is_allowed(self) -> bool:
        """Whether the move is said to be allowed."""
        return self.claim == "allowed"

    @property
    def verdict(self) -> str:
        """What the engine makes of it, in a sentence."""
        if not self.move:
            return _state(self.board)
        board = self.board.copy()
        try:
            move = board.play(self.move)
        except IllegalMove as refused:
            return _sentence(with_signs(refused.reason))
        return _told(move, self.board, board)

    @property
    def picture(self) -> SafeString:
        """The position, the cards of the move ringed."""
        return draw_table(self.board, Move.parse(self.move).cards if self.move else ())


def _sentence(reason: str) -> str:
    return reason[0].upper() + reason[1:]


def _told(move: Move, before: Board, after: Board) -> str:
    points = after.points - before.points
    gained = f" {points} points." if points else ""
    return f"{_action(move, after)}{gained}"


def _action(move: Move, after: Board) -> str:
    match move.text, move.cards:
        case "D", _:
            return f"{card_name(after.waste[-1])} goes on the waste."
        case "R", _:
            return f"The waste is turned over: {len(after.stock)} cards for pass {after.pass_number}."
        case "U", _:
            return "The last action is taken back."
        case _, (king,):
            return f"{card_name(king)} counts 13 and goes alone."
        case _, (first, second):
            sum_told = f"{first.value} + {second.value} = 13"
            return f"{card_name(first)} and {card_name(second)} go together: {sum_told}."
    raise AssertionError(move)


def _state(board: Board) -> str:
    if board.is_won:
        return "Won: nothing may follow."
    if board.is_stuck:
        return f"Stuck with {board.cleared} of 28 cleared: no removal, draw or redeal is left."
    return f"{board.cleared} of 28 cleared, and the run goes on."


def _draws(count: int) -> str:
    return " ".join(["D"] * count)


def _passes(count: int, stock: int = 24) -> str:
    """Go through the whole stock so often, turning the waste over in between."""
    return " R ".join([_draws(stock)] * count)


BASICS = (
    Example(
        "Two exposed cards that make 13",
        "An ace counts 1, a jack 11, a queen 12, the others what they show.",
        "endless",
        5,
        move="7S6C",
    ),
    Example("A king alone", "A king counts 13 all by itself.", "endless", 5, move="KC"),
    Example(
        "A covered card stays",
        "Each card of the pyramid is covered by the two below it, and is exposed when both are gone.",
        "endless",
        5,
        move="QDAH",
        claim="covered",
    ),
    Example(
        "The top of the waste plays too",
        "It goes with an exposed card of the pyramid, or alone if it is a king.",
        "endless",
        5,
        "D",
        "AHQH",
    ),
    Example(
        "What lies under it does not",
        "Only the top card of the waste is in play, so two waste cards never pair.",
        "endless",
        5,
        "D D",
        "QHAH",
        "buried",
    ),
)
"""What holds in every rule set."""

WON_IN_44 = (
    "6H7S D 7C6S TC3C KC D D KH D D D AHQS JS2S TD3D TH3S 9H4H 9C4C QCAD KS D 8S5D D D 3HTS D D 2DJH D D JD2H"
    " D KD D D 8H5S D D 7D6D D D ASQH 2CJC D 8C5H"
)
STUCK_IN_39 = (
    "6C7S ADQC TC3D D 5C8H 2SJS 6S7C KD 4H9S D D 5H8C D D D QHAC D KS D D 4C9D D D D KH D D D D D D D D D D"
    " 2DJD 5S8D D D"
)
CLEARED_IN_44 = (
    "D TD3H D 9H4C D D D D D D QCAS D 3CTH D 5S8H D D 8C5H D D 4D9S 7H6D QSAD ACQD 7C6C D 4S9D JS2S 9C4H D D"
    " D 3DTC D QHAH D 6H7S 2HJC KD 2CJD 8D5D KH 7D6S 3STS"
)
UNDONE_100 = " ".join([_draws(23), "R", _passes(4), *["U"] * 100])

SPECIAL: dict[str, tuple[Example, ...]] = {
    "endless": (
        Example(
            "Round and round",
            "When the stock is empty the waste is turned over, in the same order, as often as you like.",
            "endless",
            1,
            _passes(5),
            "R",
        ),
        Example(
            "Not before the stock is empty",
            "Draw the last card first.",
            "endless",
            1,
            _draws(20),
            "R",
            "stock_not_empty",
        ),
        Example(
            "Won",
            "The pyramid is gone; what is left in stock and waste does not matter.",
            "endless",
            22,
            WON_IN_44,
            claim="won",
        ),
    ),
    "pyramide": (
        Example(
            "A card on the waste from the start",
            "The first card of the stock lies on the waste before you move, and is in play at once. A card of"
            " the pyramid earns 10 points, a waste card none.",
            "pyramide",
            5,
            move="AHQH",
        ),
        Example(
            "A pair from the pyramid earns twice as much",
            "10 points for each of its cards.",
            "pyramide",
            5,
            move="7S6C",
        ),
        Example(
            "The first redeal puts 24 cards back",
            "The card that lay on the waste at the start comes first from then on.",
            "pyramide",
            1,
            _draws(23),
            "R",
        ),
        Example(
            "Undo reaches back 100 actions",
            "And an undone action still counts as a move. Here 100 were taken back in a row.",
            "pyramide",
            1,
            UNDONE_100,
            "U",
            "nothing_to_undo",
        ),
    ),
    "three-pass": (
        Example(
            "Two redeals",
            "The first trip counts, so the waste is turned over twice.",
            "three-pass",
            1,
            _passes(2),
            "R",
        ),
        Example(
            "No third",
            "After the third trip the cards of the waste stay where they are, and only its top is in play.",
            "three-pass",
            1,
            _passes(3),
            "R",
            "no_passes_left",
        ),
    ),
    "cover-pairs": (
        Example(
            "A card goes with the last card that covers it",
            "One of the two that covered it is gone, and the other makes 13 with it: both go in one move.",
            "cover-pairs",
            13,
            "JS2C",
            "ASQC",
        ),
        Example(
            "Not with two covers left",
            "Both cards below are still there.",
            "cover-pairs",
            13,
            "JS2C",
            "4S9H",
            "covered",
        ),
        Example(
            "A king earns 5, a pair 10",
            "Wherever they come from. A win adds a point for each second left of 15 minutes.",
            "cover-pairs",
            2,
            move="KC",
        ),
        Example(
            "Two redeals",
            "Three trips through the stock, the first one included.",
            "cover-pairs",
            1,
            _passes(3),
            "R",
            "no_passes_left",
        ),
    ),
    "open-stock": (
        Example(
            "The next stock card is in play",
            "It lies face up, and may go with an exposed card without being drawn.",
            "open-stock",
            8,
            move="6S7H",
        ),
        Example(
            "Even with the waste",
            "The top of the stock and the top of the waste may go together.",
            "open-stock",
            8,
            "D",
            "7H6H",
        ),
        Example(
            "The one after it is not",
            "The other cards of the stock lie face down until it is their turn.",
            "open-stock",
            8,
            move="7S6H",
            claim="in_stock",
        ),
        Example(
            "Two redeals",
            "Three trips through the stock, the first one included.",
            "open-stock",
            1,
            _passes(3),
            "R",
            "no_passes_left",
        ),
    ),
    "one-pass": (
        Example(
            "No redeal",
            "You see each card of the stock once.",
            "one-pass",
            1,
            _draws(24),
            "R",
            "no_passes_left",
        ),
        Example(
            "Stuck",
            "With the stock empty the run ends where nothing pairs any more. You may still undo.",
            "one-pass",
            154,
            STUCK_IN_39,
            claim="stuck",
        ),
    ),
    "strict": (
        Example(
            "The next stock card is in play",
            "A king on the stock goes without being drawn.",
            "strict",
            30,
            move="KH",
        ),
        Example(
            "An empty pyramid is not enough",
            "All 52 cards have to go; the ranking still looks at the pyramid.",
            "strict",
            40,
            CLEARED_IN_44,
            claim="open",
        ),
        Example(
            "No redeal",
            "You see each card of the stock once.",
            "strict",
            1,
            _draws(24),
            "R",
            "no_passes_left",
        ),
    ),
}
"""What is special about each rule set, by its slug."""
