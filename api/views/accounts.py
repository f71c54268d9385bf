"""Accounts: a guest makes one, logs in from elsewhere, and finds back in with a mail.

What is typed here may be guessed, and what is sent here costs mails and slow hashes, so all of it counts by
address and in a scope of its own.
"""

from django.contrib.auth import update_session_auth_hash
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.views import APIView

from api import examples
from api.authentication import required_caller
from api.responses import Response
from api.schema import refusals
from api.serializers import (
    Credentials,
    ForgottenPassword,
    MailedToken,
    NewAccount,
    NewEmail,
    NewPassword,
    PasswordReset,
    body,
)
from api.shapes.players import MeAnswer, NewPlayerAnswer, render_player
from api.views.me import BAD_LABEL, describe
from players import accounts
from players.errors import (
    BadCredentials,
    BadEmail,
    BadPassword,
    DeadLink,
    EmailTaken,
    HasAccount,
    MailTooSoon,
    NoAccount,
    SecondFactorRequired,
    TooManyGuesses,
    WrongCode,
    WrongPassword,
)
from players.models import Token

BAD_EMAIL = BadEmail("bad_email", "This is not an email address.")
BAD_PASSWORD = BadPassword("password_too_short", "This password is too short.")


class Account(APIView):
    """Becoming an account."""

    permission_classes = (IsAuthenticated,)
    throttle_scopes = {"PUT": "login"}

    @extend_schema(
        operation_id="makeAccount",
        tags=["accounts"],
        request=NewAccount,
        examples=examples.MAKE_ACCOUNT,
        responses={200: MeAnswer, **refusals(BAD_EMAIL, BAD_PASSWORD, EmailTaken(), HasAccount())},
    )
    def put(self, request: Request) -> Response:
        """Make a guest an account that keeps name, tokens and runs; a code to verify the address is sent."""
        player = required_caller(request)
        accounts.create_account(player=player, **body(NewAccount, request))
        return Response(describe(player))


class LogIn(APIView):
    """Logging in."""

    throttle_scopes = {"POST": "login"}

    @extend_schema(
        operation_id="logIn",
        tags=["accounts"],
        request=Credentials,
        examples=examples.LOG_IN,
        responses={
            201: NewPlayerAnswer,
            **refusals(
                BAD_LABEL, BadCredentials(), SecondFactorRequired(), WrongCode(), TooManyGuesses(wait=1200)
            ),
        },
    )
    def post(self, request: Request) -> Response:
        """A new token of an account, for its name or address, its password and its second step, if any."""
        given = body(Credentials, request)
        name_or_email = given.pop("login")
        token, secret = accounts.log_in(name_or_email=name_or_email, **given)
        answer: NewPlayerAnswer = {"player": render_player(token.player), "token": secret}
        return Response(answer, status=201)


class Password(APIView):
    """One's password."""

    permission_classes = (IsAuthenticated,)
    throttle_scopes = {"PUT": "login"}

    @extend_schema(
        operation_id="changePassword",
        tags=["accounts"],
        request=NewPassword,
        responses={204: None, **refusals(BAD_PASSWORD, NoAccount(), WrongPassword())},
    )
    def put(self, request: Request) -> Response:
        """Change the password; every other token and session ends."""
        player, current = required_caller(request), request.auth
        keep = current if isinstance(current, Token) else None
        accounts.change_password(player=player, keep=keep, **body(NewPassword, request))
        if keep is None:
            update_session_auth_hash(request, player)
        return Response(status=204)


class Email(APIView):
    """One's address."""

    permission_classes = (IsAuthenticated,)
    throttle_scopes = {"PUT": "login"}

    @extend_schema(
        operation_id="changeEmail",
        tags=["accounts"],
        request=NewEmail,
        responses={
            202: None,
            **refusals(BAD_EMAIL, EmailTaken(), NoAccount(), WrongPassword(), MailTooSoon(wait=40)),
        },
    )
    def put(self, request: Request) -> Response:
        """Have a link mailed to another address, which replaces the present one once the link is used."""
        accounts.change_email(player=required_caller(request), **body(NewEmail, request))
        return Response(status=202)


class EmailVerifications(APIView):
    """Proving that an address is read."""

    throttle_scopes = {"POST": "login"}

    @extend_schema(
        operation_id="verifyEmail",
        tags=["accounts"],
        request=MailedToken,
        responses={204: None, **refusals(DeadLink(), EmailTaken())},
    )
    def post(self, request: Request) -> Response:
        """Verify an address with the code that was mailed to it."""
        accounts.verify_email(link=body(MailedToken, request)["token"])
        return Response(status=204)


class PasswordResets(APIView):
    """Forgetting a password."""

    throttle_scopes = {"POST": "login"}

    @extend_schema(
        operation_id="forgetPassword",
        tags=["accounts"],
        request=ForgottenPassword,
        responses={202: None, **refusals(BAD_EMAIL)},
    )
    def post(self, request: Request) -> Response:
        """Have a code mailed to choose a new password with. Whether there is such an account is not told."""
        accounts.request_reset(**body(ForgottenPassword, request))
        return Response(status=202)


class PasswordResetConfirmation(APIView):
    """Choosing a new password."""

    throttle_scopes = {"POST": "login"}

    @extend_schema(
        operation_id="resetPassword",
        tags=["accounts"],
        request=PasswordReset,
        responses={204: None, **refusals(BAD_PASSWORD, DeadLink())},
    )
    def post(self, request: Request) -> Response:
        """Choose a new password with the code that was mailed; every token and session ends."""
        given = body(PasswordReset, request)
        accounts.reset_password(link=given["token"], password=given["password"])
        return Response(status=204)
