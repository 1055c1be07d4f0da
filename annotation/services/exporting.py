"""Labels, rulings and gold as rows to be written out, read one by one.

Who may see them, and what seeing them counts as, is up to the callers: held-out rows
are handed out by the calibration app alone, which logs the look first.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from django.db.models import BooleanField, ExpressionWrapper, Max, Q

from annotation.domain.digests import digest_of
from annotation.domain.outcomes import Split
from annotation.models import Adjudication, ExposureKind, GoldItem, Label, Pair
from annotation.services.aliases import aliases_of_all
from annotation.services.exposures import record_exposures_of
from annotation.services.label_ids import COLUMN, label_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from datetime import datetime

    from django.db.models import QuerySet

    from annotation.models import GoldSet, GoldVersion
    from config.accounts.models import User

ROWS_AT_ONCE = 2000


class Part(StrEnum):
    """Which pairs an export speaks of. ``dev`` is everything but held-out pairs."""

    DEV = "dev"
    HELD_OUT = "held_out"
    ALL = "all"

    def of(self, path: str) -> Q:
        """The condition on the field at ``path``, which holds a split."""
        held_out = Q(**{path: Split.HELD_OUT.value})
        return {Part.DEV: ~held_out, Part.HELD_OUT: held_out, Part.ALL: Q()}[self]


@dataclass(frozen=True, slots=True)
class Export:
    """One file to be: its columns, its rows, and what telling it means.

    ``held_out`` says whether held-out pairs are among the rows, ``state`` changes
    whenever what an export tells of them does.
    """

    name: str
    columns: tuple[str, ...]
    rows: Callable[[], Iterator[list[object]]]
    held_out: bool
    state: str


_PAIR = {
    "case_id": "pair__case__external_id",
    "baseline": "pair__baseline__system__name",
    "candidate": "pair__candidate__system__name",
}
_PLACE = {"split": "pair__case__split", "pair_digest": "pair__digest"}
# Column, and where it comes from; `systems` and who it was come before these.
LABELS: dict[str, str] = {
    "outcome": "outcome",
    "strength": "strength",
    "note": "note",
    "choice": "choice",
    "order": "order",
    "confidence": "confidence",
    "abstain_reason": "abstain_reason",
    "critical": "critical",
    "criteria": "criteria",
    "view": "view",
    "round": "seat__round__name",
    "retest": "is_retest",
    "guideline": "guideline__version",
    "revision": "revision",
    "elapsed_seconds": "elapsed_seconds",
    "active_seconds": "active_seconds",
    "created_at": "created_at",
    "extra": "extra",
    **_PLACE,
}
RULINGS: dict[str, str] = {
    "sequence": "sequence",
    "outcome": "outcome",
    "category": "category",
    "note": "note",
    "after_judge": "after_judge",
    "first_outcome": "first_outcome",
    "guideline": "guideline__version",
    "previous_digest": "previous_digest",
    "digest": "digest",
    "created_at": "created_at",
    **_PLACE,
}
GOLD: dict[str, str] = {
    "outcome": "outcome",
    "source": "source",
    "open_reason": "open_reason",
    "labels": "labels",
    "ruling_digest": "ruling_digest",
    "slices": "pair__case__slices",
    "critical": "pair__case__critical",
    "group": "pair__case__group",
    "version": "version__number",
    "version_digest": "version__digest",
    **_PLACE,
}
_IDS = ("case_id", "systems")
# A planned repeat tells how steady a person is; it is no vote.
_IS_RETEST = ExpressionWrapper(
    Q(seat__retest_of__isnull=False), output_field=BooleanField()
)


def labels_export(
    *, gold_set: GoldSet, part: Part, names: bool = False, every_revision: bool = False
) -> Export:
    """Labels of a set as a labels file with more columns.

    The last revision of each, or with ``every_revision`` all. Our own people are
    under their aliases unless ``names``; outside reviewers are called as in the file
    that they came from. The id of each makes it known when it is imported again.
    """
    whole = Label.objects.of_set(gold_set.pk)
    asked = (whole if every_revision else whole.current()).filter(
        part.of("pair__case__split")
    )
    found = (
        asked.annotate(is_retest=_IS_RETEST)
        .values_list(
            *_PAIR.values(),
            "pk",
            "extra",
            "reviewer_id",
            "external_reviewer",
            *LABELS.values(),
        )
        .order_by("pk")
    )
    who = _people(whole, "reviewer", gold_set, names=names)
    held_out = whole.filter(part.of("pair__case__split"), _held_out())

    def rows() -> Iterator[list[object]]:
        for case, one, two, pk, extra, user, outside, *rest in _each(found):
            name = who[user] if user else outside
            known_as = label_id(gold_set, pk, extra)
            yield [case, [one, two], name, known_as, *_plain(rest)]

    return Export(
        name=f"{gold_set.name}-labels",
        columns=(*_IDS, "reviewer", COLUMN, *LABELS),
        rows=rows,
        held_out=held_out.exists(),
        state=_state("labels", held_out),
    )


def rulings_export(*, gold_set: GoldSet, part: Part, names: bool = False) -> Export:
    """Every link of every pair's chain of rulings, in order.

    With ``names`` the digests can be computed again from the rows, since a link's
    digest is also over its author.
    """
    whole = Adjudication.objects.filter(pair__gold_set=gold_set)
    asked = whole.filter(part.of("pair__case__split"))
    found = asked.values_list(
        *_PAIR.values(), "adjudicator_id", *RULINGS.values()
    ).order_by("pair_id", "sequence")
    who = _people(whole, "adjudicator", gold_set, names=names)
    held_out = asked.filter(_held_out())

    def rows() -> Iterator[list[object]]:
        for case, one, two, user, *rest in _each(found):
            yield [case, [one, two], who[user], *_plain(rest)]

    return Export(
        name=f"{gold_set.name}-rulings",
        columns=(*_IDS, "adjudicator", *RULINGS),
        rows=rows,
        held_out=held_out.exists(),
        state=_state("rulings", held_out),
    )


def gold_export(*, version: GoldVersion, part: Part) -> Export:
    """One gold version: each pair, its outcome and where that came from.

    A pair counts as held out if it was when the version was frozen, or is now.
    """
    ever = Q(split=Split.HELD_OUT.value) | _held_out()
    condition = {Part.DEV: ~ever, Part.HELD_OUT: ever, Part.ALL: Q()}[part]
    asked = GoldItem.objects.filter(condition, version=version)
    found = asked.values_list(*_PAIR.values(), *GOLD.values()).order_by("pk")

    def rows() -> Iterator[list[object]]:
        for case, one, two, outcome, *rest in _each(found):
            # An open pair has no outcome, which is not the same as an empty text.
            yield [case, [one, two], outcome or None, *_plain(rest)]

    return Export(
        name=f"{version.gold_set.name}-gold-v{version.number}",
        columns=(*_IDS, *GOLD),
        rows=rows,
        held_out=asked.filter(ever).exists(),
        state=digest_of(["gold", version.digest]),
    )


def expose(*, gold_set: GoldSet, part: Part, user: User | None, now: datetime) -> None:
    """Note that labels and systems of these pairs get known, and to whom."""
    pairs = Pair.objects.filter(part.of("case__split"), gold_set=gold_set)
    kinds = (ExposureKind.LABELS, ExposureKind.SYSTEMS)
    record_exposures_of(user=user, pairs=pairs, kinds=kinds, now=now)


def _held_out() -> Q:
    return Part.HELD_OUT.of("pair__case__split")


def _state(what: str, rows: QuerySet[Any]) -> str:
    """Rows are only ever added, so set and newest row tell what there is."""
    newest = rows.aggregate(newest=Max("pk"))["newest"]
    return digest_of([what, newest])


def _each(found: QuerySet[Any, Any]) -> Iterator[tuple[Any, ...]]:
    return iter(found.iterator(chunk_size=ROWS_AT_ONCE))


def _plain(values: list[Any]) -> list[object]:
    return [v.isoformat() if hasattr(v, "isoformat") else v for v in values]


def _people(
    rows: QuerySet[Any], column: str, gold_set: GoldSet, *, names: bool
) -> Mapping[int, str]:
    """What to call each person: by name, or by their alias in the set."""
    if not names:
        return aliases_of_all(gold_set)
    known = rows.filter(**{f"{column}__isnull": False}).order_by().distinct()
    return dict(known.values_list(f"{column}_id", f"{column}__username"))
