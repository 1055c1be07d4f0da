"""The cases of a report on which the judge contradicts itself, and who may see them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from annotation.domain.outcomes import Split
from calibration.domain.contradictions import contradictions
from calibration.services.report_cases import refuse_closed
from calibration.services.reporting import build_sample
from calibration.services.reviewing import record_seen
from judging.services.evidence import pair_evidence

if TYPE_CHECKING:
    from datetime import datetime

    from calibration.domain.contradictions import Contradiction
    from calibration.models import Report
    from config.accounts.models import User

MOST = 200  # cases: the worst of them come first


def contradictions_of(
    *, report: Report, split: str, user: User, now: datetime
) -> tuple[tuple[Contradiction, ...], int]:
    """The worst cases of a part of a report, at most 200, and how many there are.

    ``split`` is ``dev``, ``held_out``, or anything else for all that is not held out.
    Held-out ones only in a look of their own (``refuse_closed``); that the person saw
    their pairs is noted.
    """
    held_out = split == Split.HELD_OUT.value
    refuse_closed(report, held_out=held_out, user=user)
    sample = build_sample(report.run, report.gold_version, pair_evidence(report.run))
    if split in {Split.DEV.value, Split.HELD_OUT.value}:
        kept = [row.split is Split(split) for row in sample.rows]
    else:
        kept = [row.split is not Split.HELD_OUT for row in sample.rows]
    shown, total = contradictions(sample.keep(np.array(kept, bool)), MOST)
    ids = [int(pair) for one in shown for pair in one.pairs]
    record_seen(user=user, pair_ids=ids, now=now)
    return shown, total
