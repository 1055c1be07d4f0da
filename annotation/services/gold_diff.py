"""The difference of two gold versions: what moved, by whom, and why."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import transaction

from annotation.domain.digests import digest_of
from annotation.domain.gold_changes import GoldChanges, GoldRow, gold_changes
from annotation.domain.outcomes import Outcome
from annotation.domain.rulings import GoldSource
from annotation.models import (
    Adjudication,
    ExposureKind,
    GoldItem,
    GoldVersion,
    Label,
)
from annotation.services.aliases import reviewer_aliases
from annotation.services.disclosure import note_disclosed
from annotation.services.exposures import record_exposures
from annotation.services.held_out import Showing, show_held_out
from annotation.services.seals import sealed_of
from config.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from annotation.domain.gold_changes import GoldChange
    from annotation.models import GoldSet
    from annotation.services.held_out import Viewer
    from config.accounts.models import User


@dataclass(frozen=True, slots=True)
class RulingSince:
    """A ruling that was made between the versions.

    ``correction`` and ``correction_note`` say why gold that stood was ruled on again,
    which whoever ruled did not know (DESIGN rule 14); "" for a dispute or a control.
    """

    by: str
    outcome: str
    category: str
    note: str
    after_judge: bool
    at: datetime
    correction: str
    correction_note: str


@dataclass(frozen=True, slots=True)
class LabelSince:
    """A label or revision from between the versions, under its author's alias."""

    by: str
    outcome: str
    note: str
    revision: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Explained:
    """A changed pair with what happened to it in between."""

    change: GoldChange
    rulings: tuple[RulingSince, ...]
    labels: tuple[LabelSince, ...]


@dataclass(frozen=True, slots=True)
class GoldDiff:
    """What a person sees of the difference.

    ``withheld`` counts changed pairs that are or were held out and are not among
    ``shown``, since showing them is a look at held-out gold.
    """

    before: GoldVersion
    after: GoldVersion
    changes: GoldChanges
    shown: tuple[Explained, ...]
    withheld: int

    @property
    def rulings(self) -> int:
        """How many rulings lie behind what is shown."""
        return sum(len(one.rulings) for one in self.shown)

    @property
    def rulings_after_judge(self) -> int:
        """Those of them that were made when judge results existed."""
        return sum(ruling.after_judge for one in self.shown for ruling in one.rulings)


def version_numbered(gold_set: GoldSet, number: int) -> GoldVersion:
    """One gold version; raises ``NotFound``."""
    found = gold_set.versions.filter(number=number).first()
    if found is None:
        raise NotFound(
            "gold_version_unknown", f"{gold_set.name} has no gold version {number}."
        )
    return found


@transaction.atomic
def gold_diff(
    *,
    gold_set: GoldSet,
    numbers: tuple[int, int],
    by: User | None,
    now: datetime,
    held_out: Viewer | None = None,
) -> GoldDiff:
    """Compare two versions, the older first whatever their order.

    With ``held_out``, who looks at held-out pairs, these are shown too: a look that
    locks the splits, refused while they are sealed. Whoever sees a pair's gold is not
    given it to label.
    """
    if numbers[0] == numbers[1]:
        raise InvalidInput("gold_diff_same", "These are one and the same version.")
    before, after = (version_numbered(gold_set, n) for n in sorted(numbers))
    found = gold_changes(_rows(before), _rows(after))
    sealed = sealed_of(gold_set)
    if held_out is not None and any(change.is_held_out for change in found.changes):
        what = f"gold v{before.number} to v{after.number}"
        state = digest_of(["gold difference", before.digest, after.digest])
        show_held_out(Showing(gold_set, what, state, held_out), now=now)
    seen = [
        change
        for change in found.changes
        if change.row.pair not in sealed and (held_out or not change.is_held_out)
    ]
    _note_shown([change.row.pair for change in seen], by, now)
    return GoldDiff(
        before=before,
        after=after,
        changes=found.only(seen),
        shown=_explained(seen, before, after),
        withheld=len(found.changes) - len(seen),
    )


def _note_shown(pairs: list[int], by: User | None, now: datetime) -> None:
    """A command has no person to keep from the pairs, but its rounds stay closed."""
    if by is None:
        note_disclosed(pairs=pairs, now=now)
        return
    for kind in (ExposureKind.LABELS, ExposureKind.RULING):
        record_exposures(user=by, pair_ids=pairs, kind=kind, now=now)


def _rows(version: GoldVersion) -> Iterable[GoldRow]:
    items = GoldItem.objects.filter(version=version).values_list(
        "pair_id", "pair__case__external_id", "pair__baseline__system__name",
        "pair__candidate__system__name", "split", "outcome", "source", "open_reason",
        "labels", "ruling_digest",
    )  # fmt: skip
    for pair, case, one, two, split, outcome, source, reason, labels, ruling in items:
        yield GoldRow(
            pair=pair,
            case=case,
            systems=(one, two),
            split=split,
            outcome=Outcome(outcome) if outcome else None,
            source=GoldSource(source),
            open_reason=reason,
            labels=tuple(map(Outcome, labels)),
            ruling=ruling,
        )


def _explained(
    changes: Iterable[GoldChange], before: GoldVersion, after: GoldVersion
) -> tuple[Explained, ...]:
    changes = list(changes)
    pairs = [change.row.pair for change in changes]
    rulings = _rulings(pairs, before, after)
    labels = _labels(pairs, before, after)
    return tuple(
        Explained(
            change,
            tuple(rulings.get(change.row.pair, ())),
            tuple(labels.get(change.row.pair, ())),
        )
        for change in changes
    )


def _rulings(
    pairs: Iterable[int], before: GoldVersion, after: GoldVersion
) -> Mapping[int, list[RulingSince]]:
    rows = Adjudication.objects.filter(
        pair__gold_set_id=before.gold_set_id,
        created_at__gt=before.created_at,
        created_at__lte=after.created_at,
    )
    wanted = set(pairs)
    found: defaultdict[int, list[RulingSince]] = defaultdict(list)
    for row in rows.select_related("adjudicator", "request").order_by(
        "created_at", "pk"
    ):
        if row.pair_id in wanted:
            found[row.pair_id].append(
                RulingSince(
                    by=row.adjudicator.shown_name,
                    outcome=row.outcome,
                    category=row.category,
                    note=row.note,
                    after_judge=row.after_judge,
                    at=row.created_at,
                    correction=row.request.category if row.request else "",
                    correction_note=row.request.note if row.request else "",
                )
            )
    return found


def _labels(
    pairs: Iterable[int], before: GoldVersion, after: GoldVersion
) -> Mapping[int, list[LabelSince]]:
    rows = (
        Label.objects.of_set(before.gold_set_id)
        .counted()
        .filter(created_at__gt=before.created_at, created_at__lte=after.created_at)
        .order_by("created_at", "pk")
    )
    wanted, aliases = set(pairs), reviewer_aliases(before.gold_set)
    found: defaultdict[int, list[LabelSince]] = defaultdict(list)
    for row in rows.iterator():
        if row.pair_id in wanted:
            found[row.pair_id].append(
                LabelSince(
                    by=aliases[row.reviewer_id, row.external_reviewer],
                    outcome=row.outcome,
                    note=row.note,
                    revision=row.revision,
                    at=row.created_at,
                )
            )
    return found
