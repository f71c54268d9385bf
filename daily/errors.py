"""What the day refuses, each with its status and code. Extra members of the answer are in ``extra``."""

from typing import Any

from rest_framework.exceptions import APIException, Throttled

from games.pyramid import IllegalMove


class NotOpen(APIException):
    """The challenge has not opened yet, or takes no more starts."""

    status_code = 409
    default_code = "not_open"
    default_detail = "This challenge is not open: attempts start on its own UTC day only."


class AlreadySubmitted(APIException):
    """The attempt has its run, and this log is another one."""

    status_code = 409
    default_code = "already_submitted"
    default_detail = "This attempt was submitted before, with another log. The first one counts."


class DeadlinePassed(APIException):
    """The submission arrived after the attempt's deadline."""

    status_code = 409
    default_code = "deadline_passed"
    default_detail = "The attempt's deadline has passed."


class TooSoon(Throttled):
    """The last checkpoint is only seconds old."""

    default_code = "too_soon"
    default_detail = "The last checkpoint is only seconds old."


class IllegalLog(APIException):
    """The engine refused a move of the log. Nothing was stored and the attempt stays open."""

    status_code = 422
    default_code = "illegal_move"

    def __init__(self, refusal: IllegalMove) -> None:
        super().__init__(str(refusal))
        self.extra: dict[str, Any] = {
            "move_index": refusal.index,
            "move": refusal.move,
            "reason": refusal.code,
        }
