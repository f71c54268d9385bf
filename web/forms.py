"""What people fill in about themselves. The rooms judge it; a form only carries their refusals back."""

from collections.abc import Callable
from typing import Any, Final, override

from allauth.account.internal.flows.login import perform_password_login
from allauth.account.models import Login
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.webauthn.forms import (
    AddWebAuthnForm,
    AuthenticateWebAuthnForm,
    LoginWebAuthnForm,
    ReauthenticateWebAuthnForm,
)
from cryptography.exceptions import InvalidSignature
from django import forms
from django.contrib.auth import authenticate, logout
from django.http import HttpRequest, HttpResponse
from rest_framework.exceptions import APIException

from players.accounts import check_present_password
from players.countries import CODES
from players.errors import BadCredentials
from players.models import Player, Token
from players.names import MAX_CODE_POINTS
from players.second_factor import check_code, has_second_factor

MAX_PASSWORD: Final = 1_024
MAX_EMAIL: Final = 254
BROKEN: Final = (
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
    IndexError,
    RecursionError,
    InvalidSignature,
)
"""What reading somebody's own idea of a passkey's answer may end in."""


def refused(form: forms.Form, act: Callable[[], object]) -> bool:
    """Do something with a valid form and show a refusal beside its field; whether there was one."""
    try:
        act()
    except APIException as refusal:
        show_refusal(form, refusal)
    return bool(form.errors)


def show_refusal(form: forms.Form, refusal: APIException) -> None:
    """Put a refusal beside the field it points at, or above the form."""
    field = getattr(refusal, "pointer", "").removeprefix("/")
    form.add_error(field if field in form.fields else None, str(refusal.detail))


class Name(forms.CharField):
    """A player's name."""

    def __init__(self, **options: Any) -> None:
        attributes = {"autocomplete": "nickname", "autocapitalize": "none", "spellcheck": "false"}
        super().__init__(
            max_length=MAX_CODE_POINTS,
            help_text="3 to 24 letters, digits, spaces, - _ . '",
            widget=forms.TextInput(attributes),
            **options,
        )


class Email(forms.CharField):
    """An address; whether mail can be sent there is judged by ``players.emails``."""

    def __init__(self, label: str = "Email address") -> None:
        widget = forms.EmailInput({"autocomplete": "email"})
        super().__init__(label=label, max_length=MAX_EMAIL, widget=widget)


class PresentPassword(forms.CharField):
    """The password an account has."""

    def __init__(self, label: str = "Password") -> None:
        widget = forms.PasswordInput({"autocomplete": "current-password"})
        super().__init__(label=label, strip=False, max_length=MAX_PASSWORD, widget=widget)


class NewPassword(forms.CharField):
    """A password to have from now on."""

    def __init__(self, **options: Any) -> None:
        widget = forms.PasswordInput({"autocomplete": "new-password", "minlength": 10})
        help_text = "At least 10 characters, and not only digits. A few words are easy to keep in mind."
        super().__init__(strip=False, max_length=MAX_PASSWORD, help_text=help_text, widget=widget, **options)


