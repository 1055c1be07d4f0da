"""A judge's line of versions: editing drafts, copying, comparing, retiring."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction

from annotation.domain.digests import canonical_json
from config.errors import Conflict
from judging.domain.kinds import up_to_date
from judging.models import ConfigKind, JudgeConfig, Retirement
from judging.services.configuring import (
    asked_spec_of,
    draft_judge,
    refuse_impossible,
    take_from,
)

if TYPE_CHECKING:
    from datetime import datetime

    from config.accounts.models import User
    from judging.domain.kinds import AskedSpec

SIGNS = {" ": "same", "+": "added", "-": "removed"}


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One line of a text difference: ``same``, ``added`` or ``removed``."""

    change: str
    text: str


@dataclass(frozen=True, slots=True)
class FieldDifference:
    """A field in which two judges differ; ``lines`` for texts of several lines."""

    field: str
    before: object
    after: object
    lines: tuple[DiffLine, ...] = ()


@transaction.atomic
def edit_draft(
    *, config: JudgeConfig, spec: AskedSpec, by: User | None, now: datetime
) -> JudgeConfig:
    """Replace the specification of a draft; raises ``Conflict`` once it is frozen."""
    draft = JudgeConfig.objects.select_for_update().get(pk=config.pk)
    if draft.frozen_at is not None:
        raise Conflict("judge_frozen", f"{draft} is frozen; copy it to a new draft.")
    if draft.retired:
        raise Conflict("judge_retired", f"{draft} is retired; copy it to a new draft.")
    kind = draft.kind
    refuse_impossible(spec)
    take_from(spec, draft)
    if draft.kind != kind:
        raise Conflict("judge_other_kind", f"{draft} is a {kind} judge and stays one.")
    draft.created_at, draft.created_by = now, by
    draft.save()
    return draft


def copy_to_draft(
    *, config: JudgeConfig, by: User | None, now: datetime, name: str | None = None
) -> JudgeConfig:
    """Make a new draft like a judge: the next version of its line, or of another's.

    It is rendered and read as this release does.
    """
    if config.recorded or config.kind == ConfigKind.PANEL:
        raise Conflict("judge_not_copied", "Only a judge that is asked can be copied.")
    return draft_judge(
        name=name or config.name,
        spec=up_to_date(asked_spec_of(config)),
        by=by,
        now=now,
    )


def retire(
    *, config: JudgeConfig, by: User | None, now: datetime, reason: str = ""
) -> Retirement:
    """Take a judge out of use: no new run, while its runs and reports stay."""
    try:
        with transaction.atomic():
            return Retirement.objects.create(
                config=config, reason=reason, retired_at=now, retired_by=by
            )
    except IntegrityError as error:
        raise Conflict("judge_retired", f"{config} is retired already.") from error


def differences(before: JudgeConfig, after: JudgeConfig) -> tuple[FieldDifference, ...]:
    """The fields of the specification in which two judges differ, by name."""
    return spec_differences(before.spec, after.spec)


def spec_differences(
    before: dict[str, object], after: dict[str, object]
) -> tuple[FieldDifference, ...]:
    """The keys whose values differ; one that is missing counts as ``None``.

    Parameters and other objects are compared key by key (``params.temperature``).
    """
    flat_before, flat_after = _flat(before), _flat(after)
    names = sorted(flat_before.keys() | flat_after.keys())
    return tuple(
        _difference(name, flat_before.get(name), flat_after.get(name))
        for name in names
        if _differ(flat_before.get(name), flat_after.get(name))
    )


def _flat(value: dict[str, object], prefix: str = "") -> dict[str, object]:
    flat: dict[str, object] = {}
    for key, item in value.items():
        if isinstance(item, dict) and item:
            flat |= _flat(item, f"{prefix}{key}.")
        else:
            flat[f"{prefix}{key}"] = item
    return flat


def _differ(one: object, other: object) -> bool:
    """1 and true are different values, although Python finds them equal."""
    return canonical_json(one) != canonical_json(other)


def _difference(name: str, before: object, after: object) -> FieldDifference:
    lines: tuple[DiffLine, ...] = ()
    if isinstance(before, str) and isinstance(after, str) and "\n" in before + after:
        lines = diff_lines(before, after)
    return FieldDifference(name, before, after, lines)


def diff_lines(before: str, after: str) -> tuple[DiffLine, ...]:
    """Compare two texts line by line."""
    compared = difflib.Differ().compare(before.splitlines(), after.splitlines())
    return tuple(
        DiffLine(SIGNS[line[0]], line[2:]) for line in compared if line[0] in SIGNS
    )
