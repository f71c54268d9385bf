"""What an admin fills in about a day: its rules and where its deal comes from."""

import datetime
from collections.abc import Mapping
from typing import Any, cast, override

from django import forms
from django.core.exceptions import ValidationError

from daily import clock
from daily.deals import choose_rules, is_guessable, make_day, read_deal, replace_deal
from daily.models import Challenge
from games.pyramid import RULES, BadDeal, Deal
from players.models import Player

RULES_CHOICES = [(rules.slug, rules.title) for rules in RULES.values()]
KEEP, RANDOM, GIVEN = "keep", "random", "given"
TOO_SMALL = "Who tries small numbers finds this deal before its day. Take a number of 14 digits or more."


class DealForm(forms.Form):
    """The rules and the deal of a day."""

    rules = forms.ChoiceField(choices=RULES_CHOICES)
    source = forms.ChoiceField(label="Deal", widget=forms.RadioSelect)
    given = forms.CharField(
        label="This deal",
        required=False,
        max_length=1000,
        strip=True,
        widget=forms.Textarea({"rows": 4, "cols": 60, "spellcheck": "false", "autocomplete": "off"}),
        help_text="A deal code, a deal number of 14 digits or more, or 52 cards in dealing order: the pyramid"
        " row by row from the apex, then the stock. You know this deal then and are not ranked on its day;"
        " that is recorded.",
    )

    def __init__(self, data: Mapping[str, Any] | None = None, **options: Any) -> None:
        super().__init__(data, **options)
        cast("forms.ChoiceField", self.fields["source"]).choices = self.sources()

    def sources(self) -> list[tuple[str, str]]:
        """Where a deal may come from."""
        return [(RANDOM, "a random one, as the weekday's policy asks"), (GIVEN, "this one:")]

    @override
    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        cleaned["deal"] = self._given_deal() if cleaned.get("source") == GIVEN else None
        return cleaned

    def _given_deal(self) -> Deal | None:
        try:
            deal = read_deal(self.cleaned_data.get("given", ""))
        except BadDeal as refusal:
            self.add_error("given", ValidationError(refusal.reason, code=refusal.code))
            return None
        if is_guessable(deal):
            self.add_error("given", ValidationError(TOO_SMALL, code="guessable"))
        return deal


class NewDayForm(DealForm):
    """A day that has no challenge yet."""

    date = forms.DateField(widget=forms.DateInput({"type": "date"}))
    field_order = ("date", "rules", "source", "given")

    def __init__(self, data: Mapping[str, Any] | None = None, **options: Any) -> None:
        super().__init__(data, **options)
        rules = cast("forms.ChoiceField", self.fields["rules"])
        rules.required = False
        rules.choices = [("", "as the weekday's policy says"), *RULES_CHOICES]

    def clean_date(self) -> datetime.date:
        """A day that may still be made."""
        day: datetime.date = self.cleaned_data["date"]
        if day < clock.now().date():
            raise ValidationError("That day is over; nobody could play it.", code="day_over")
        if Challenge.objects.filter(date=day).exists():
            raise ValidationError("That day has a challenge already.", code="already_made")
        return day

    def carry_out(self, by: Player) -> Challenge:
        """Make the day. Raises ValidationError."""
        rules = RULES.get(self.cleaned_data["rules"])
        return make_day(day=self.cleaned_data["date"], by=by, rules=rules, deal=self.cleaned_data["deal"])


class ChangeDealForm(DealForm):
    """Other rules or another deal for a coming day."""

    def __init__(self, challenge: Challenge, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, initial={"rules": challenge.rules, "source": KEEP})
        self.challenge = challenge

    @override
    def sources(self) -> list[tuple[str, str]]:
        return [(KEEP, "the one it has"), *super().sources()]

    @override
    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if cleaned.get("source") == KEEP and cleaned.get("rules") == self.challenge.rules:
            raise ValidationError("That is the deal and these are the rules it has.", code="no_change")
        return cleaned

    def carry_out(self, by: Player) -> Challenge:
        """Change the day. Raises ValidationError."""
        day, rules = self.challenge.date, RULES[self.cleaned_data["rules"]]
        if self.cleaned_data["source"] == KEEP:
            return choose_rules(day=day, by=by, rules=rules)
        return replace_deal(day=day, by=by, rules=rules, deal=self.cleaned_data["deal"])
