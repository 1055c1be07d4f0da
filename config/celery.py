"""The Celery application, for workers: `celery -A config.celery worker`.

Nothing in the web process imports this module until a task is sent, so that a site
without a broker starts as fast as if Celery were not installed.
"""

from __future__ import annotations

import os

from celery import Celery
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("evenhand")
app.conf.update(
    broker_url=settings.CELERY_BROKER_URL or None,
    broker_connection_retry_on_startup=True,
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    task_ignore_result=True,
    worker_prefetch_multiplier=1,
    timezone=settings.TIME_ZONE,
)
app.autodiscover_tasks()
