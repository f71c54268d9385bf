"""Values in paths, read strictly: what is not one is not an address. To import this is to register them."""

from datetime import date

from django.urls import register_converter

from leaderboard.periods import Period, parse_month, parse_week


class DayConverter:
    """A challenge's day: ``2026-11-30``, or ``today``, which is None since the server's clock knows it."""

    regex = r"today|20[0-9]{2}-[0-9]{2}-[0-9]{2}"

    def to_python(self, value: str) -> date | None:
        """The day. A ``ValueError``, for days that do not exist, means the address does not match."""
        return None if value == "today" else date.fromisoformat(value)

    def to_url(self, value: date | None) -> str:
        """The day as it stands in a path."""
        return "today" if value is None else value.isoformat()


class WeekConverter:
    """An ISO week: ``2026-W49``, or ``current``, which is None."""

    regex = r"current|20[0-9]{2}-W[0-9]{2}"

    def to_python(self, value: str) -> Period | None:
        """The week. Raises ``ValueError``."""
        return None if value == "current" else parse_week(value)

    def to_url(self, value: Period | None) -> str:
        """The week as it stands in a path."""
        return str(value or "current")


class MonthConverter:
    """A month: ``2026-11``, or ``current``, which is None."""

    regex = r"current|20[0-9]{2}-[0-9]{2}"

    def to_python(self, value: str) -> Period | None:
        """The month. Raises ``ValueError``."""
        return None if value == "current" else parse_month(value)

    def to_url(self, value: Period | None) -> str:
        """The month as it stands in a path."""
        return str(value or "current")


register_converter(DayConverter, "day")
register_converter(WeekConverter, "week")
register_converter(MonthConverter, "month")
