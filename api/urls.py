"""The addresses of the API."""

from django.urls import include, path

import leaderboard.converters  # noqa: F401 (day, week and month in paths)
from api.views import (
    accounts,
    attempts,
    challenges,
    docs,
    games,
    health,
    leaderboards,
    leagues,
    me,
    metrics,
    players,
    runs,
)

v1 = [
    # what is asked for most
    path("challenges/<day:day>/leaderboard/", leaderboards.DayBoard.as_view(), name="leaderboard"),
    path("attempts/<uuid:attempt_id>/run/", attempts.Submit.as_view(), name="submit"),
    path("challenges/<day:day>/attempts/", attempts.Attempts.as_view(), name="attempts"),
    path("runs/<uuid:run_id>/", runs.RunDetail.as_view(), name="run"),
    path("challenges/<day:day>/", challenges.ChallengeDetail.as_view(), name="challenge"),
    # and the rest
    path("challenges/", challenges.Challenges.as_view(), name="challenges"),
    path("challenges/<day:day>/bundle/", challenges.Bundle.as_view(), name="bundle"),
    path("leaderboards/week/<week:period>/", leaderboards.WeekBoard.as_view(), name="week-leaderboard"),
    path("leaderboards/month/<month:period>/", leaderboards.MonthBoard.as_view(), name="month-leaderboard"),
    path("leaderboards/all-time/", leaderboards.AllTimeBoard.as_view(), name="all-time-leaderboard"),
    path("attempts/<uuid:attempt_id>/", attempts.AttemptDetail.as_view(), name="attempt"),
    path("attempts/<uuid:attempt_id>/checkpoint/", attempts.Checkpoint.as_view(), name="checkpoint"),
    path("players/", players.Players.as_view(), name="players"),
    path("players/<str:name>/", players.ProfileDetail.as_view(), name="player"),
    path("players/<str:name>/runs/", players.PlayerRuns.as_view(), name="player-runs"),
    path("me/", me.Me.as_view(), name="me"),
    path("me/export/", me.Export.as_view(), name="export"),
    path("me/tokens/", me.Tokens.as_view(), name="tokens"),
    path("me/tokens/<int:token_id>/", me.TokenDetail.as_view(), name="token"),
    path("me/account/", accounts.Account.as_view(), name="account"),
    path("me/password/", accounts.Password.as_view(), name="password"),
    path("me/email/", accounts.Email.as_view(), name="email"),
    path("tokens/", accounts.LogIn.as_view(), name="log-in"),
    path("email-verifications/", accounts.EmailVerifications.as_view(), name="email-verifications"),
    path("password-resets/", accounts.PasswordResets.as_view(), name="password-resets"),
    path(
        "password-resets/confirm/",
        accounts.PasswordResetConfirmation.as_view(),
        name="password-reset-confirmation",
    ),
    path("leagues/", leagues.Leagues.as_view(), name="leagues"),
    path("leagues/<str:code>/", leagues.LeagueDetail.as_view(), name="league"),
    path("leagues/<str:code>/members/", leagues.Members.as_view(), name="members"),
    path("leagues/<str:code>/members/<str:name>/", leagues.Member.as_view(), name="member"),
    path("leagues/<str:code>/owner/", leagues.Owner.as_view(), name="owner"),
    path("leagues/<str:code>/code/", leagues.Code.as_view(), name="league-code"),
    path("rules/", games.RulesList.as_view(), name="rules-list"),
    path("rules/<slug:slug>/", games.RulesDetail.as_view(), name="rules"),
    path("deals/<str:code>/", games.DealDetail.as_view(), name="deal"),
    path("replay/", games.Replay.as_view(), name="replay"),
]
urlpatterns = [
    path("api/v1/", include(v1)),
    path("healthz", health.Alive.as_view(), name="healthz"),
    path("readyz", health.Ready.as_view(), name="readyz"),
    path("metrics", metrics.Metrics.as_view(), name="metrics"),
    path("api/openapi/", docs.OpenAPI.as_view(), name="openapi"),
    path("api/docs/", docs.Docs.as_view(), name="docs"),
    path("api/docs/errors/", docs.ErrorCodes.as_view(), name="errors"),
]
