"""What the judge API's views share: leads write, auditors read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils import timezone
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.views import APIView

from annotation.api.serializers import ErrorSerializer
from annotation.models import ExposureKind
from annotation.services.exposures import record_exposures
from config.accounts.models import User
from config.accounts.permissions import has_role
from config.accounts.roles import READERS, Role

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rest_framework.request import Request

ERRORS = {
    400: ErrorSerializer,
    403: ErrorSerializer,
    404: ErrorSerializer,
    409: ErrorSerializer,
}


class LeadsWrite(BasePermission):
    """Leads and auditors read, leads change."""

    def has_permission(self, request: Request, view: APIView) -> bool:  # noqa: ARG002 - DRF's signature
        """Whether the caller may use this method."""
        if request.method in SAFE_METHODS:
            return has_role(request.user, *READERS)
        return has_role(request.user, Role.LEAD)


class JudgingView(APIView):
    """Something about judges or runs."""

    permission_classes = [LeadsWrite]

    @property
    def person(self) -> User:
        """The caller; the permission let only users in."""
        user = self.request.user
        assert isinstance(user, User)  # noqa: S101 - guaranteed by the permission
        return user


def note_seen(user: User, pair_ids: Iterable[int]) -> None:
    """Note that the caller saw the systems and verdicts of pairs."""
    ids, now = list(pair_ids), timezone.now()
    for kind in (ExposureKind.SYSTEMS, ExposureKind.VERDICTS):
        record_exposures(user=user, pair_ids=ids, kind=kind, now=now)
