"""The versions of a guideline, each with what it changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from annotation.domain.answers import Option, options_from
from annotation.domain.wording import Line, changed_lines
from annotation.presenters.texts import SLOT_TOP, markdown

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from django.utils.safestring import SafeString

    from annotation.models import Guideline


@dataclass(frozen=True, slots=True)
class ShownVersion:
    """One version; ``lines`` is what changed since the one before, if there is one."""

    version: int
    at: datetime
    digest: str
    html: SafeString
    criteria: tuple[Option, ...]
    lines: tuple[Line, ...]


def versions_of(guidelines: Sequence[Guideline]) -> list[ShownVersion]:
    """The versions, newest first; ``guidelines`` come oldest first."""
    before: list[Guideline | None] = [None, *guidelines]
    shown = [_version(one, old) for one, old in zip(guidelines, before, strict=False)]
    return shown[::-1]


def _version(one: Guideline, old: Guideline | None) -> ShownVersion:
    return ShownVersion(
        version=one.version,
        at=one.created_at,
        digest=one.digest,
        html=markdown(one.text, top=SLOT_TOP),
        criteria=options_from(one.criteria),
        lines=tuple(changed_lines(old.text, one.text)) if old else (),
    )
