"""Whether the site can work, for load balancers and monitors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import DatabaseError, connection
from django.http import HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config.db import guards

if TYPE_CHECKING:
    from django.http import HttpRequest


@require_safe
@never_cache
def health(_: HttpRequest) -> HttpResponse:
    """Reply 200 `ok`, or 503 when the database is away or lacks a guard."""
    try:
        problem = "guards missing" if guards.missing(connection) else ""
    except DatabaseError:
        problem = "database unavailable"
    return HttpResponse(
        problem or "ok", status=503 if problem else 200, content_type="text/plain"
    )
