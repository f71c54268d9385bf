"""Processes as ``/proc`` tells of them: their descendants, and what they have used of the processor."""

import os
from pathlib import Path

TICKS_PER_S = os.sysconf("SC_CLK_TCK")
PARENT, TIMES = 1, slice(11, 15)
"""Where a line of ``/proc/PID/stat`` has them, after the name."""


def used_s(pid: int) -> float:
    """Seconds of CPU that a process, its descendants and those of them that have ended have used."""
    return sum(sum(map(int, _stat(one)[TIMES])) for one in family_of(pid)) / TICKS_PER_S


def family_of(pid: int) -> list[int]:
    """The process and its descendants, itself first."""
    children: dict[int, list[int]] = {}
    for place in Path("/proc").glob("[0-9]*"):
        if stat := _stat(int(place.name)):
            children.setdefault(int(stat[PARENT]), []).append(int(place.name))
    family = [pid]
    for one in family:
        family += children.get(one, [])
    return family


def _stat(pid: int) -> list[str]:
    """The fields after the name, which may hold anything; empty for one that is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []
