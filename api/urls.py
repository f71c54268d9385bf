"""The addresses of the API."""

from django.urls import include, path, register_converter

from api.converters import DayConverter
from api.views import attempts, challenges, docs, games, health, leaderboards, players

register_converter(DayConverter, "day")

v1 = [
    path("players/", players.Players.as_view(), name="players"),
    path("players/<str:name>/", players.Profile.as_view(), name="player"),
    path("me/", players.Me.as_view(), name="me"),
    path("me/tokens/", players.Tokens.as_view(), name="tokens"),
    path("me/tokens/<int:token_id>/", players.TokenDetail.as_view(), name="token"),
    path("challenges/", challenges.Challenges.as_view(), name="challenges"),
    path("challenges/<day:day>/", challenges.ChallengeDetail.as_view(), name="challenge"),
    path("challenges/<day:day>/attempts/", attempts.Attempts.as_view(), name="attempts"),
    path("challenges/<day:day>/leaderboard/", leaderboards.DayBoard.as_view(), name="leaderboard"),
    path("attempts/<uuid:attempt_id>/", attempts.AttemptDetail.as_view(), name="attempt"),
    path("attempts/<uuid:attempt_id>/run/", attempts.Submit.as_view(), name="submit"),
    path("runs/<uuid:run_id>/", attempts.RunDetail.as_view(), name="run"),
    path("rules/", games.RulesList.as_view(), name="rules-list"),
    path("rules/<slug:slug>/", games.RulesDetail.as_view(), name="rules"),
    path("deals/<str:code>/", games.DealDetail.as_view(), name="deal"),
    path("replay/", games.Replay.as_view(), name="replay"),
]
urlpatterns = [
    path("healthz", health.Alive.as_view(), name="healthz"),
    path("readyz", health.Ready.as_view(), name="readyz"),
    path("api/openapi/", docs.OpenAPI.as_view(), name="openapi"),
    path("api/docs/", docs.Docs.as_view(), name="docs"),
    path("api/docs/errors/", docs.ErrorCodes.as_view(), name="errors"),
    path("api/v1/", include(v1)),
]
