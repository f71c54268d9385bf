"""The command line. Each command is a module of `commands` with an `add_to` that says how it is called.

Exit codes: 0 for done, 1 for a run that the rules refuse, 2 for input that cannot be understood, 74 when
reading or writing fails, 130 when interrupted, 141 when the reader of the output has gone.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from games.pyramid.commands import deal, explain, new, play, replay, rules, solve, verify

COMMANDS = (deal, replay, solve, explain, new, play, rules, verify)

IO_FAILED = 74
INTERRUPTED = 130
READER_GONE = 141


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command with these arguments, `sys.argv` when None, and return its exit code."""
    _open_closed_streams()
    _speak_utf8()
    try:
        args = _parser().parse_args(argv)
        exit_code: int = args.run(args)
        sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()
        return READER_GONE
    except OSError as error:
        _drop_output()
        print(f"python -m games.pyramid: error: {error}", file=sys.stderr)
        return IO_FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
    return exit_code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m games.pyramid", description="Pyramid solitaire.")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for command in COMMANDS:
        command.add_to(commands)
    return parser


def _open_closed_streams() -> None:
    """Python has None for a stream that the caller closed: let input be empty, and output go nowhere."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115


def _drop_output() -> None:
    """What is still buffered would fail once more when Python closes the stream."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _speak_utf8() -> None:
    """Read and write the same bytes in every locale, line by line, and never fail on a strange character."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", line_buffering=True)
