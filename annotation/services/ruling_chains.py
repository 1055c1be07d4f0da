"""The rulings on a pair, for who ruled on it and for who may read everything."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from annotation.domain.consensus import ConsensusRule, Settled, consensus
from annotation.domain.outcomes import Order, Outcome, SlotChoice, Split, choice_for
from annotation.domain.ruling_categories import category_label
from annotation.domain.rulings import ChainProblem, verify_chain
from annotation.models import (
    Adjudication,
    ExposureKind,
    GoldSet,
    Hearing,
    Label,
    Pair,
    RequestKind,
    Seat,
)
from annotation.services.adjudicating import link_of
from annotation.services.disclosure import WouldDisclose, at_stake, round_names
from annotation.services.exporting import Part, rulings_export
from annotation.services.exposures import record_exposures
from annotation.services.held_out import Showing, Viewer, show_held_out
from annotation.services.seals import not_under_seal, refuse_sealed
from config.errors import Conflict

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from config.accounts.models import User


@dataclass(frozen=True, slots=True)
class PastRuling:
    """A ruling as an adjudicator may see it: no name, no reason why it was asked for.

    ``by`` is "you" or a number in the order in which people ruled on this pair;
    ``choice`` and ``before`` speak of the slots of this person's hearing.
    """

    sequence: int
    by: str
    at: datetime
    choice: SlotChoice
    before: SlotChoice | None
    category: str
    note: str
    first_choice: SlotChoice | None


@dataclass(frozen=True, slots=True)
class RulingRecord:
    """A ruling in full; ``before`` is the gold it replaced, None where none stood."""

    ruling: Adjudication
    category: str
    before: Outcome | None

    @property
    def moved(self) -> bool:
        """Whether gold that stood was changed."""
        return self.before is not None and self.before.value != self.ruling.outcome

    @property
    def correction(self) -> bool:
        """Whether it answers a request for a correction, rather than a control."""
        request = self.ruling.request
        return request is not None and request.kind == RequestKind.CORRECTION


@dataclass(frozen=True, slots=True)
class Chain:
    """All rulings on one pair, oldest first, and what is wrong with their chain."""

    pair: Pair
    records: tuple[RulingRecord, ...]
    problems: tuple[ChainProblem, ...]


def past_rulings(hearing: Hearing) -> tuple[PastRuling, ...]:
    """The chain of a pair, for who has ruled in this hearing."""
    here = Order(hearing.order)
    chain = _chains([hearing.pair_id])[0]
    people: dict[int, str] = {}
    return tuple(_past(record, hearing, here, people) for record in chain.records)


def _past(
    record: RulingRecord, hearing: Hearing, here: Order, people: dict[int, str]
) -> PastRuling:
    ruling = record.ruling
    if ruling.adjudicator_id == hearing.adjudicator_id:
        by = "you"
    else:
        number = str(len(people) + 1)
        by = people.setdefault(ruling.adjudicator_id, f"adjudicator {number}")
    first = ruling.first_outcome
    return PastRuling(
        sequence=ruling.sequence,
        by=by,
        at=ruling.created_at,
        choice=choice_for(Outcome(ruling.outcome), here),
        before=choice_for(record.before, here) if record.before else None,
        category=record.category,
        note=ruling.note,
        first_choice=choice_for(Outcome(first), here) if first else None,
    )


def ruled_pairs(gold_set: GoldSet, *, held_out: bool) -> QuerySet[Pair]:
    """The pairs of a set that were ruled on; held-out ones only when asked for."""
    found: QuerySet[Pair] = Pair.objects.with_names().filter(
        gold_set=gold_set, adjudications__sequence=1
    )
    if held_out:
        found = found.filter(case__split=Split.HELD_OUT.value)
        found = found.exclude(_labelled_now())
    else:
        found = told_without_a_look(found)
    return found.order_by("case__external_id", "pk")


def told_without_a_look(pairs: QuerySet[Pair]) -> QuerySet[Pair]:
    """Those of ``pairs`` of which any reader may be told that they were ruled on.

    Not held-out ones, none under a seal, and none that are being labelled.
    """
    told = pairs.exclude(case__split=Split.HELD_OUT.value).filter(not_under_seal())
    return told.exclude(_labelled_now())


def withheld_note(gold_set: GoldSet, *, held_out: bool) -> str:
    """How many ruled pairs are being labelled again and so not shown, and where."""
    ruled = Pair.objects.filter(gold_set=gold_set, adjudications__sequence=1)
    of_split = Q(case__split=Split.HELD_OUT.value)
    ruled = ruled.filter(of_split if held_out else ~of_split).filter(_labelled_now())
    ids = list(ruled.values_list("pk", flat=True))
    if not ids:
        return ""
    some = "1 pair is" if len(ids) == 1 else f"{len(ids)} pairs are"
    where = round_names(at_stake(ids).open)
    return f"{some} left out: being labelled in {where}, which is still open."


def _labelled_now() -> Exists:
    """Whether an open round has a label on the pair: showing it would disclose that."""
    return Exists(
        Seat.objects.filter(
            pair=OuterRef("pk"),
            round__closed_at__isnull=True,
            available_at__isnull=True,
        )
    )


@transaction.atomic
def chains_shown(
    pairs: Sequence[Pair],
    *,
    reader: User,
    viewer: Viewer,
    now: datetime,
    disclosing: Container[int] = (),
) -> tuple[Chain, ...]:
    """The chains of pairs, and the note that this person has now seen them.

    Rulings tell labels and systems of a pair; reading held-out ones is a look of
    ``viewer``, refused while they are sealed, and locks the splits. ``disclosing`` are
    the rounds whose labels the reader knows this to show for the first time; others are
    refused by name.
    """
    ids = [pair.pk for pair in pairs]
    _refuse_unknowing(ids, disclosing)
    refuse_sealed(Pair.objects.filter(pk__in=ids))
    held_out = {
        pair.gold_set_id for pair in pairs if pair.case.split == Split.HELD_OUT.value
    }
    for gold_set in GoldSet.objects.filter(pk__in=held_out):
        # The same rows as an export gives: seeing both is one look.
        state = rulings_export(gold_set=gold_set, part=Part.HELD_OUT).state
        show_held_out(Showing(gold_set, "rulings", state, viewer), now=now)
    for kind in (ExposureKind.LABELS, ExposureKind.SYSTEMS):
        record_exposures(user=reader, pair_ids=ids, kind=kind, now=now)
    return _chains(ids)


def _refuse_unknowing(pair_ids: list[int], disclosing: Container[int]) -> None:
    stake = at_stake(pair_ids)
    if stake.open:
        raise Conflict(
            "rounds_open",
            f"These pairs are being labelled in {round_names(stake.open)}: nothing of "
            "them is shown until it is closed.",
        )
    unsaid = tuple(r for r in stake.undisclosed if r.pk not in disclosing)
    if unsaid:
        raise WouldDisclose(stake.undisclosed)


def _chains(pair_ids: Iterable[int]) -> tuple[Chain, ...]:
    ids = list(pair_ids)
    rows: dict[int, list[Adjudication]] = defaultdict(list)
    found = Adjudication.objects.filter(pair__in=ids).order_by("pair", "sequence")
    for row in found.select_related(
        "adjudicator", "guideline", "request__requested_by", "pair"
    ):
        rows[row.pair_id].append(row)
    pairs = Pair.objects.with_names().select_related("gold_set").in_bulk(ids)
    labels = _labels(ids)
    return tuple(
        _chain(pairs[pair_id], rows[pair_id], labels[pair_id]) for pair_id in ids
    )


def _chain(pair: Pair, rows: list[Adjudication], labels: list[Outcome]) -> Chain:
    own = pair.gold_set.ruling_categories
    standing = _settled(pair.gold_set, labels)
    records = []
    for row in rows:
        records.append(RulingRecord(row, category_label(row.category, own), standing))
        standing = Outcome(row.outcome)
    return Chain(pair, tuple(records), verify_chain([link_of(row) for row in rows]))


def standing_gold(pairs: Sequence[Pair]) -> dict[int, Outcome | None]:
    """The gold of each pair by id: its newest ruling, else what its labels settle."""
    ids = [pair.pk for pair in pairs]
    labels = _labels(ids)
    gold = {pair.pk: _settled(pair.gold_set, labels[pair.pk]) for pair in pairs}
    rulings = Adjudication.objects.filter(pair__in=ids).order_by("sequence")
    for pair_id, outcome in rulings.values_list("pair", "outcome"):
        gold[pair_id] = Outcome(outcome)
    return gold


def _labels(pair_ids: list[int]) -> dict[int, list[Outcome]]:
    found: dict[int, list[Outcome]] = defaultdict(list)
    rows = Label.objects.votes().filter(pair__in=pair_ids)
    for pair_id, outcome in rows.values_list("pair", "outcome"):
        found[pair_id].append(Outcome(outcome))
    return found


def _settled(gold_set: GoldSet, labels: list[Outcome]) -> Outcome | None:
    rule = ConsensusRule(gold_set.consensus_rule)
    found = consensus(labels, rule, gold_set.labels_per_pair)
    return found.outcome if isinstance(found, Settled) else None
