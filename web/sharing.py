"""A result in words that tell nothing of the deal, to be passed on."""

from daily.models import MAX_CLEARED, Run
from leaderboard.scoring import Place
from web.templatetags.pyramid import duration

ROWS = 7
"""Squares of the bar, one for four cards, as many as a pyramid has rows."""


def share_text(run: Run, place: Place | None, address: str) -> str:
    """A result as people post it: what was reached, a bar of it, and where to look."""
    rank = f" · rank {place.rank} of {place.field_size}" if place and run.counts else ""
    result = (
        f"Pyramid Daily {run.challenge_id} ▲ {run.cleared}/{MAX_CLEARED} in {whole_seconds(run.elapsed_ms)}"
    )
    return f"{result}{rank}\n{bar(run.cleared)}\n{address}"


def bar(cleared: int) -> str:
    """How far the pyramid was cleared, as squares; only a full clear fills the last one."""
    full = cleared * ROWS // MAX_CLEARED
    return "🟩" * full + "⬜" * (ROWS - full)


def whole_seconds(elapsed_ms: int) -> str:
    """A duration without its tenths, ``2:05``."""
    return duration(elapsed_ms).rpartition(".")[0]
