"""What beat does for sentinels: start what is due, record what is done, tell people.

Two of these at once, or one too many, do no harm: every step is made once in the
database.
"""

from __future__ import annotations

import logging

from django.utils import timezone

from calibration.clients.notices import senders
from calibration.services.sentinels.notices import send_notices
from calibration.services.sentinels.tending import settle_sentinels, start_due
from config.celery import app
from judging.services.panels import runs_behind
from judging.tasks import ring

logger = logging.getLogger(__name__)
TEND = "calibration.tend_sentinels"
SCHEDULE = "the site's schedule"


def tend_sentinels() -> int:
    """Look after all sentinels once; return how many checks were started."""
    settled = settle_sentinels(now=timezone.now())
    told = start_due(now=timezone.now(), actor=SCHEDULE)
    for problem in (*settled.problems, *told.problems):
        logger.warning("Sentinel %s", problem)
    for check in told.started:
        for run in runs_behind(check.run):
            ring(run.pk)
    send_notices(senders=senders(), now=timezone.now())
    return len(told.started)


app.task(tend_sentinels, name=TEND)
