"""Users in the admin: leads let people in and give them roles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import Group

from config.accounts.models import User
from config.accounts.permissions import has_role
from config.accounts.roles import Role

if TYPE_CHECKING:
    from django.db.models import Model
    from django.http import HttpRequest

    PersonAdminBase = UserAdmin[User]
else:
    PersonAdminBase = UserAdmin

# Roles come from sync_roles, so groups are not edited by hand.
admin.site.unregister(Group)

PERSON = ("username", "password", "display_name", "email")
ADMINISTRATION = ("is_active", "is_superuser")


@admin.register(User)
class PersonAdmin(PersonAdminBase):
    """People, their names and roles. Only a superuser makes superusers."""

    list_display = ("username", "display_name", "role_names", "is_active", "last_login")
    list_filter = ("groups", "is_active")
    search_fields = ("username", "display_name", "email")
    fieldsets = (
        (None, {"fields": PERSON}),
        ("Access", {"fields": ("groups", *ADMINISTRATION)}),
        ("Dates", {"fields": ("last_login", "date_joined")}),
    )
    readonly_fields = ("last_login", "date_joined")
    filter_horizontal = ("groups",)

    @admin.display(description="Roles")
    def role_names(self, person: User) -> str:
        """Return the roles, as a list."""
        return ", ".join(sorted(group.name for group in person.groups.all()))

    def get_queryset(self, request: HttpRequest) -> Any:
        """Read the groups of all listed people at once."""
        return super().get_queryset(request).prefetch_related("groups")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Keep leads from making superusers."""
        fixed = super().get_readonly_fields(request, obj)
        is_superuser = getattr(request.user, "is_superuser", False)
        return fixed if is_superuser else (*fixed, "is_superuser")

    def has_module_permission(self, request: HttpRequest) -> bool:
        """List people for leads."""
        return has_role(request.user, Role.LEAD)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Let leads look."""
        del obj
        return has_role(request.user, Role.LEAD)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Let leads add people."""
        return has_role(request.user, Role.LEAD)

    def has_change_permission(
        self, request: HttpRequest, obj: Model | None = None
    ) -> bool:
        """Let leads change people, but only a superuser a superuser."""
        is_above = getattr(obj, "is_superuser", False)
        mine = getattr(request.user, "is_superuser", False)
        return has_role(request.user, Role.LEAD) and (mine or not is_above)

    def has_delete_permission(
        self, request: HttpRequest, obj: Model | None = None
    ) -> bool:
        """Refuse: labels name their authors. Switch off `active` instead."""
        del request, obj
        return False
