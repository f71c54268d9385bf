"""What can be refused. Each error carries the bad input and a code that programs can read."""

from __future__ import annotations


class BadDeal(ValueError):
    """No deal can be read from this input.

    `code` is one of malformed_code, bad_check_symbol, bad_number, malformed_deck, wrong_card_count and
    duplicate_card; `text` is the input as it was given, text or not; `reason` is a sentence.
    """

    def __init__(self, code: str, text: object, reason: str) -> None:
        super().__init__(code, text, reason)
        self.code = code
        self.text = text
        self.reason = reason

    def __str__(self) -> str:
        return self.reason


class UnknownRules(ValueError):
    """No rule set has this slug, which is kept as `slug`."""

    code = "unknown_rules"

    def __init__(self, slug: object) -> None:
        super().__init__(slug)
        self.slug = slug

    def __str__(self) -> str:
        return f"There is no rule set {excerpt(self.slug)}."


class MalformedMove(ValueError):
    """The input, kept as `text`, is not written like a move."""

    code = "malformed"
    reason = "not a move; moves are D, R, U, one card such as KD, or two cards such as TC3S."

    def __init__(self, text: object) -> None:
        super().__init__(text)
        self.text = text

    def __str__(self) -> str:
        return f"{excerpt(self.text)}: {self.reason}"


class IllegalMove(ValueError):
    """The rules refuse this move here; the board is as it was before it.

    `code` says why and `reason` says it in words, `move` is the move as it was given, `index` its place in
    the log from 0 (None when the move was played on a board by itself).
    """

    def __init__(self, code: str, move: object, reason: str, index: int | None = None) -> None:
        super().__init__(code, move, reason, index)
        self.code = code
        self.move = move
        self.reason = reason
        self.index = index

    def __str__(self) -> str:
        place = "" if self.index is None else f"Move {self.index}, "
        return f"{place}{excerpt(self.move)}: {self.reason}"

    def at(self, index: int) -> IllegalMove:
        """The same refusal, told with the move's place in its log."""
        return IllegalMove(self.code, self.move, self.reason, index)


def excerpt(value: object) -> str:
    """The value in a few characters that are safe to print, however hostile it is."""
    is_plain = isinstance(value, str) and value.isascii() and value.isalnum()
    text = str(value) if is_plain else _written(value)
    return text if len(text) <= 40 else text[:39] + "…"


def _written(value: object) -> str:
    try:
        return repr(value)
    except (ValueError, RecursionError):
        # An integer of thousands of digits, or nesting too deep to write.
        return f"<{type(value).__name__}>"
