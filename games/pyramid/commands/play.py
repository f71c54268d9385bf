"""`play`: a game in the terminal."""

from __future__ import annotations

import argparse
from random import SystemRandom

from games.pyramid.board import Board
from games.pyramid.commands.arguments import Subparsers, add_rules_option, code_or_number, told
from games.pyramid.deal import Deal
from games.pyramid.drawing import draw_board
from games.pyramid.errors import IllegalMove

HELP = """\
Remove a king by its name (KD), two cards that make 13 by theirs (TC3S). Cards in brackets are in play.
D draws, R turns the waste over, U takes back, M lists the legal moves, Q ends the game."""


def add_to(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "play", help="play in the terminal", description="Play a deal in the terminal.", epilog=HELP
    )
    parser.add_argument(
        "deal",
        nargs="?",
        type=told(code_or_number),
        metavar="CODE|NUMBER",
        help="a random deal when not given",
    )
    add_rules_option(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    board = Board(args.deal or Deal.random(SystemRandom()), args.rules)
    print(f"Deal {board.deal}, {board.rules.title}. {board.rules.summary}\n{HELP}\n")
    log = _play(board)
    print(f"{_verdict(board)}\nDeal {board.deal}, rules {board.rules}, log: {' '.join(log)}")
    return 0


def _play(board: Board) -> list[str]:
    """Let the player move until the run is won or the player has had enough; returns the log."""
    log: list[str] = []
    print(draw_board(board))
    while not board.is_won and (command := _ask()) != "Q":
        if command == "M":
            print("Legal:", *board.legal_moves)
        elif command:
            _make(command, board, log)
    return log


def _ask() -> str:
    """What the player types, in the spelling of moves; Q at the end of the input."""
    try:
        return input("> ").upper().replace(" ", "")
    except EOFError:
        print()
        return "Q"


def _make(command: str, board: Board, log: list[str]) -> None:
    try:
        log.append(str(board.play(command)))
    except IllegalMove as refused:
        print(refused)
        return
    print(draw_board(board))
    if board.is_stuck:
        print("No move is left. U takes the last one back, Q ends the game.")


def _verdict(board: Board) -> str:
    return "You have won!" if board.is_won else f"You have cleared {board.cleared} of 28."
