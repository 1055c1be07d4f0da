"""Files that are sent while they are still being written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import StreamingHttpResponse

if TYPE_CHECKING:
    from calibration.services.exports import Download


def streamed(found: Download) -> StreamingHttpResponse:
    """A download that is written while it is read."""
    reply = StreamingHttpResponse(found.pieces, content_type=found.content_type)
    reply["Content-Disposition"] = f'attachment; filename="{found.filename}"'
    reply["X-Accel-Buffering"] = "no"  # else a proxy may keep it whole
    return reply
