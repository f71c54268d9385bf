"""Choosing a deal: random ones are solved until one is what the policy asks for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import NamedTuple

from daily.models import Policy
from games.pyramid import Deal, Rules
from games.pyramid.difficulty import difficulty
from games.pyramid.solver import Best, best_clear


class Effort(NamedTuple):
    """How long to look for a deal."""

    draws: int
    """Deals drawn at most."""
    nodes: int
    """States looked into at most to solve one of them."""


PATIENT = Effort(draws=200, nodes=200_000)
"""Where nobody waits: a few seconds for a rare wish."""
HASTY = Effort(draws=40, nodes=500)
"""For the first reader of a missing day: about a second at worst."""


@dataclass(frozen=True)
class SolvedDeal:
    """A deal under its rules, with the most that can be cleared and the share that a plain player reaches."""

    deal: Deal
    rules: Rules
    best: Best

    @classmethod
    def of(cls, deal: Deal, rules: Rules, effort: Effort) -> SolvedDeal:
        """Solve a deal; cost: ``effort.nodes`` at most."""
        return cls(deal, rules, best_clear(deal, rules, node_budget=effort.nodes))

    @cached_property
    def difficulty(self) -> float:
        """The share of the best that a plain player reaches, 0 to 1."""
        return difficulty(self.deal, self.rules, best=self.best.cleared)

    def cards_short(self, policy: Policy) -> int:
        """How many cards the best is below what the policy asks for."""
        return max(0, policy.min_best_clear - self.best.cleared)

    def off_range(self, policy: Policy) -> float:
        """How far the difficulty is outside the policy's range."""
        return max(0.0, policy.min_difficulty - self.difficulty, self.difficulty - policy.max_difficulty)

    def fits(self, policy: Policy) -> bool:
        """Whether this is what the policy asks for."""
        return not self.cards_short(policy) and not self.off_range(policy)

    def is_nearer(self, other: SolvedDeal, policy: Policy) -> bool:
        """Whether this comes nearer to the policy: first in what can be cleared, then in difficulty."""
        if difference := self.cards_short(policy) - other.cards_short(policy):
            return difference < 0
        return self.off_range(policy) < other.off_range(policy)

    def relaxed(self, policy: Policy) -> str:
        """What the policy asks for and this deal does not have, in sentences; empty where it fits."""
        sentences = []
        if self.cards_short(policy):
            found = f"{self.best.cleared}{'' if self.best.proven else ' as far as known'}"
            sentences.append(
                f"The policy asks for a best of at least {policy.min_best_clear}; it is {found}."
            )
        if self.off_range(policy):
            wanted = f"{policy.min_difficulty:g} to {policy.max_difficulty:g}"
            sentences.append(f"The policy asks for a difficulty of {wanted}; it is {self.difficulty:.3f}.")
        return " ".join(sentences)


def choose_deal(policy: Policy, rng: Random, effort: Effort) -> SolvedDeal:
    """Draw deals from ``rng`` until one fits the policy; the nearest of them when the effort is used up."""
    rules = Rules.named(policy.rules)
    nearest = SolvedDeal.of(Deal.random(rng), rules, effort)
    for _ in range(effort.draws - 1):
        if nearest.fits(policy):
            break
        drawn = SolvedDeal.of(Deal.random(rng), rules, effort)
        if drawn.is_nearer(nearest, policy):
            nearest = drawn
    return nearest
