"""The browser's rules against the server's: the same vectors, and random play compared move by move."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import Page

from games.cards import Card
from games.pyramid import RULES, Board, Deal, IllegalMove, Rules
from games.pyramid.moves import DRAW, REDEAL, UNDO
from games.pyramid.solver import best_clear
from tests.games.cast import ALL_MOVES, EASY, EASY_PYRAMID, EASY_STOCK

DATA = Path(__file__).parents[2] / "data"
OTHER_RULES = 16
MOVES_A_GAME = 80
EVERY_MOVE = [str(move) for move in ALL_MOVES]
MALFORMED = ["", "d", "kd", "KDKD", "TC 3S", "10C", "DD", "KD ", "KD\n", "TC3S4H", "♠", "1" * 50]
CODES = {
    "malformed", "game_over", "nothing_to_undo", "stock_empty", "stock_not_empty", "nothing_to_redeal",
    "no_passes_left", "gone", "buried", "in_stock", "covered", "not_thirteen",
}  # fmt: skip

type Game = tuple[Deal, Rules, list[str]]

# Text goes in and comes out: Playwright takes long over large structures.
JUDGE = """async (work) => {
  const { IllegalMove, replay } = await import("/static/web/rules.js");
  const judged = ({ deck, rules, log }) => {
    try {
      const board = replay(deck, rules, log);
      const { cleared, isWon: won, isStuck: stuck, moves, points, pass, stock, waste } = board;
      return { cleared, won, stuck, moves, points, pass, stock: stock.length, waste: waste.length };
    } catch (error) {
      if (!(error instanceof IllegalMove)) throw error;
      return { error: { index: error.index, move: error.move, code: error.code } };
    }
  };
  return JSON.stringify(JSON.parse(work).map(judged));
}"""

PLAY = """async (work) => {
  const { Board, IllegalMove } = await import("/static/web/rules.js");
  const facts = (board) => ({
    pyramid: board.pyramid, stock: board.stock, waste: board.waste,
    pass: board.pass, passes_left: board.passesLeft,
    cleared: board.cleared, moves: board.moves, points: board.points, won: board.isWon, stuck: board.isStuck,
    exposed: board.cards.filter((card) => board.isExposed(card)),
    in_play: board.cards.filter((card) => board.isInPlay(card)),
    legal: board.legalMoves, can: [board.canDraw, board.canRedeal, board.canUndo],
    covers: board.cards.map((card) => board.coversOf(card).join(" ")),
    partners: board.cards.map((card) => board.partnersOf(card).join(" ")),
    accepted: board.log.length,
  });
  const attempt = (board, move) => {
    const foreseen = board.refusalOf(move);
    try {
      board.play(move);
      return foreseen;
    } catch (error) {
      if (!(error instanceof IllegalMove && error.message === foreseen.message)) throw error;
      return [error.code, error.move, error.reason, error.message];
    }
  };
  const played = ({ deck, rules, log }) => {
    const board = new Board(deck, rules);
    return [facts(board), ...log.map((move) => [attempt(board, move), facts(board)])];
  };
  return JSON.stringify(JSON.parse(work).map(played));
}"""


def vectors(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text().splitlines()]


def in_browser(page: Page, script: str, work: list[dict[str, Any]]) -> Any:
    page.goto("/static/web/rules.js")
    return json.loads(page.evaluate(script, json.dumps(work)))


def test_the_verdict_on_every_log_is_that_of_the_second_engine(page: Page) -> None:
    logs = vectors("replay.jsonl")
    work = [log | {"rules": asdict(RULES[log["rules"]])} for log in logs]
    verdicts = in_browser(page, JUDGE, work)
    assert len(verdicts) == 300
    for log, verdict in zip(logs, verdicts, strict=True):
        assert verdict == log["expect"]


def test_the_best_lines_of_every_deck_clear_in_the_browser_what_they_clear_on_the_server(page: Page) -> None:
    decks = vectors("best_clear.jsonl")
    # Those rule sets whose best is found in a moment.
    slugs = ["endless", "pyramide", "three-pass"]
    bests = [(Deal.from_deck(deck["deck"]), slug, deck["best"][slug]) for deck in decks for slug in slugs]
    work = [
        {"deck": deal.deck, "rules": asdict(RULES[slug]), "log": best_clear(deal, RULES[slug]).log}
        for deal, slug, _ in bests
    ]
    verdicts = in_browser(page, JUDGE, work)
    assert [verdict["cleared"] for verdict in verdicts] == [best for _, _, best in bests]


def test_random_play_looks_the_same_in_the_browser_after_every_move(page: Page) -> None:
    games = list(random_games(Random(4)))
    work = [{"deck": deal.deck, "rules": asdict(rules), "log": log} for deal, rules, log in games]
    met = set[str]()
    for (deal, rules, log), shown in zip(games, in_browser(page, PLAY, work), strict=True):
        assert shown == list(played(Board(deal, rules), log))
        met.update(told[0] for told, _ in shown[1:] if told)
    assert met == CODES


def random_games(rng: Random) -> Iterator[Game]:
    """The rule sets that are played and others: any deal from its start, an easy one from near an end."""
    for rules in RULES.values():
        opening = EASY_STOCK if rules.stock_top_in_play else EASY_PYRAMID[:-2]
        yield EASY, rules, random_log(EASY, rules, rng, opening)
    for rules in [*RULES.values(), *(random_rules(rng) for _ in range(OTHER_RULES))]:
        deal = Deal.random(rng)
        yield deal, rules, random_log(deal, rules, rng, [])


def random_rules(rng: Random) -> Rules:
    return Rules(
        slug="other",
        passes=rng.choice([None, 1, 2, 3]),
        first_waste=rng.random() < 0.5,
        stock_top_in_play=rng.random() < 0.5,
        cover_pairs=rng.random() < 0.5,
        win=rng.choice(["pyramid", "all"]),
        undo_limit=rng.choice([None, 0, 1, 4]),
        undo_gives_move_back=rng.random() < 0.5,
        points_per_pyramid_card=rng.randrange(4),
        points_per_pair=rng.randrange(4),
        points_per_king=rng.randrange(4),
    )


def random_log(deal: Deal, rules: Rules, rng: Random, opening: list[str]) -> list[str]:
    """An opening and then moves of every kind, mostly legal ones and removals where there are some."""
    board, log = Board(deal, rules), list(opening)
    for move in opening:
        board.play(move)
    for _ in range(MOVES_A_GAME):
        log.append(random_move(board, rng))
        attempt(board, log[-1])
    return log


def random_move(board: Board, rng: Random) -> str:
    legal = [str(move) for move in board.legal_moves]
    kinds = [legal or ["U"], legal[:1] or ["R"], ["D", "R"], ["U"], EVERY_MOVE, named_now(board), MALFORMED]
    return rng.choice(rng.choices(kinds, [40, 15, 20, 10, 5, 8, 2])[0])


def named_now(board: Board) -> list[str]:
    """Cards that lie somewhere, alone and with their partners to 13."""
    there = [card for card in (*board.pyramid, *board.stock, *board.waste) if card]
    pairs = [f"{a}{b}" for a in there for b in there if a.value + b.value == 13]
    return [*map(str, there), *pairs] or ["D"]


def attempt(board: Board, move: str) -> list[str] | None:
    """Play the move; what a refusal says, None for a legal move."""
    try:
        board.play(move)
    except IllegalMove as refused:
        return [refused.code, str(refused.move), refused.reason, str(refused)]
    return None


def played(board: Board, log: list[str]) -> Iterator[Any]:
    """What the browser is to show: the board, then after each move what was said of it and the board."""
    accepted = 0
    yield facts(board, accepted)
    for move in log:
        told = attempt(board, move)
        accepted += told is None
        yield [told, facts(board, accepted)]


def facts(board: Board, accepted: int) -> dict[str, Any]:
    """Everything a board says of itself, as the browser writes it."""
    cards, rules = board.deal.cards, board.rules
    partners: dict[Card, set[Card]] = {card: set() for card in cards}
    for first, second in (move.cards for move in board.legal_moves if len(move.cards) == 2):
        partners[first].add(second)
        partners[second].add(first)
    in_play = [*board.exposed, *board.waste[-1:], *(board.stock[:1] if rules.stock_top_in_play else ())]
    return {
        "pyramid": [card and str(card) for card in board.pyramid],
        "stock": texts(board.stock),
        "waste": texts(board.waste),
        "pass": board.pass_number,
        "passes_left": None if rules.passes is None else rules.passes - board.pass_number,
        "cleared": board.cleared,
        "moves": board.moves,
        "points": board.points,
        "won": board.is_won,
        "stuck": board.is_stuck,
        "exposed": texts(board.exposed),
        "in_play": texts(in_play),
        "legal": texts(board.legal_moves),
        "can": [board.refusal(move) is None for move in (DRAW, REDEAL, UNDO)],
        "covers": [" ".join(texts(board.covers(card))) for card in cards],
        "partners": [" ".join(texts(sorted(partners[card], key=cards.index))) for card in cards],
        "accepted": accepted,
    }


def texts(values: Iterable[object]) -> list[str]:
    return [str(value) for value in values]