class SignInForm(forms.Form):
    """Who signs in with a password, by name or address."""

    name_or_email = forms.CharField(
        label="Name or email address",
        max_length=MAX_EMAIL,
        widget=forms.TextInput({"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}),
    )
    password = PresentPassword()

    def __init__(self, *values: Any, request: HttpRequest, **options: Any) -> None:
        super().__init__(*values, **options)
        self.request = request

    @override
    def clean(self) -> None:
        """Raises ValidationError, the same for a wrong name and a wrong password."""
        if self.errors:
            return
        name, password = self.cleaned_data["name_or_email"], self.cleaned_data["password"]
        try:
            player = authenticate(self.request, username=name, password=password)
        except APIException as refusal:
            raise forms.ValidationError(str(refusal.detail)) from None
        if not isinstance(player, Player):
            raise forms.ValidationError(BadCredentials.default_detail)
        self.player = player

    def login(self, request: HttpRequest, redirect_url: str | None) -> HttpResponse:
        """Go on to the second step, or in. A guest who signs in as somebody else is left behind."""
        if has_second_factor(self.player):
            logout(request)
        return perform_password_login(request, {}, Login(user=self.player, redirect_url=redirect_url))


class PasswordForm(forms.Form):
    """The password once more, before what matters."""

    password = PresentPassword()

    def __init__(self, *values: Any, user: Player, **options: Any) -> None:
        super().__init__(*values, **options)
        self.player = user

    def clean_password(self) -> str:
        """Raises ValidationError."""
        password: str = self.cleaned_data["password"]
        try:
            check_present_password(player=self.player, current_password=password)
        except APIException as refusal:
            raise forms.ValidationError(str(refusal.detail)) from None
        return password


class OneTimeCode(forms.CharField):
    """A code of an authenticator app, or a recovery code."""

    def __init__(self, **options: Any) -> None:
        attributes = {"autocomplete": "one-time-code", "inputmode": "numeric", "autofocus": True}
        super().__init__(label="Code", max_length=40, widget=forms.TextInput(attributes), **options)


class CodeForm(AuthenticateForm):
    """The second step of signing in."""

    code = OneTimeCode()

    @override
    def clean_code(self) -> str:
        """Raises ValidationError."""
        code: str = self.cleaned_data["code"]
        try:
            self.authenticator = check_code(player=self.user, code=code)
        except APIException as refusal:
            raise forms.ValidationError(str(refusal.detail)) from None
        self.authenticator.user = self.user
        return code


class CodeAgainForm(CodeForm, ReauthenticateForm):
    """A code once more, before what matters."""


class Readable(forms.BaseForm):
    """A form that refuses whatever it cannot make sense of."""

    @override
    def full_clean(self) -> None:
        """Django's, which leaves exceptions that are not its own to the caller."""
        try:
            super().full_clean()
        except BROKEN:
            self.cleaned_data = {}
            self.data = {}  # or the page would read it again
            self.add_error(None, "This passkey's answer could not be read.")


class NewPasskeyForm(Readable, AddWebAuthnForm):
    """A passkey to sign in with, and what its owner calls it."""

    name = forms.CharField(label="Name of the passkey", max_length=60, required=False)


class PasskeyForm(Readable, AuthenticateWebAuthnForm):
    """A passkey as the second step of signing in."""


class PasskeySignInForm(Readable, LoginWebAuthnForm):
    """A passkey instead of a password."""


class PasskeyAgainForm(Readable, ReauthenticateWebAuthnForm):
    """A passkey once more, before what matters."""


class SignUpForm(forms.Form):
    """What makes an account; without a name it gets a friendly one."""

    name = Name(required=False)
    email = Email()
    password = NewPassword()


class ProfileForm(forms.Form):
    """What everybody sees of a player."""

    name = Name()
    country = forms.ChoiceField(
        required=False, choices=[("", "none"), *((code, code) for code in sorted(CODES))]
    )


class NewEmailForm(forms.Form):
    """Another address."""

    email = Email(label="New email address")
    current_password = PresentPassword()


class ChangePasswordForm(forms.Form):
    """Another password."""

    current_password = PresentPassword(label="Present password")
    password = NewPassword(label="New password")


class ForgottenForm(forms.Form):
    """Whose password is forgotten."""

    email = Email()


class ResetForm(forms.Form):
    """A password for who forgot theirs."""

    password = NewPassword(label="New password")


class TokenForm(forms.Form):
    """What a token is for."""

    label = forms.CharField(
        max_length=Token.MAX_LABEL_LENGTH, required=False, help_text="What it is for, such as “my script”."
    )


class FarewellForm(forms.Form):
    """Who leaves says so once more: an account with its password, a guest with its name."""

    current_password = PresentPassword()
    name = forms.CharField(label="Your name", max_length=MAX_CODE_POINTS)

    def __init__(self, *values: Any, player: Player, **options: Any) -> None:
        super().__init__(*values, **options)
        self.player = player
        del self.fields["current_password" if player.is_guest else "name"]

    def clean_name(self) -> str:
        """Raises ValidationError."""
        name: str = self.cleaned_data["name"]
        if name != self.player.name:
            raise forms.ValidationError("This is not your name.")
        return name
