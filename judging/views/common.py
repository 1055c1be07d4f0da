"""What the judge pages share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.views.decorators.http import require_http_methods

from annotation.models import ExposureKind
from annotation.services.exposures import record_exposures
from config.accounts.models import User
from config.accounts.permissions import has_role, role_required
from config.accounts.roles import READERS, Role

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from django.http import HttpRequest

readers = role_required(*READERS)
leads = role_required(Role.LEAD)
pages = require_http_methods(["GET", "HEAD", "POST"])

VERDICTS_TOO = (ExposureKind.SYSTEMS, ExposureKind.VERDICTS)


def user_of(request: HttpRequest) -> User:
    """The signed-in person; the role check let only users in."""
    assert isinstance(request.user, User)  # noqa: S101 - guaranteed by the decorator
    return request.user


def is_lead(request: HttpRequest) -> bool:
    """Whether this reader may also change something."""
    return has_role(user_of(request), Role.LEAD)


def note_seen(
    request: HttpRequest,
    pair_ids: Iterable[int],
    *,
    now: datetime,
    kinds: Iterable[ExposureKind] = VERDICTS_TOO,
) -> None:
    """Note that the reader saw pairs: they are never asked to label those."""
    ids = list(pair_ids)
    for kind in kinds:
        record_exposures(user=user_of(request), pair_ids=ids, kind=kind, now=now)
