"""The Celery application, for workers: `celery -A config.celery worker`.

One `celery -A config.celery beat` beside them rings again for runs whose doorbell was
lost or whose worker died, and looks after sentinels.

Nothing in the web process imports this module until a task is sent, so that a site
without a broker starts as fast as if Celery were not installed.
"""

from __future__ import annotations

import os

from celery import Celery
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

RING_SECONDS = 5
TEND_SECONDS = 60

app = Celery("evenhand")
app.conf.update(
    broker_url=settings.CELERY_BROKER_URL or None,
    broker_connection_retry_on_startup=True,
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    task_ignore_result=True,
    worker_prefetch_multiplier=1,
    timezone=settings.TIME_ZONE,
    beat_schedule={
        "ring-stalled": {
            "task": "judging.ring_stalled",
            "schedule": RING_SECONDS,
            "options": {"expires": RING_SECONDS},
        },
        "tend-sentinels": {
            "task": "calibration.tend_sentinels",
            "schedule": TEND_SECONDS,
            "options": {"expires": TEND_SECONDS},
        },
    },
)
app.autodiscover_tasks()
