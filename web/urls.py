"""The addresses of the pages."""

from django.urls import path

import leaderboard.converters  # noqa: F401 (day, week and month in paths)
from web.views import (
    archive,
    boards,
    fairness,
    install,
    leagues,
    play,
    profiles,
    rules,
    runs,
    today,
)
from web.views.accounts import joining, keeping, leaving, mailed

app_name = "web"
urlpatterns = [
    path("", today.today, name="today"),
    path("play/", play.play, name="play"),
    path("practice/", play.practice, name="practice"),
    path("runs/<uuid:run_id>/", runs.run, name="run"),
    path("runs/<uuid:run_id>/replay/", runs.replay, name="replay"),
    path("runs/<uuid:run_id>/picture.png", runs.picture, name="run-picture"),
    path("days/", archive.archive, name="archive"),
    path("days/<day:day>/", boards.day, name="day"),
    path("days/<day:day>/verify/", fairness.verify, name="verify"),
    path("boards/week/<week:period>/", boards.week, name="week"),
    path("boards/month/<month:period>/", boards.month, name="month"),
    path("boards/all-time/", boards.all_time, name="all-time"),
    path("players/<path:name>/", profiles.profile, name="profile"),
    path("leagues/", leagues.leagues, name="leagues"),
    path("leagues/<str:code>/", leagues.league, name="league"),
    path("rules/", rules.rules, name="rules"),
    path("rules/<slug:slug>/", rules.rule_set, name="rule-set"),
    path("fairness/", fairness.fairness, name="fairness"),
    path("guests/", joining.guest, name="guest"),
    path("account/", keeping.account, name="account"),
    path("account/new/", joining.sign_up, name="sign-up"),
    path("account/profile/", keeping.change_profile, name="change-profile"),
    path("account/email/", keeping.change_email, name="change-email"),
    path("account/password/", keeping.change_password, name="change-password"),
    path("account/tokens/", keeping.new_token, name="new-token"),
    path("account/tokens/<int:token_id>/revoke/", keeping.revoke_token, name="revoke-token"),
    path("account/export/", leaving.export, name="export"),
    path("account/delete/", leaving.delete, name="delete"),
    path("account/verify/<str:link>/", mailed.verify, name="verify-email"),
    path("account/reset/", mailed.forgotten, name="forgotten"),
    path("account/reset/<str:link>/", mailed.reset, name="reset"),
    path("manifest.webmanifest", install.manifest, name="manifest"),
    path("icon-180.png", install.icon, {"size": 180, "is_maskable": True}, name="icon-180"),
    path("icon-192.png", install.icon, {"size": 192}, name="icon-192"),
    path("icon-512.png", install.icon, {"size": 512}, name="icon-512"),
    path("icon-maskable.png", install.icon, {"size": 512, "is_maskable": True}, name="icon-maskable"),
    path("share.png", install.share_picture, name="share-picture"),
    path("worker.js", install.worker, name="worker"),
    path("offline/", install.offline, name="offline"),
    path("robots.txt", install.robots, name="robots"),
]
