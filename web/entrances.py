"""The addresses of signing in, out, and of the second step, by the names that allauth knows them by."""

from django.urls import path

from web.views.accounts import entering

urlpatterns = [
    path("login/", entering.login, name="account_login"),
    path("login/passkey/", entering.passkey_login, name="mfa_login_webauthn"),
    path("login/step/", entering.second_step, name="mfa_authenticate"),
    path("logout/", entering.logout, name="account_logout"),
    path("again/", entering.reauthenticate, name="account_reauthenticate"),
    path("again/code/", entering.code_again, name="mfa_reauthenticate"),
    path("again/passkey/", entering.passkey_again, name="mfa_reauthenticate_webauthn"),
    path("step/", entering.index, name="mfa_index"),
    path("step/app/", entering.activate_totp, name="mfa_activate_totp"),
    path("step/app/remove/", entering.deactivate_totp, name="mfa_deactivate_totp"),
    path("step/codes/", entering.view_recovery_codes, name="mfa_view_recovery_codes"),
    path("step/codes/new/", entering.generate_recovery_codes, name="mfa_generate_recovery_codes"),
    path("step/codes/download/", entering.download_recovery_codes, name="mfa_download_recovery_codes"),
    path("step/passkeys/", entering.passkeys, name="mfa_list_webauthn"),
    path("step/passkeys/new/", entering.add_passkey, name="mfa_add_webauthn"),
    path("step/passkeys/<int:pk>/", entering.rename_passkey, name="mfa_edit_webauthn"),
    path("step/passkeys/<int:pk>/remove/", entering.remove_passkey, name="mfa_remove_webauthn"),
]
