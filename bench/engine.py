"""How fast the engine judges: `python bench/engine.py`.

Prints the moves per second of `replay` on text logs with every check, those of python-chess on a stored game
(read the move, check that it is legal, make it), and how the two compare. Both take turns in one run and are
measured in processor time, so a busy machine is fair to both.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time

import chess

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from games.pyramid import Deal, Rules, replay  # noqa: E402 - found only now

ROUNDS = 15

# Morphy against the Duke of Brunswick and Count Isouard, Paris 1858.
OPERA_GAME = (
    "e2e4 e7e5 g1f3 d7d6 d2d4 c8g4 d4e5 g4f3 d1f3 d6e5 f1c4 g8f6 f3b3 d8e7 b1c3 c7c6 c1g5 b7b5 c3b5 c6b5 c4b5"
    " b8d7 e1c1 a8d8 d1d7 d8d7 h1d1 e7e6 b5d7 f6d7 b3b8 d7b8 d1d8"
)


def legal_logs() -> list[tuple[Deal, Rules, list[str]]]:
    """The legal logs of the test vectors, of all seven rule sets."""
    lines = (ROOT / "tests" / "data" / "replay.jsonl").read_text().splitlines()
    vectors = [vector for vector in map(json.loads, lines) if "error" not in vector["expect"]]
    return [(Deal.from_deck(each["deck"]), Rules.named(each["rules"]), each["log"]) for each in vectors]


def replay_all(logs: list[tuple[Deal, Rules, list[str]]]) -> int:
    for deal, rules, log in logs:
        replay(deal, rules, log)
    return sum(len(log) for _, _, log in logs)


def play_chess(games: int) -> int:
    for _ in range(games):
        board = chess.Board()
        for text in OPERA_GAME.split():
            move = chess.Move.from_uci(text)
            if not board.is_legal(move):
                raise ValueError(text)
            board.push(move)
    return games * len(OPERA_GAME.split())


def moves_per_s(play: Callable[[], int]) -> float:
    start = process_time()
    moves = play()
    return moves / (process_time() - start)


def main() -> None:
    logs = legal_logs()
    rates = [
        (moves_per_s(lambda: replay_all(logs)), moves_per_s(lambda: play_chess(games=20)))
        for _ in range(ROUNDS)
    ]
    print(f"pyramid      {median(ours for ours, _ in rates):>9,.0f} moves/s, best {max(rates)[0]:,.0f}")
    print(f"python-chess {median(theirs for _, theirs in rates):>9,.0f} moves/s")
    print(f"ratio        {median(ours / theirs for ours, theirs in rates):>9.1f}")


if __name__ == "__main__":
    main()
