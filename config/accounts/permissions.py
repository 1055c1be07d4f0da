"""Who may do what: one function behind pages, API, admin and templates.

A superuser counts as a lead and as nothing else: whoever administers the site is not
thereby a blind reviewer.
"""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from rest_framework.permissions import BasePermission

from config.accounts.models import User
from config.accounts.roles import READERS, Role

P = ParamSpec("P")

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from django.contrib.auth.models import AnonymousUser
    from django.http import HttpRequest, HttpResponseBase
    from rest_framework.request import Request

    View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]
CACHE = "_evenhand_roles"


def roles_of(user: User | AnonymousUser | None) -> frozenset[Role]:
    """Return the roles of an active user, read once for each user object."""
    if not isinstance(user, User) or not user.is_active or user.pk is None:
        return frozenset()
    cached: frozenset[Role] | None = getattr(user, CACHE, None)
    if cached is None:
        cached = _read_roles(user)
        setattr(user, CACHE, cached)
    return cached


def remember_roles(user: User, groups: Collection[str | None]) -> None:
    """Note the roles of a user whose groups were read along with them."""
    setattr(user, CACHE, _held(user, groups))


def _read_roles(user: User) -> frozenset[Role]:
    return _held(user, set(user.groups.values_list("name", flat=True)))


def _held(user: User, names: Collection[str | None]) -> frozenset[Role]:
    held = {role for role in Role if role.value in names}
    return frozenset(held | {Role.LEAD}) if user.is_superuser else frozenset(held)


def forget_roles(user: User) -> None:
    """Drop the remembered roles, after groups of this object were changed."""
    user.__dict__.pop(CACHE, None)


def has_role(user: User | AnonymousUser | None, *roles: Role) -> bool:
    """Whether the user holds at least one of the roles."""
    return not roles_of(user).isdisjoint(roles)


def reads_all(user: User | AnonymousUser | None) -> bool:
    """Whether the user can see systems and results, so that they don't label blind."""
    return has_role(user, *READERS)


def role_required(*roles: Role) -> Callable[[View[P]], View[P]]:
    """Let only holders of one of the roles into a view.

    Others are sent to the login page when not signed in, and refused with 403 when
    they are.
    """

    def decorate(view: View[P]) -> View[P]:
        @wraps(view)
        def guarded(
            request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs
        ) -> HttpResponseBase:
            if not request.user.is_authenticated:
                return redirect_to_login(request.get_full_path())
            if not has_role(request.user, *roles):
                raise PermissionDenied
            return view(request, *args, **kwargs)

        return guarded

    return decorate


class RolePermission(BasePermission):
    """The same rule for API views; subclasses name the roles."""

    roles: tuple[Role, ...] = ()

    def has_permission(self, request: Request, view: Any) -> bool:  # noqa: ARG002 - DRF's signature
        """Whether the caller holds one of the roles."""
        return has_role(request.user, *self.roles)


def api_role(*roles: Role) -> type[RolePermission]:
    """Return a permission class for `permission_classes` that asks for a role."""
    name = "Is" + "Or".join(role.label for role in roles)
    return type(name, (RolePermission,), {"roles": roles})
