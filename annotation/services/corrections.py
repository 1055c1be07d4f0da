"""Sending pairs that have gold to be ruled on again, blind and among controls."""

from __future__ import annotations

import uuid
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction
from django.db.models import Count, Max, Min, Q

from annotation.domain.pair_lines import NamedPair, pair_lines
from annotation.domain.ruling_categories import category_label
from annotation.domain.rulings import RulingCategory, note_problem
from annotation.models import Pair, RequestKind, RulingRequest
from annotation.services.ruling_chains import standing_gold
from annotation.services.seals import refuse_sealed
from config.errors import Conflict, InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime

    from annotation.models import GoldSet
    from config.accounts.models import User

LONGEST_NOTE = 20_000
EXAMPLES = 5


@dataclass(frozen=True, slots=True)
class Batch:
    """Pairs that were sent together, and how many of them were ruled on since."""

    batch: uuid.UUID
    requested_at: datetime
    requested_by: str
    category: str
    note: str
    corrections: int
    controls: int
    closed: int

    @property
    def total(self) -> int:
        """All pairs of the batch."""
        return self.corrections + self.controls


_judges: list[Callable[[Sequence[Pair]], frozenset[int]]] = []


def ask_of_judges(differing: Callable[[Sequence[Pair]], frozenset[int]]) -> None:
    """Have ``differing`` say on which of some pairs a judge is known to leave gold.

    A later app knows what judges said; this one only asks.
    """
    if differing not in _judges:
        _judges.append(differing)


@transaction.atomic
def request_corrections(
    *,
    pairs: Sequence[Pair],
    controls: Sequence[Pair],
    by: User,
    category: RulingCategory,
    note: str,
    now: datetime,
    vouched: bool = False,
) -> tuple[RulingRequest, ...]:
    """Send pairs to blind adjudication, mixed with at least as many controls.

    Controls are pairs on which judge and gold agree; those known to be otherwise are
    refused, unless the caller took them from a report and has ``vouched`` for them. All
    pairs are of one gold set, have gold, and are not being ruled on again already. None
    is sealed: whether such a pair has gold is not told. The rulings come from anybody
    but ``by`` (DESIGN rule 14). Returns the requests, corrections first.
    """
    _check_reason(category, note)
    _check_mix(pairs, controls)
    refuse_sealed(Pair.objects.filter(pk__in=[p.pk for p in (*pairs, *controls)]))
    rows = [
        *_rows(pairs, RequestKind.CORRECTION),
        *_rows(controls, RequestKind.CONTROL),
    ]
    _check_gold([row.pair for row in rows])
    if not vouched:
        _check_controls(controls)
    batch = uuid.uuid4()
    for row in rows:
        row.batch, row.requested_by, row.requested_at = batch, by, now
        if row.kind == RequestKind.CORRECTION:
            row.category, row.note = category.value, note
    try:
        with transaction.atomic():
            return tuple(RulingRequest.objects.bulk_create(rows, batch_size=500))
    except IntegrityError as error:
        raise Conflict("already_requested", _already(rows)) from error


def _rows(pairs: Sequence[Pair], kind: RequestKind) -> Iterator[RulingRequest]:
    for pair in pairs:
        yield RulingRequest(pair=pair, kind=kind.value)


def _check_reason(category: RulingCategory, note: str) -> None:
    if not category.is_correction:
        raise InvalidInput("correction_invalid", "category: not one for corrections")
    problem = note_problem(note)
    if problem is None and len(note) > LONGEST_NOTE:
        problem = f"longer than {LONGEST_NOTE} characters"
    if problem is not None:
        raise InvalidInput("correction_invalid", f"note: {problem}")


