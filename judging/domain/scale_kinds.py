"""All scales by kind, built from what a pointwise judge declares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judging.domain.formats.options import Options
from judging.domain.scale_gates import gated_score
from judging.domain.scale_lines import pass_fail, short_scale
from judging.domain.scales import ScaleKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from judging.domain.scales import Scale

_MAKERS = {
    ScaleKind.PASS_FAIL: pass_fail,
    ScaleKind.SHORT_SCALE: short_scale,
    ScaleKind.GATED_SCORE: gated_score,
}


def scale_from(options: Mapping[str, object]) -> Scale:
    """Build the scale that a pointwise judge declares; raises ``BadOptions``.

    ``kind`` says which. ``pass_fail`` and ``short_scale`` take ``place`` (``last_line``
    unless given, ``whole`` or ``json_field`` with ``field``); ``short_scale`` takes
    ``levels``, one description for each of 1 to k, and perhaps ``pass_mark``, the least
    score that passes; ``gated_score`` takes ``gates`` (``name`` and ``question``),
    ``cap``, the most that a response with a failed gate scores, and perhaps
    ``pass_mark``.
    """
    given = Options(options)
    kind = ScaleKind(given.one_of("kind", tuple(ScaleKind)))
    scale = _MAKERS[kind](given)
    given.refuse_others()
    return scale
