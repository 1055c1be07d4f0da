"""The WSGI application that servers load."""

from __future__ import annotations

import gc
import os

from django.core.checks import ERROR, run_checks
from django.core.exceptions import ImproperlyConfigured
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_wsgi_application()

# Servers load this file without a management command, which would have checked.
if problems := [found for found in run_checks() if found.is_serious(ERROR)]:
    raise ImproperlyConfigured("\n".join(str(problem) for problem in problems))

# What was loaded stays: the collector need not go over it again and again, which makes
# whoever asks just then wait, nor start for the few hundred objects of each request.
GC_THRESHOLDS = (20_000, 10, 10)
gc.collect()
gc.freeze()
gc.set_threshold(*GC_THRESHOLDS)
