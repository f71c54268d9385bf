"""Memory of processes as ``/proc`` tells of it."""

from collections.abc import Iterable
from pathlib import Path

OWN = {"Pss_Anon:", "Pss_Shmem:", "SwapPss:"}
"""What is theirs, with a share of what they share; not the pages of programs and libraries, which are in the
memory once for whoever else on the machine runs the same."""
KB_A_MB = 1024


def own_mb(pids: Iterable[int]) -> float:
    """MB of memory that the processes have together; none for those that are gone."""
    return sum(map(_own_kb, pids)) / KB_A_MB


def _own_kb(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in lines if line.split()[0] in OWN)
