"""Which way a judge asks and reads, by its kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from config.errors import Conflict
from judging.models import ConfigKind
from judging.services.asking import Asking
from judging.services.configuring import pointwise_spec_of, spec_of
from judging.services.marking import Marking
from judging.services.unaltered import refuse_altered

if TYPE_CHECKING:
    from judging.models import JudgeConfig
    from judging.services.asker import Asker


def asker_of(config: JudgeConfig, *, total_timeout: float) -> Asker:
    """Give what asks for a judge; raises ``Conflict`` for one that can't be asked."""
    if config.recorded or config.kind == ConfigKind.PANEL:
        raise Conflict("judge_not_asked", "This judge can't be asked by itself.")
    refuse_altered(config)
    if config.kind == ConfigKind.POINTWISE:
        return Marking(pointwise_spec_of(config), total_timeout=total_timeout)
    return Asking(spec_of(config), total_timeout=total_timeout)
