"""What leads and auditors read over the API, and leads alone write."""

from __future__ import annotations

from typing import Any

from rest_framework.views import APIView

from annotation.api.serializers import ErrorSerializer
from config.accounts.models import User
from config.accounts.permissions import api_role
from config.accounts.roles import READERS, Role

ERRORS: dict[Any, Any] = dict.fromkeys((400, 403, 404, 409), ErrorSerializer)


class ReadersView(APIView):
    """What leads and auditors read, and leads alone write.

    ``looks``: a POST writes nothing but the look that it takes.
    """

    looks = False

    def get_permissions(self) -> list[Any]:
        """Reading is for both roles, everything else for leads."""
        reads = self.looks or self.request.method in ("GET", "HEAD")
        roles = READERS if reads else (Role.LEAD,)
        return [api_role(*roles)()]

    @property
    def person(self) -> User:
        """The caller; the permission let only users in."""
        user = self.request.user
        assert isinstance(user, User)  # noqa: S101 - guaranteed by the permission
        return user
