"""A frozen judge is what its digest was taken of, or it is not used.

The database refuses to change a frozen row, but whoever holds the file or the server
can get around that. So the digest is taken again whenever a judge is loaded for a run
or a report.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotation.domain.digests import digest_of
from config.errors import Conflict

if TYPE_CHECKING:
    from judging.models import JudgeConfig


def refuse_altered(config: JudgeConfig) -> None:
    """Raise ``Conflict``, naming it, for a frozen judge that is not what it was."""
    if config.frozen_at is None or digest_of(config.spec) == config.digest:
        return
    raise Conflict(
        "judge_altered",
        f"{config} is not what was frozen: its specification has another digest than "
        f"{config.digest[:12]}…, so somebody changed it in the database. It is neither "
        "asked nor reported; restore the row from a backup.",
        {"judge": str(config)},
    )
