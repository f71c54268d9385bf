"""A second engine that is as plain as the rules are told: lists of cards, copied before every move.

It shares nothing with the real one but the flags of `Rules`, and is what that one is held against.
"""

from copy import deepcopy

from games.pyramid import Rules

VALUES = {rank: value for value, rank in enumerate("A23456789TJQK", start=1)}
CARDS = [rank + suit for suit in "CDHS" for rank in VALUES]


class LiteralBoard:
    def __init__(self, deck: str, rules: Rules) -> None:
        cards = deck.split()
        self.rules = rules
        self.rows: list[list[str | None]] = []
        for length in range(1, 8):
            self.rows.append([cards.pop(0) for _ in range(length)])
        self.stock = cards
        self.waste = [self.stock.pop(0)] if rules.first_waste else []
        self.pass_number = 1
        self.points = 0
        self.moves = 0
        self.before: list[dict[str, object]] = []

    def play(self, move: object) -> str | None:
        """Make the move, or say the code of what forbids it."""
        code = self.refusal(move)
        if code is None:
            self.make(str(move))
        return code

    def refusal(self, move: object) -> str | None:
        if not self.is_move(move):
            return "malformed"
        assert isinstance(move, str)
        if self.is_won():
            return "game_over"
        if move == "U":
            return None if self.before else "nothing_to_undo"
        if move == "D":
            return None if self.stock else "stock_empty"
        if move == "R":
            return self.redeal_refusal()
        return self.removal_refusal([move[:2], move[2:]] if len(move) == 4 else [move])

    def is_move(self, move: object) -> bool:
        if not isinstance(move, str):
            return False
        one, other = move[:2], move[2:]
        return move in ("D", "R", "U") or (
            one in CARDS and (other == "" or (other in CARDS and other != one))
        )

    def redeal_refusal(self) -> str | None:
        if self.stock:
            return "stock_not_empty"
        if not self.waste:
            return "nothing_to_redeal"
        if self.rules.passes is not None and self.pass_number >= self.rules.passes:
            return "no_passes_left"
        return None

    def removal_refusal(self, cards: list[str]) -> str | None:
        for card in cards:
            if card in self.waste:
                if card != self.waste[-1]:
                    return "buried"
            elif card in self.stock:
                if not (self.rules.stock_top_in_play and card == self.stock[0]):
                    return "in_stock"
            elif not any(card in row for row in self.rows):
                return "gone"
        for card in cards:
            covers = self.covers(card)
            if covers and not (self.rules.cover_pairs and self.is_cover_pair(cards, covers)):
                return "covered"
        return None if self.total(cards) == 13 else "not_thirteen"

    def is_cover_pair(self, cards: list[str], covers: list[str]) -> bool:
        return (
            len(covers) == 1 and covers[0] in cards and not self.covers(covers[0]) and self.total(cards) == 13
        )

    def covers(self, card: str) -> list[str]:
        for row, cards in enumerate(self.rows[:6]):
            if card in cards:
                column = cards.index(card)
                return [below for below in self.rows[row + 1][column : column + 2] if below]
        return []

    def total(self, cards: list[str]) -> int:
        return sum(VALUES[card[0]] for card in cards)

    def make(self, move: str) -> None:
        if move == "U":
            self.undo()
            return
        self.remember()
        self.moves += 1
        if move == "D":
            self.waste.append(self.stock.pop(0))
        elif move == "R":
            self.stock, self.waste = self.waste, []
            self.pass_number += 1
        else:
            self.remove([move[:2], move[2:]] if len(move) == 4 else [move])

    def remove(self, cards: list[str]) -> None:
        self.points += self.rules.points_per_pair if len(cards) == 2 else self.rules.points_per_king
        for card in cards:
            if card in self.stock:
                self.stock.remove(card)
            elif card in self.waste:
                self.waste.remove(card)
            else:
                self.points += self.rules.points_per_pyramid_card
                self.rows = [[None if place == card else place for place in row] for row in self.rows]

    def remember(self) -> None:
        state = {name: value for name, value in vars(self).items() if name not in ("before", "rules")}
        self.before.append(deepcopy(state))
        if self.rules.undo_limit is not None:
            self.before = self.before[max(0, len(self.before) - self.rules.undo_limit) :]

    def undo(self) -> None:
        moves = self.moves
        vars(self).update(self.before.pop())
        if not self.rules.undo_gives_move_back:
            self.moves = moves

    def pyramid(self) -> list[str | None]:
        return [card for row in self.rows for card in row]

    def is_won(self) -> bool:
        is_pyramid_empty = not any(self.pyramid())
        if self.rules.win == "all":
            return is_pyramid_empty and not self.stock and not self.waste
        return is_pyramid_empty
