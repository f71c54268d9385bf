"""What can be refused. Each error carries the bad input and a code that programs can read."""

from __future__ import annotations


class BadDeal(ValueError):
    """No deal can be read from this input.

    `code` is one of malformed_code, bad_check_symbol, bad_number, malformed_deck, wrong_card_count and
    duplicate_card; `text` is the input as text, cut where it is long.
    """

    def __init__(self, code: str, text: object, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.text = excerpt(text)


class UnknownRules(ValueError):
    """No rule set has this slug, which is kept as `slug`."""

    code = "unknown_rules"

    def __init__(self, slug: object, known: str) -> None:
        super().__init__(f"There is no rule set {excerpt(slug)!r}. Known are: {known}.")
        self.slug = slug


class MalformedMove(ValueError):
    """The input, kept as `text`, is not written like a move."""

    code = "malformed"
    reason = "not a move; moves are D, R, U, one card such as KD, or two cards such as TC3S."

    def __init__(self, text: object) -> None:
        super().__init__(f"{excerpt(text)}: {self.reason}")
        self.text = text


class IllegalMove(ValueError):
    """The rules refuse this move here.

    `code` says why, `move` is the move as it was given, `index` its place in the log from 0 (None when the
    move was played on a board by itself). The board is as it was before the move.
    """

    def __init__(self, code: str, move: object, reason: str, index: int | None = None) -> None:
        place = "" if index is None else f"Move {index}, "
        super().__init__(f"{place}{excerpt(move)}: {reason}")
        self.code = code
        self.move = move
        self.reason = reason
        self.index = index

    def at(self, index: int) -> IllegalMove:
        """The same refusal, told with the move's place in its log."""
        return IllegalMove(self.code, self.move, self.reason, index)


def excerpt(value: object, length: int = 60) -> str:
    """The value as one short text, whatever it is: hostile input must not make the error itself fail."""
    try:
        text = value if isinstance(value, str) else repr(value)
    except (ValueError, RecursionError):
        # An integer of thousands of digits, or nesting too deep to write.
        text = f"<{type(value).__name__}>"
    return text if len(text) <= length else text[: length - 1] + "…"
