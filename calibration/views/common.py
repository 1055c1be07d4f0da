"""What the calibration pages share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from config.accounts.models import User
from config.accounts.permissions import role_required
from config.accounts.roles import READERS, Role

if TYPE_CHECKING:
    from django.http import HttpRequest

readers = role_required(*READERS)
leads = role_required(Role.LEAD)


def user_of(request: HttpRequest) -> User:
    """The signed-in person; the role check let only users in."""
    assert isinstance(request.user, User)  # noqa: S101 - guaranteed by the decorator
    return request.user
