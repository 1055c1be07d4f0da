"""The part of the start page that leads and auditors see."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from calibration.presenters.rows import report_rows
from calibration.services import overviews
from config.accounts.permissions import has_role
from config.accounts.roles import READERS

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from config.accounts.models import User

LATEST = 5


def home_context(user: User | AnonymousUser) -> dict[str, Any]:
    """What `calibration/_home.html` shows; nothing for people of other roles."""
    if not has_role(user, *READERS):
        return {}
    return {
        "gold_sets": list(overviews.gold_sets()),
        "latest_runs": list(overviews.runs()[:LATEST]),
        "latest_reports": report_rows(overviews.reports()[:LATEST]),
    }
