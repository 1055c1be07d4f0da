"""What the pages on gold, quality and checks share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from config.accounts.models import User
from config.accounts.permissions import has_role, role_required
from config.accounts.roles import READERS, Role
from config.errors import NotAllowed

if TYPE_CHECKING:
    from django.http import HttpRequest

readers = role_required(*READERS)
leads = role_required(Role.LEAD)


def user_of(request: HttpRequest) -> User:
    """The signed-in person; the role check let only users in."""
    assert isinstance(request.user, User)  # noqa: S101 - guaranteed by the decorator
    return request.user


def is_lead(request: HttpRequest) -> bool:
    """Whether this reader may also change something."""
    return has_role(user_of(request), Role.LEAD)


def refuse_readers(request: HttpRequest) -> None:
    """Let only leads go on where auditors may look."""
    if not is_lead(request):
        raise NotAllowed("lead_only", "Only a lead may do this.")
