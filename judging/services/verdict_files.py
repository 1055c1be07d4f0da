"""Files of verdicts that were sent to the site: looked at first, then imported."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from django.db import transaction

from annotation.services.gold_sets import gold_set_named
from annotation.services.previewing import ImportPlan, preview
from judging.domain.terms import CombiningRule
from judging.services.importing import import_verdicts
from judging.services.recorded import RecordedPlan

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from annotation.services.intake import Source
    from annotation.services.previewing import Preview
    from config.accounts.models import User
    from judging.services.importing import ImportedVerdicts


@dataclass(frozen=True, slots=True)
class VerdictsPlan:
    """Whose files, into which set, and how the replies in them are read."""

    files: ImportPlan
    recorded: RecordedPlan

    def stored(self) -> dict[str, object]:
        """As JSON; the inverse is :meth:`restored`."""
        return {"files": self.files.stored(), "recorded": asdict(self.recorded)}

    @classmethod
    def restored(cls, stored: Mapping[str, Any]) -> VerdictsPlan:
        """From what :meth:`stored` gave."""
        recorded = RecordedPlan(**stored["recorded"])
        rule = CombiningRule(recorded.combining_rule)
        return cls(
            ImportPlan.restored(stored["files"]), replace(recorded, combining_rule=rule)
        )


@dataclass(frozen=True, slots=True)
class VerdictsLook:
    """The files, and what the import would come to; ``None`` where it can't be."""

    preview: Preview
    would_be: ImportedVerdicts | None


def look_at_verdicts(
    *, plan: VerdictsPlan, sources: Sequence[Source], now: datetime
) -> VerdictsLook:
    """Say what an import would come to, and write nothing.

    It is carried out and taken back, so that what it says is what it would do. Raises
    what the import raises, but for bad rows, which the preview names.
    """
    found = preview(plan=plan.files, sources=sources)
    if found.errors:
        return VerdictsLook(found, None)
    with transaction.atomic():
        would_be = commit_verdicts(plan=plan, sources=sources, by=None, now=now)
        transaction.set_rollback(True)
    return VerdictsLook(found, would_be)


def commit_verdicts(
    *, plan: VerdictsPlan, sources: Sequence[Source], by: User | None, now: datetime
) -> ImportedVerdicts:
    """Import what was looked at: all of it, or nothing."""
    return import_verdicts(
        gold_set=gold_set_named(plan.files.gold_set),
        plan=plan.recorded,
        source=plan.files.intake(sources),
        by=by,
        now=now,
    )
