"""Where allauth asks the site: what signing in consists of, whom it lets in, and who is told of it."""

from typing import Any, override

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import DefaultMFAAdapter
from django.conf import settings
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme

from players import mails
from players.accounts import confirm_entry
from players.errors import BadCredentials
from players.models import Player
from players.throttling import client_address
from web.sessions import sign_in


class AccountAdapter(DefaultAccountAdapter):
    """Signing in to accounts as ``players.accounts`` keeps them."""

    @override
    def get_login_stages(self) -> list[str]:
        """The second step, for who has one."""
        return ["allauth.mfa.stages.AuthenticateStage"]

    @override
    def login(self, request: HttpRequest, user: Player) -> None:  # type: ignore[override]
        """The last step. Somebody whose password was changed since the first one is not let in."""
        try:
            with transaction.atomic():
                confirm_entry(player=user)
                sign_in(request, user)
        except BadCredentials:
            raise ImmediateHttpResponse(self.respond_user_inactive(request, user)) from None

    @override
    def respond_user_inactive(self, request: HttpRequest, user: Any) -> HttpResponse:
        """Refuse who may not sign in as who is not there."""
        messages.error(request, BadCredentials.default_detail)
        return redirect("account_login")

    @override
    def is_safe_url(self, url: str | None) -> bool:
        """Whether one may be led there: this site only, whatever else it is called."""
        return url_has_allowed_host_and_scheme(
            url, {self.request.get_host()}, require_https=self.request.is_secure()
        )

    @override
    def get_client_ip(self, request: HttpRequest) -> str:
        return client_address(request.META, settings.TRUSTED_PROXIES)

    @override
    def send_notification_mail(
        self, template_prefix: str, user: Any, context: Any = None, email: str | None = None
    ) -> None:
        """Tell an account's owner that what it asks for besides the password was changed."""
        if user.email and user.email_verified_at:
            mails.tell_second_factor_changed(user.email)


class MfaAdapter(DefaultMFAAdapter):
    """How the second step is called in other people's apps and keys."""

    @override
    def get_totp_label(self, user: Player) -> str:  # type: ignore[override]
        return user.name

    @override
    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        return {**super().get_public_key_credential_rp_entity(), "name": settings.MFA_TOTP_ISSUER}
