"""The engine for everybody: rule sets, deals to practise on, and the judge for client developers."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from django.http import Http404, HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.views import APIView

from api import caching, examples
from api.errors import BadDeal, BadParameter, UnknownRules
from api.pagination import parameter
from api.parameters import RULES
from api.responses import Response
from api.schema import refusals
from api.serializers import DryRun, body
from api.shapes.games import (
    DealAnswer,
    OutcomeAnswer,
    RulesAnswer,
    RulesListAnswer,
    render_deal,
    render_outcome,
    render_rules,
)
from api.views.attempts import ILLEGAL_LOG
from daily.errors import IllegalLog
from daily.models import Challenge
from games import pyramid
from games.pyramid import Deal, IllegalMove, Rules
from games.pyramid.difficulty import difficulty
from games.pyramid.solver import Best, best_clear

FOREVER_S = 86_400
"""Rules and deals never change within a version."""
SOLVER_NODES = 10_000
"""Beyond these the best of a hard deal stays unproven."""
BAD_DEAL = BadDeal("bad_check_symbol", "The deal code has a typing error.", "/code")


class RulesList(APIView):
    """All rule sets."""

    @extend_schema(operation_id="rulesList", tags=["games"], responses=RulesListAnswer)
    def get(self, request: Request) -> HttpResponse:
        """Every rule set."""
        answer: RulesListAnswer = {"results": [render_rules(rules) for rules in pyramid.RULES.values()]}
        return caching.answer(request, answer, max_age_s=FOREVER_S)


class RulesDetail(APIView):
    """One rule set."""

    @extend_schema(operation_id="rules", tags=["games"], responses={200: RulesAnswer, **refusals(NotFound())})
    def get(self, request: Request, slug: str) -> HttpResponse:
        """A rule set by its slug."""
        if slug not in pyramid.RULES:
            raise Http404
        return caching.answer(request, render_rules(pyramid.RULES[slug]), max_age_s=FOREVER_S)


class DealDetail(APIView):
    """A deal laid out and solved."""

    throttle_scopes = {"GET": "solve"}

    @extend_schema(
        operation_id="deal",
        tags=["games"],
        parameters=[RULES],
        responses={200: DealAnswer, **refusals(BadParameter(), NotFound())},
    )
    def get(self, request: Request, code: str) -> HttpResponse:
        """Any deal by code or number, to practise on: laid out, with its best and its difficulty.

        A deal of a day that is not settled yet is not found.
        """
        rules, deal = rules_parameter(request), deal_named(code)
        if Challenge.objects.hiding(deal).exists():
            raise Http404
        best, ease = solution(deal, rules)
        return caching.answer(request, render_deal(deal, rules, best, ease), max_age_s=FOREVER_S)


class Replay(APIView):
    """The judge, without consequences."""

    @extend_schema(
        operation_id="replay",
        tags=["games"],
        request=DryRun,
        examples=examples.REPLAY,
        responses={
            200: OutcomeAnswer,
            **refusals(BAD_DEAL, UnknownRules("There is no rule set x."), ILLEGAL_LOG),
        },
    )
    def post(self, request: Request) -> Response:
        """Replay a log on any deal, as a submission would be judged. Stores nothing."""
        run = body(DryRun, request)
        try:
            outcome = pyramid.replay(deal_of(run), rules_named(run["rules"]), run["log"])
        except IllegalMove as refusal:
            raise IllegalLog(refusal) from None
        return Response(render_outcome(outcome))


def rules_parameter(request: Request) -> Rules:
    """The rule set that the query names, ``endless`` by default. Raises ``BadParameter``."""
    slug = parameter(request, "rules")
    try:
        return Rules.named("endless" if slug is None else slug)
    except pyramid.UnknownRules as refusal:
        raise BadParameter(str(refusal)) from None


def deal_named(text: str) -> Deal:
    """The deal of a code, or of a number in plain digits. Raises ``NotFound``."""
    is_number = text.isascii() and text.isdigit() and len(text) <= 16
    try:
        return Deal.from_number(int(text)) if is_number else Deal.from_code(text)
    except pyramid.BadDeal as refusal:
        raise NotFound(str(refusal)) from None


@lru_cache(maxsize=1000)
def solution(deal: Deal, rules: Rules) -> tuple[Best, float]:
    """The best of a deal and its difficulty, within half a second or so; the latest are kept."""
    best = best_clear(deal, rules, node_budget=SOLVER_NODES)
    return best, difficulty(deal, rules, best=best.cleared)


def deal_of(run: dict[str, Any]) -> Deal:
    """The deal that a dry run names. Raises ``BadDeal``."""
    readers: dict[str, Callable[[Any], Deal]] = {
        "code": Deal.from_code,
        "number": Deal.from_number,
        "deck": Deal.from_deck,
    }
    [name] = readers.keys() & run.keys()
    try:
        return readers[name](run[name])
    except pyramid.BadDeal as refusal:
        raise BadDeal(refusal.code, str(refusal), f"/{name}") from None


def rules_named(slug: str) -> Rules:
    """The rule set of a slug. Raises ``UnknownRules``."""
    try:
        return Rules.named(slug)
    except pyramid.UnknownRules as refusal:
        raise UnknownRules(str(refusal)) from None
