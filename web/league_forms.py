"""What people fill in about leagues; the rooms judge it."""

from django import forms

from leaderboard.league_names import MAX_CODE_POINTS, MAX_LENGTH, MIN_LENGTH


class LeagueForm(forms.Form):
    """What a league is called."""

    name = forms.CharField(
        label="Name",
        max_length=2 * MAX_CODE_POINTS,
        help_text=f"{MIN_LENGTH} to {MAX_LENGTH} characters. Only its members see it.",
        widget=forms.TextInput({"autocomplete": "off"}),
    )


class InviteForm(forms.Form):
    """The code that somebody was given."""

    code = forms.CharField(
        label="Code",
        max_length=60,
        help_text="Ten letters and digits, such as 7K3QZ-MX04B; hyphens and capitals do not matter.",
        widget=forms.TextInput(
            {"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false"}
        ),
    )
