"""Several reports shown at once: all of their looks are logged, or none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from annotation.services.held_out import LookNeeded, LooksSpent
from calibration.services.look_asking import asking
from calibration.services.looks import disclose

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from annotation.models import GoldSet
    from annotation.services.held_out import Viewer
    from calibration.models import Report


@transaction.atomic
def disclose_each(*, reports: Iterable[Report], viewer: Viewer, now: datetime) -> None:
    """Log a look at each report; who has not asked is told what all of them cost."""
    wanting: list[tuple[GoldSet, LookNeeded]] = []
    for report in reports:
        try:
            disclose(report=report, viewer=viewer, now=now)
        except LooksSpent:
            raise
        except LookNeeded as needed:
            wanting.append((report.gold_version.gold_set, needed))
    if wanting:
        raise _together(wanting)


def _together(wanting: list[tuple[GoldSet, LookNeeded]]) -> LookNeeded:
    """One request for the looks at every set; with several sets, one after another."""
    asked = []
    for gold_set in dict.fromkeys(gold_set for gold_set, _ in wanting):
        mine = [needed for one, needed in wanting if one == gold_set]
        new = sum(bool(needed.detail["new"]) for needed in mine)
        asked.append(asking(gold_set, new=new, looks=len(mine)))
    message = " ".join(one.message for one in asked)
    return LookNeeded("look_needed", message, asked[0].detail)
