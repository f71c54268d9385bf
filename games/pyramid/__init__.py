"""Pyramid solitaire: deals, rule sets, moves, the board and the judge of move logs.

    >>> from games.pyramid import Deal, Rules, replay
    >>> replay(Deal.from_number(1), Rules.named("endless"), ["D", "D"]).moves
    2
"""

from games.pyramid.deal import Deal
from games.pyramid.errors import BadDeal, IllegalMove, MalformedMove, UnknownRules
from games.pyramid.moves import Move
from games.pyramid.rules import RULES, Rules

__all__ = ["RULES", "BadDeal", "Deal", "IllegalMove", "MalformedMove", "Move", "Rules", "UnknownRules"]
