"""The commands under ``bench/`` that hurt a whole deployment, with as little to do as can be."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
KILLS_DB_AND_WEB = "--seed=23"
TIMEOUT_S = 300
pytestmark = [pytest.mark.postgres, pytest.mark.redis]


def ran(*command: str) -> list[str]:
    """The lines that a command prints."""
    line = [sys.executable, "-m", *command]
    done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, timeout=TIMEOUT_S)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


def test_chaos_kills_and_finds_nothing_missing() -> None:
    lines = ran("bench.chaos", "--submits=30", "--kills=2", "--clients=4", KILLS_DB_AND_WEB)
    assert sorted(lines[0].removeprefix("killed: ").split(", ")) == ["1 db", "1 web"]
    assert lines[-1].startswith("30 acknowledged submits, 2 kills: 0 lost, 0 doubled, 0 of ")


def test_a_small_stampede_is_answered() -> None:
    lines = ran("bench.stampede", "--players=30", "--connections=8")
    assert lines[-1].startswith("30 started, 0 errors, ")


def test_a_short_soak_tells_the_memory_of_each_process() -> None:
    lines = ran("bench.soak", "--minutes=0.1", "--rate=10", "--growth=1000")
    assert [line[:10].strip() for line in lines[1:-1]] == [
        "db",
        "redis",
        "web",
        "worker",
        "beat",
        "redis data",
    ]
    assert lines[-1].startswith("60 calls, 10.0 a second, 0 errors, ")


@pytest.mark.parametrize("command", ["bench.faults", "bench.clock", "bench.hostile"])
def test_a_command_tells_what_it_does(command: str) -> None:
    assert f"python -m {command}" in "\n".join(ran(command, "--help"))
