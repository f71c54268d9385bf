"""The board: a deal being played. `play` checks a move against the rules; `push` and `pop` trust."""

from __future__ import annotations

from itertools import combinations

from games.cards import Card
from games.pyramid.deal import Deal
from games.pyramid.errors import IllegalMove, MalformedMove
from games.pyramid.layout import ALL, COVERS, DECK_SIZE, PYRAMID, PYRAMID_SIZE, places
from games.pyramid.moves import DRAW, REDEAL, Move
from games.pyramid.refusals import explain
from games.pyramid.rules import Rules

_BEFORE = tuple((1 << place) - 1 for place in range(DECK_SIZE + 1))
"""For each place the mask of the places before it."""

_NOWHERE = -1


type _State = tuple[int, int, int, int]
"""What is left (a mask), how far the stock is drawn (a place), the pass, the points.

Stock and waste never change their order: what is left before the place drawn to is the waste, bottom first,
and what is left from it on is the stock, next card first.
"""


class Board:
    """A deal under a rule set, between the first move and the last.

    It is made for searching: a state is four small integers, and history is a list of states.
    """

    __slots__ = ("_floor", "_goal", "_history", "_place_of", "_state", "_undone", "deal", "rules")

    def __init__(self, deal: Deal, rules: Rules) -> None:
        self.deal = deal
        self.rules = rules
        self._place_of = {card.number: place for place, card in enumerate(deal.cards)}
        self._goal = ALL if rules.win == "all" else PYRAMID
        self._state: _State = (ALL, PYRAMID_SIZE + rules.first_waste, 1, 0)
        self._history: list[_State] = []
        self._floor = 0
        self._undone = 0

    def play(self, move: Move | str) -> Move:
        """Make this move, an undo included, if the rules allow it; returns it parsed.

        Raises IllegalMove, which tells why, and leaves the board as it was.
        """
        try:
            parsed = move if isinstance(move, Move) else Move.parse(move)
        except MalformedMove as error:
            raise IllegalMove(error.code, move, error.reason) from None
        code = self.refusal(parsed)
        if code:
            raise IllegalMove(code, parsed.text, explain(self, parsed, code))
        self.push(parsed)
        return parsed

    def refusal(self, move: Move) -> str | None:
        """The code of what forbids this move, None for a legal one.

        Where several things do, it is the first of: game_over; nothing_to_undo; stock_empty; stock_not_empty,
        nothing_to_redeal, no_passes_left; card by card as named gone, buried, in_stock; covered; and
        not_thirteen.
        """
        left, drawn, _, _ = self._state
        if not left & self._goal:
            return "game_over"
        if move.cards:
            return self._removal_refusal(move)
        if move.text == "D":
            return None if left >> drawn else "stock_empty"
        if move.text == "R":
            return self._redeal_refusal()
        return None if len(self._history) > self._undo_floor() else "nothing_to_undo"

    def _removal_refusal(self, move: Move) -> str | None:
        left, drawn, _, _ = self._state
        named = [self._place_of[card.number] for card in move.cards]
        waste_top, stock_top = self._tops()
        for place in named:
            if not left >> place & 1:
                return "gone"
            if place >= PYRAMID_SIZE and place != waste_top and place != stock_top:
                return "buried" if place < drawn else "in_stock"
        if self.rules.cover_pairs and move.total == 13:
            # Partners leave together, so neither covers the other.
            left &= ~sum(1 << place for place in named)
        for place in named:
            if COVERS[place] & left:
                return "covered"
        return None if move.total == 13 else "not_thirteen"

    def _tops(self) -> tuple[int, int]:
        """The places of the top of the waste and of the next stock card, as far as they are in play."""
        left, drawn, _, _ = self._state
        waste_top = (left & _BEFORE[drawn] & ~PYRAMID).bit_length() - 1  # which is nowhere when there is none
        has_stock_top = self.rules.stock_top_in_play and left >> drawn
        return waste_top, _lowest(left, drawn) if has_stock_top else _NOWHERE

    def _redeal_refusal(self) -> str | None:
        left, drawn, pass_number, _ = self._state
        if left >> drawn:
            return "stock_not_empty"
        if not left >> PYRAMID_SIZE:
            return "nothing_to_redeal"
        return "no_passes_left" if pass_number == self.rules.passes else None

    def _undo_floor(self) -> int:
        """The length of history below which undo may not reach."""
        limit = self.rules.undo_limit
        return 0 if limit is None else max(self._floor, len(self._history) - limit)

    def push(self, move: Move) -> None:
        """Make a move that is known to be legal; any other leaves a board that means nothing."""
        if move.text == "U":
            self._undo()
        else:
            self._history.append(self._state)
            self._state = self._after(move)

    def _after(self, move: Move) -> _State:
        left, drawn, pass_number, points = self._state
        if move.text == "D":
            return left, _lowest(left, drawn) + 1, pass_number, points
        if move.text == "R":
            return left, PYRAMID_SIZE, pass_number + 1, points
        return self._without(move)

    def _without(self, move: Move) -> _State:
        left, drawn, pass_number, points = self._state
        rules = self.rules
        points += rules.points_per_pair if len(move.cards) == 2 else rules.points_per_king
        for card in move.cards:
            place = self._place_of[card.number]
            left ^= 1 << place
            if place < PYRAMID_SIZE:
                points += rules.points_per_pyramid_card
        return left, drawn, pass_number, points

    def _undo(self) -> None:
        self._floor = self._undo_floor()
        self._undone += not self.rules.undo_gives_move_back
        self.pop()

    def pop(self) -> None:
        """Take back the last draw, redeal or removal as if it had never been, whatever the rules say of undo.

        Raises IndexError when there is none.
        """
        self._state = self._history.pop()

    def copy(self) -> Board:
        """An independent board in the same state, with the same history to undo."""
        twin = Board(self.deal, self.rules)
        twin._state = self._state
        twin._history = self._history.copy()
        twin._floor = self._floor
        twin._undone = self._undone
        return twin

    @property
    def legal_moves(self) -> list[Move]:
        """Every legal removal, draw and redeal: removals in dealing order, a pair named once and in it."""
        if self.is_won:
            return []
        moves = [Move.removal(*(self.deal.cards[place] for place in removal)) for removal in self._removals()]
        return moves + [move for move in (DRAW, REDEAL) if not self.refusal(move)]

    def _removals(self) -> list[tuple[int, ...]]:
        exposed = self._exposed_places()
        in_play = exposed + [place for place in self._tops() if place != _NOWHERE]
        kings = [(place,) for place in in_play if self.deal.cards[place].value == 13]
        pairs = list(combinations(in_play, 2))
        if self.rules.cover_pairs:
            pairs += self._last_covers(exposed)
        return sorted(kings + [pair for pair in pairs if self._adds_to_13(pair)])

    def _last_covers(self, exposed: list[int]) -> list[tuple[int, int]]:
        """Each covered card with the exposed card that is all that covers it."""
        left = self._state[0]
        covered = [place for place in places(left) if COVERS[place] & left]
        return [(place, last) for place in covered for last in exposed if COVERS[place] & left == 1 << last]

    def _adds_to_13(self, pair: tuple[int, int]) -> bool:
        first, second = pair
        return self.deal.cards[first].value + self.deal.cards[second].value == 13

    @property
    def is_won(self) -> bool:
        """All is gone that the rules want gone; nothing may follow, undo included."""
        return not self._state[0] & self._goal

    @property
    def is_stuck(self) -> bool:
        """The run is not won and no removal, draw or redeal is legal, though undo may be."""
        if self.is_won or not self.refusal(DRAW) or not self.refusal(REDEAL):
            return False
        return not self._removals()

    @property
    def cleared(self) -> int:
        """How many cards of the pyramid are gone, 0 to 28."""
        return PYRAMID_SIZE - (self._state[0] & PYRAMID).bit_count()

    @property
    def moves(self) -> int:
        """Removals, draws and redeals made; those undone count where the rules do not give the move back."""
        return len(self._history) + self._undone

    @property
    def pass_number(self) -> int:
        """The trip through the stock that is under way, from 1."""
        return self._state[2]

    @property
    def points(self) -> int:
        """The points earned by removals, without the bonus for time."""
        return self._state[3]

    @property
    def pyramid(self) -> tuple[Card | None, ...]:
        """The 28 places of the pyramid, row by row from the apex, None where the card is gone."""
        left = self._state[0]
        return tuple(card if left >> place & 1 else None for place, card in enumerate(self.deal.pyramid))

    @property
    def exposed(self) -> tuple[Card, ...]:
        """The cards of the pyramid that nothing covers, in dealing order."""
        return self._cards(self._exposed_places())

    @property
    def stock(self) -> tuple[Card, ...]:
        """The cards of the stock, next one first."""
        left, drawn, _, _ = self._state
        return self._cards(places(left & ~_BEFORE[drawn]))

    @property
    def waste(self) -> tuple[Card, ...]:
        """The cards of the waste, the one in play last."""
        left, drawn, _, _ = self._state
        return self._cards(places(left & _BEFORE[drawn] & ~PYRAMID))

    def covers(self, card: Card) -> tuple[Card, ...]:
        """The cards that still cover this one: none for an exposed card and outside the pyramid."""
        return self._cards(places(COVERS[self._place_of[card.number]] & self._state[0]))

    def _exposed_places(self) -> list[int]:
        left = self._state[0]
        return [place for place in places(left & PYRAMID) if not COVERS[place] & left]

    def _cards(self, among: list[int]) -> tuple[Card, ...]:
        return tuple(self.deal.cards[place] for place in among)

    def __repr__(self) -> str:
        # Without the deal: a board in a traceback or a log must not tell a deal that is still secret.
        return f"<Board under {self.rules}: {self.cleared} cleared in {self.moves} moves>"


def _lowest(left: int, start: int) -> int:
    ahead = left >> start
    return start + (ahead & -ahead).bit_length() - 1
