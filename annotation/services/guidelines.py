"""Which version of a guideline a reviewer works by, and what changed since."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from annotation.domain.answers import Option, Questions, options_from
from annotation.domain.wording import Line, changed_lines
from annotation.models import Guideline, GuidelineSeen
from config.errors import Conflict

if TYPE_CHECKING:
    from datetime import datetime

    from annotation.models import GoldSet
    from config.accounts.models import User


@dataclass(frozen=True, slots=True)
class GuidelineChange:
    """A version that a reviewer has not been shown yet, beside the one they know."""

    seen: Guideline
    now: Guideline

    @property
    def lines(self) -> list[Line]:
        """What changed in the text, line by line."""
        return changed_lines(self.seen.text, self.now.text)

    @property
    def criteria_added(self) -> list[Option]:
        """Criteria that are asked from now on, or asked in other words."""
        before = options_from(self.seen.criteria)
        return [one for one in options_from(self.now.criteria) if one not in before]

    @property
    def criteria_removed(self) -> list[Option]:
        """Criteria that are not asked any more, or not in these words."""
        after = options_from(self.now.criteria)
        return [one for one in options_from(self.seen.criteria) if one not in after]


def guideline_for(gold_set_id: int, reviewer: User) -> Guideline | None:
    """The version that a reviewer works by: the newest that they were shown.

    Who was shown none works by the one in force.
    """
    versions = Guideline.objects.latest_seen_first(gold_set_id, reviewer.pk)
    return versions.first()


def questions_of(gold_set: GoldSet, criteria: object) -> Questions:
    """What is asked beside the choice; ``criteria`` as a guideline stores them."""
    return Questions(
        strength=gold_set.strength_wanted,
        critical=options_from(gold_set.critical_errors),
        criteria=options_from(criteria),
    )


@dataclass(frozen=True, slots=True)
class Known:
    """What a reviewer knows of a guideline: the version they work by, its criteria.

    ``seen``: they were shown it; ``newest`` is the version in force. Without any
    guideline all is empty.
    """

    gold_set_id: int
    guideline_id: int | None = None
    version: int = 0
    seen: bool = False
    newest: int = 0
    criteria: object = ()

    @property
    def change(self) -> GuidelineChange | None:
        """The change to show them first, if there is one; it is read when asked for."""
        if not self.seen or self.version == self.newest:
            return None
        found = {
            one.version: one
            for one in Guideline.objects.filter(
                gold_set_id=self.gold_set_id, version__in=[self.version, self.newest]
            )
        }
        return GuidelineChange(seen=found[self.version], now=found[self.newest])


def known_guideline(gold_set_id: int, reviewer: User) -> Known:
    """The version that a reviewer works by, as `guideline_for`, without its text."""
    versions: Any = Guideline.objects.latest_seen_first(gold_set_id, reviewer.pk)
    rows = list(versions.values_list("pk", "version", "seen", "criteria"))
    if not rows:
        return Known(gold_set_id)
    newest = max(row[1] for row in rows)
    pk, version, seen, criteria = rows[0]
    return Known(gold_set_id, pk, version, bool(seen), newest, criteria)


def note_first_seen(*, gold_set_id: int, reviewer: User, now: datetime) -> bool:
    """Note that a newcomer was shown the guideline in force; False if they knew one."""
    guideline = guideline_for(gold_set_id, reviewer)
    if guideline is None or getattr(guideline, "seen", False):
        return False
    _note(guideline, reviewer, now)
    return True


def confirm_seen(
    *, gold_set_id: int, reviewer: User, version: int, now: datetime
) -> Guideline:
    """Note that a reviewer has read a version; only the one in force can be confirmed.

    Whoever read an older one while a newer was published is shown the newer.
    """
    guideline = Guideline.objects.in_force(gold_set_id)
    if guideline is None or guideline.version != version:
        raise Conflict(
            "guideline_outdated", "The guideline has changed again; please look again."
        )
    _note(guideline, reviewer, now)
    return guideline


def _note(guideline: Guideline, reviewer: User, now: datetime) -> None:
    row = GuidelineSeen(user=reviewer, guideline=guideline, seen_at=now)
    GuidelineSeen.objects.bulk_create([row], ignore_conflicts=True)
