"""The admin site, for leads only, and read-only where rows are guarded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied

from config.accounts.permissions import has_role
from config.accounts.roles import Role

if TYPE_CHECKING:
    from django.db.models import Model
    from django.http import HttpRequest, HttpResponse

    AnyModelAdmin = admin.ModelAdmin[Any]
else:
    AnyModelAdmin = admin.ModelAdmin


class LeadAdminSite(admin.AdminSite):
    """Django's admin for active leads (and superusers, who count as leads)."""

    site_header = "Evenhand records"
    site_title = "Evenhand records"
    index_title = "Records"

    def has_permission(self, request: HttpRequest) -> bool:
        """Whether the signed-in person may open the admin at all."""
        return has_role(request.user, Role.LEAD)

    def login(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Use the one login page of the site; refuse who is in but no lead."""
        del extra_context
        if request.user.is_authenticated:
            raise PermissionDenied
        return redirect_to_login(request.GET.get("next") or request.get_full_path())


class ReadOnlyAdmin(AnyModelAdmin):
    """Shows rows and changes none."""

    def has_view_permission(
        self, request: HttpRequest, obj: Model | None = None
    ) -> bool:
        """Let leads look, whatever single permissions they hold."""
        del obj
        return has_role(request.user, Role.LEAD)

    def has_module_permission(self, request: HttpRequest) -> bool:
        """List the app for whoever may look."""
        return self.has_view_permission(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse: rows come from the services."""
        del request
        return False

    def has_change_permission(
        self, request: HttpRequest, obj: Model | None = None
    ) -> bool:
        """Refuse: rows come from the services."""
        del request, obj
        return False

    def has_delete_permission(
        self, request: HttpRequest, obj: Model | None = None
    ) -> bool:
        """Refuse: nothing is deleted."""
        del request, obj
        return False
