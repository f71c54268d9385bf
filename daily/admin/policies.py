"""What the deals of each weekday shall be like, to change."""

from typing import Any, override

from django import forms
from django.contrib import admin
from django.http import HttpRequest

from daily import clock
from daily.admin.staff import member
from daily.models import MAX_CLEARED, Policy
from daily.policies import FIELDS, change_policy, check_policy
from games.pyramid import RULES

RULES_CHOICES = [(rules.slug, f"{rules.title}: {rules.summary}") for rules in RULES.values()]
DIFFICULTY_HELP = (
    "The share of the best that a plain player reaches: 1 is easy, 0.3 is hard. Of the endless deals that can"
    " be cleared half are above 0.88 and one in twenty is below 0.6."
)


class PolicyForm(forms.ModelForm[Policy]):
    """A weekday's policy, refused where no deal could meet it."""

    rules = forms.ChoiceField(choices=RULES_CHOICES, widget=forms.RadioSelect)

    class Meta:
        model = Policy
        fields = FIELDS
        help_texts = {
            "min_best_clear": f"What some play has to clear at least; {MAX_CLEARED} is the whole pyramid.",
            "min_difficulty": DIFFICULTY_HELP,
        }

    @override
    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if not self.errors:
            check_policy(Policy(**cleaned))
        return cleaned


@admin.register(Policy)
class PolicyAdmin(admin.ModelAdmin[Policy]):
    """Monday to Sunday. A change holds for the days that are made from then on."""

    list_display = ("__str__", "rules_title", "best", "difficulty")
    form = PolicyForm
    fields = ("rules", "min_best_clear", ("min_difficulty", "max_difficulty"))
    actions = None

    @admin.display(description="rules")
    def rules_title(self, policy: Policy) -> str:
        """The rule set's name."""
        return RULES[policy.rules].title if policy.rules in RULES else policy.rules

    @admin.display(description="best")
    def best(self, policy: Policy) -> str:
        """What has to be possible."""
        least = policy.min_best_clear
        return "can be cleared" if least == MAX_CLEARED else f"{least} or more can be cleared"

    @admin.display(description="difficulty")
    def difficulty(self, policy: Policy) -> str:
        """The range, from hard to easy."""
        return f"{policy.min_difficulty:g} – {policy.max_difficulty:g}"

    @override
    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    @override
    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @override
    def save_model(self, request: HttpRequest, obj: Policy, form: Any, change: bool) -> None:
        change_policy(policy=obj, by=member(request), now=clock.now())
