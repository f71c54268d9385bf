"""Pyramid solitaire: deals, rule sets, moves, the board and the judge of move logs.

>>> from games.pyramid import Deal, Rules, replay
>>> replay(Deal.from_number(1), Rules.named("endless"), ["D", "D"]).moves
2
"""

from games.pyramid.board import Board
from games.pyramid.deal import Deal
from games.pyramid.errors import BadDeal, IllegalMove, MalformedMove, UnknownRules
from games.pyramid.moves import Move
from games.pyramid.replay import Outcome, replay
from games.pyramid.rules import RULES, Rules

__all__ = [
    "RULES",
    "BadDeal",
    "Board",
    "Deal",
    "IllegalMove",
    "MalformedMove",
    "Move",
    "Outcome",
    "Rules",
    "UnknownRules",
    "replay",
]
