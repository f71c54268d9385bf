"""People in the admin site: look, rename, close, and end tokens. Nobody is deleted here."""

from collections.abc import Iterator
from typing import Any, override

import allauth.account.admin
import allauth.mfa.admin  # noqa: F401 (they register what is taken back below)
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django import forms
from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import AdminUserCreationForm
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html

from players.errors import NameTaken
from players.lookalikes import skeleton
from players.models import Player, Token, validate_name
from players.names import normalise
from players.second_factor import remove_second_factor
from players.services import rename_friendly, revoke_all_tokens, revoke_token

admin.site.unregister(EmailAddress)  # stays empty: an address is its player's
admin.site.unregister(Authenticator)  # holds secrets
RIGHTS = ("is_staff", "is_superuser", "groups", "user_permissions")


def clean_name(form: "PlayerForm | NewPlayerForm") -> str:
    """The name as it is kept, refused in the form if it is taken (the constraint refuses it in any case)."""
    validate_name(form.cleaned_data["name"])
    name = normalise(form.cleaned_data["name"], allow_reserved=True)
    if Player.objects.filter(name_key=skeleton(name)).exclude(pk=form.instance.pk).exists():
        raise forms.ValidationError(NameTaken.default_detail, code=NameTaken.default_code)
    return name


class PlayerForm(forms.ModelForm[Player]):
    """What staff may change about a player."""

    clean_name = clean_name


class NewPlayerForm(AdminUserCreationForm[Player]):
    """A new account with a password, such as a colleague's."""

    clean_name = clean_name

    class Meta:
        model = Player
        fields = ("name",)


class TokenInline(admin.TabularInline[Token, Player]):
    """A player's tokens, to look at."""

    model = Token
    fields = readonly_fields = ("hint", "label", "created_at", "revoked_at")
    ordering = ("-id",)
    extra = 0
    can_delete = False

    @override
    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Player)
class PlayerAdmin(UserAdmin[Player]):
    """Players by name, look-alikes included."""

    list_display = ("name", "is_guest", "is_bot", "is_staff", "is_active", "country", "created_at")
    list_filter = ("is_guest", "is_bot", "is_staff", "is_active")
    search_fields = ("name", "email")
    ordering = ("-id",)
    show_full_result_count = False
    readonly_fields = (
        "password_link", "is_guest", "is_bot", "country", "last_login", "created_at", "deleted_at"
    )  # fmt: skip
    fieldsets = (
        (None, {"fields": ("name", "country", "is_active", "is_guest", "is_bot")}),
        ("Account", {"fields": ("email", "email_verified_at", "password_link")}),
        ("Rights", {"fields": RIGHTS, "classes": ("collapse",)}),
        ("Dates", {"fields": ("created_at", "last_login", "deleted_at")}),
    )
    add_fieldsets = ((None, {"fields": ("name", "usable_password", "password1", "password2")}),)
    form = PlayerForm
    add_form = NewPlayerForm
    inlines = (TokenInline,)
    actions = ("give_friendly_name", "revoke_tokens", "remove_second_factors")

    @admin.display(description="password")
    def password_link(self, player: Player) -> str:
        """Whether there is a password, never its hash, and the way to set one."""
        state = "set" if player.has_usable_password() else "none"
        return format_html('{} (<a href="../password/">change</a>)', state)

    @admin.action(description="Give a friendly name instead", permissions=["change"])
    def give_friendly_name(self, request: HttpRequest, players: QuerySet[Player]) -> None:
        """Takes names that offend from the players selected."""
        for player in self.changeable(request, players):
            old_name = player.name
            rename_friendly(player=player)
            self.log_change(request, player, f"Renamed from “{old_name}” to “{player.name}”.")
            self.message_user(request, f"“{old_name}” is “{player.name}” now.")

    @admin.action(description="Revoke all tokens", permissions=["change"])
    def revoke_tokens(self, request: HttpRequest, players: QuerySet[Player]) -> None:
        """Logs the players selected out of every program."""
        for player in self.changeable(request, players):
            count = revoke_all_tokens(player=player)
            self.log_change(request, player, f"Revoked {count} tokens.")
            self.message_user(request, f"Revoked {count} tokens of “{player.name}”.", messages.SUCCESS)

    @admin.action(description="Remove the second step and passkeys", permissions=["change"])
    def remove_second_factors(self, request: HttpRequest, players: QuerySet[Player]) -> None:
        """Lets in again, by the password alone, who lost the app, the passkeys and the recovery codes."""
        for player in self.changeable(request, players):
            if remove_second_factor(player=player):
                self.log_change(request, player, "Removed the second step.")
                self.message_user(request, f"“{player.name}” signs in by the password alone now.")
            else:
                self.message_user(request, f"“{player.name}” has no second step.", messages.WARNING)

    def changeable(self, request: HttpRequest, players: QuerySet[Player]) -> Iterator[Player]:
        """Those of the players whom this member of staff may change; says whom not."""
        for player in players:
            if self.has_change_permission(request, player):
                yield player
            else:
                self.message_user(request, f"You may not change “{player.name}”.", messages.ERROR)

    @override
    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Player], search_term: str
    ) -> tuple[QuerySet[Player], bool]:
        found, may_have_duplicates = super().get_search_results(request, queryset, search_term)
        if key := skeleton(search_term):
            found |= queryset.filter(name_key__contains=key)
        return found, may_have_duplicates

    @override
    def get_readonly_fields(self, request: HttpRequest, obj: Player | None = None) -> tuple[str, ...]:
        return self.readonly_fields if is_superuser(request) else self.readonly_fields + RIGHTS

    @override
    def has_change_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        may_change = super().has_change_permission(request, obj)
        if obj is None or not may_change:
            return may_change
        return not obj.deleted_at and (is_superuser(request) or not obj.is_staff)

    @override
    def has_delete_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        return False

    @override
    def save_model(self, request: HttpRequest, obj: Player, form: Any, change: bool) -> None:
        obj.is_guest = obj.is_guest and change
        super().save_model(request, obj, form, change)


@admin.register(Token)
class TokenAdmin(admin.ModelAdmin[Token]):
    """Every token, to find and to revoke."""

    list_display = ("hint", "label", "player", "created_at", "revoked_at")
    list_filter = (("revoked_at", admin.EmptyFieldListFilter),)
    list_select_related = ("player",)
    search_fields = ("hint", "player__name")
    ordering = ("-id",)
    show_full_result_count = False
    actions = ("revoke",)

    @admin.action(description="Revoke", permissions=["revoke"])
    def revoke(self, request: HttpRequest, tokens: QuerySet[Token]) -> None:
        """Ends the tokens selected."""
        for token in tokens:
            revoke_token(token=token)
            self.log_change(request, token, "Revoked.")

    def has_revoke_permission(self, request: HttpRequest) -> bool:
        """Whether this member of staff may end tokens, which is all that can change about them."""
        return super().has_change_permission(request)

    @override
    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    @override
    def has_change_permission(self, request: HttpRequest, obj: Token | None = None) -> bool:
        return False

    @override
    def has_delete_permission(self, request: HttpRequest, obj: Token | None = None) -> bool:
        return False


def is_superuser(request: HttpRequest) -> bool:
    """Whether the member of staff who asks may do everything."""
    return isinstance(request.user, Player) and request.user.is_superuser
