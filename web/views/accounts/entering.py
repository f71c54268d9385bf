"""allauth's views as this site uses them: who may see which, and how often what is posted counts."""

from collections.abc import Callable
from functools import wraps

from allauth.account import views as account
from allauth.mfa.base import views as mfa
from allauth.mfa.recovery_codes import views as recovery_codes
from allauth.mfa.totp import views as totp
from allauth.mfa.webauthn import views as webauthn
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache

from players.second_factor import may_have_second_factor
from web.asking import next_page_or
from web.sessions import signed_in, viewer_of
from web.throttling import counted

type View = Callable[..., HttpResponseBase]


def for_strangers(view: View) -> View:
    """Let guests sign in as somebody else, and lead on who has an account and is signed in."""

    @wraps(view)
    def enter(request: HttpRequest) -> HttpResponseBase:
        player = viewer_of(request)
        if player and not player.is_guest:
            return redirect(next_page_or(request, "web:account"))
        return view(request)

    return never_cache(counted("login")(enter))


def for_accounts(view: View) -> View:
    """Lead guests to making an account, and count what is typed."""

    @wraps(view)
    def enter(request: HttpRequest, **named: object) -> HttpResponseBase:
        if signed_in(request).is_guest:
            messages.info(request, "This needs an account.")
            return redirect("web:sign-up")
        return view(request, **named)

    return never_cache(login_required(counted("login")(enter)))


def for_verified_accounts(view: View) -> View:
    """Keep who did not confirm an address from locking its owner out."""

    @wraps(view)
    def enter(request: HttpRequest, **named: object) -> HttpResponseBase:
        if not may_have_second_factor(signed_in(request)):
            messages.error(request, "Confirm your address first, with the link that was mailed to it.")
            return redirect("web:account")
        return view(request, **named)

    return for_accounts(enter)


login = for_strangers(account.login)
logout = never_cache(account.logout)
reauthenticate = for_accounts(account.reauthenticate)

second_step = never_cache(counted("login")(mfa.authenticate))
code_again = for_accounts(mfa.reauthenticate)
index = for_accounts(mfa.index)

activate_totp = for_verified_accounts(totp.activate_totp)
deactivate_totp = for_accounts(totp.deactivate_totp)

view_recovery_codes = for_accounts(recovery_codes.view_recovery_codes)
generate_recovery_codes = for_accounts(recovery_codes.generate_recovery_codes)
download_recovery_codes = for_accounts(recovery_codes.download_recovery_codes)

passkeys = for_accounts(webauthn.list_webauthn)
add_passkey = for_verified_accounts(webauthn.add_webauthn)
rename_passkey = for_accounts(webauthn.edit_webauthn)
remove_passkey = for_accounts(webauthn.remove_webauthn)
passkey_again = for_accounts(webauthn.reauthenticate_webauthn)
passkey_login = counted("write", "GET")(for_strangers(webauthn.login_webauthn))  # it makes a session