def _check_mix(pairs: Sequence[Pair], controls: Sequence[Pair]) -> None:
    if not pairs:
        raise InvalidInput("correction_invalid", "pairs: none is named")
    if len(controls) < len(pairs):
        raise InvalidInput(
            "too_few_controls",
            f"{len(pairs)} to correct need at least as many controls, pairs on which "
            f"judge and gold agree; {len(controls)} named.",
        )
    both = [*pairs, *controls]
    twice = [pk for pk, times in Counter(pair.pk for pair in both).items() if times > 1]
    if twice:
        names = _names([pair for pair in both if pair.pk in twice])
        raise InvalidInput("correction_invalid", f"named twice: {names}")
    if len({pair.gold_set_id for pair in both}) > 1:
        raise InvalidInput("correction_invalid", "pairs are of different gold sets")


def _check_gold(pairs: Sequence[Pair]) -> None:
    gold = standing_gold(pairs)
    without = [pair for pair in pairs if gold[pair.pk] is None]
    if without:
        raise Conflict(
            "no_gold_yet",
            f"These have no gold to correct; disputed pairs wait for a ruling anyway: "
            f"{_names(without)}",
        )


def _check_controls(controls: Sequence[Pair]) -> None:
    differing = frozenset[int]().union(*(judge(controls) for judge in _judges))
    wrong = [pair for pair in controls if pair.pk in differing]
    if wrong:
        raise InvalidInput(
            "control_differs",
            "Controls are pairs on which judge and gold agree; by the newest report "
            f"they differ on: {_names(wrong)}",
        )


def _already(rows: Sequence[RulingRequest]) -> str:
    waiting = RulingRequest.objects.filter(
        pair__in=[row.pair_id for row in rows], closed_at__isnull=True
    )
    names = _names([row.pair for row in waiting.select_related("pair__case")])
    return f"These wait to be ruled on again already: {names}"


def _names(pairs: Sequence[Pair]) -> str:
    found = list(dict.fromkeys(pair.case.external_id for pair in pairs))
    more = f" and {len(found) - EXAMPLES} more" if len(found) > EXAMPLES else ""
    return ", ".join(found[:EXAMPLES]) + more


def pairs_named(*, gold_set: GoldSet, text: str) -> list[Pair]:
    """The pairs that a list names, one a line; raises InvalidInput for unknown ones."""
    lines = pair_lines(text)
    ids = {reading.case_id for _, readings in lines for reading in readings}
    known: dict[str, list[Pair]] = {}
    rows = Pair.objects.filter(gold_set=gold_set, case__external_id__in=ids)
    for pair in rows.with_names().in_order():
        known.setdefault(pair.case.external_id, []).append(pair)
    return [_named(line, readings, known) for line, readings in lines]


def _named(
    line: str, readings: Sequence[NamedPair], known: dict[str, list[Pair]]
) -> Pair:
    for reading in readings:
        found = known.get(reading.case_id, [])
        if reading.systems is not None:
            found = [pair for pair in found if _systems(pair) == reading.systems]
        if len(found) == 1:
            return found[0]
        if found:
            raise InvalidInput(
                "pair_ambiguous",
                f"{line}: this case has {len(found)} pairs; add a space and the "
                f"systems, as in “{line} {'|'.join(_systems(found[0]))}”",
            )
    raise InvalidInput("pair_unknown", f"{line}: there is no such case or pair")


def _systems(pair: Pair) -> tuple[str, str]:
    return pair.baseline.system.name, pair.candidate.system.name


def batches(gold_set: GoldSet) -> tuple[Batch, ...]:
    """What was sent to be ruled on again, newest first."""
    correction = Q(kind=RequestKind.CORRECTION)
    rows = (
        RulingRequest.objects.filter(pair__gold_set=gold_set)
        .values("batch", "requested_at", "requested_by__username")
        .annotate(
            corrections=Count("pk", filter=correction),
            controls=Count("pk", filter=~correction),
            closed=Count("closed_at"),
            why=Max("category"),
            # One note for all corrections of a batch; its controls have none.
            said=Max("note"),
            first=Min("pk"),
        )
        .order_by("-first")
    )
    return tuple(
        Batch(
            batch=row["batch"],
            requested_at=row["requested_at"],
            requested_by=row["requested_by__username"],
            category=category_label(row["why"], []),
            note=row["said"],
            corrections=row["corrections"],
            controls=row["controls"],
            closed=row["closed"],
        )
        for row in rows
    )
