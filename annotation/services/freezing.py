"""Freezing a gold version: every pair, its outcome, and where that came from."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Count

from annotation.domain.consensus import ConsensusRule, Open, Settled, consensus
from annotation.domain.digests import digest_of
from annotation.domain.outcomes import Outcome
from annotation.domain.rulings import GoldSource
from annotation.models import (
    Adjudication,
    GoldItem,
    GoldSet,
    GoldVersion,
    Label,
    Pair,
)
from annotation.services.disclosure import being_labelled, refuse_open_rounds
from annotation.services.seals import sealed_of
from config.db.statistics import refresh_statistics
from config.errors import Conflict, InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from config.accounts.models import User

EXAMPLES = 5


@dataclass(frozen=True, slots=True)
class Standing:
    """Where one pair stands now: its gold if it has one, and what it rests on."""

    pair: Pair
    outcome: Outcome | None
    source: GoldSource
    open_reason: str
    labels: tuple[Outcome, ...]
    ruling_digest: str


def standings(gold_set: GoldSet, *, rule: ConsensusRule) -> tuple[Standing, ...]:
    """Work out every pair of a set from its current labels and latest ruling."""
    labels = _current_labels(gold_set)
    rulings = _latest_rulings(gold_set)
    pairs = Pair.objects.filter(gold_set=gold_set).with_names().in_order()
    return tuple(
        _standing(
            pair, labels[pair.pk], rulings.get(pair.pk), rule, gold_set.labels_per_pair
        )
        for pair in pairs
    )


def _standing(
    pair: Pair,
    labels: list[Outcome],
    ruling: Adjudication | None,
    rule: ConsensusRule,
    wanted: int,
) -> Standing:
    outcomes = tuple(sorted(labels))
    if ruling is not None:
        return Standing(
            pair,
            Outcome(ruling.outcome),
            GoldSource.ADJUDICATION,
            "",
            outcomes,
            ruling.digest,
        )
    result = consensus(outcomes, rule, wanted)
    if isinstance(result, Settled):
        return Standing(pair, result.outcome, GoldSource.CONSENSUS, "", outcomes, "")
    assert isinstance(result, Open)  # noqa: S101 - consensus has two results
    return Standing(pair, None, GoldSource.NONE, result.reason.value, outcomes, "")


def _current_labels(gold_set: GoldSet) -> dict[int, list[Outcome]]:
    found: dict[int, list[Outcome]] = defaultdict(list)
    rows = Label.objects.of_set(gold_set.pk).votes()
    for pair_id, outcome in rows.values_list("pair_id", "outcome"):
        found[pair_id].append(Outcome(outcome))
    return found


def _latest_rulings(gold_set: GoldSet) -> dict[int, Adjudication]:
    rulings = Adjudication.objects.filter(pair__gold_set=gold_set).order_by("sequence")
    return {ruling.pair_id: ruling for ruling in rulings}


@dataclass(frozen=True, slots=True)
class FreezePreview:
    """What freezing would come to now; ``unchanged_from`` is the version it equals.

    ``still_open`` are the open pairs that may be named; of sealed ones, where being
    open tells of labels, there is only the count. ``being_labelled`` names open rounds
    with labels: they are closed first. ``surplus`` outside labels count for nothing,
    since their pairs have as many labels as the set wants.
    """

    rule: ConsensusRule
    pairs: int
    by_consensus: int
    by_ruling: int
    still_open: tuple[Standing, ...]
    unchanged_from: GoldVersion | None
    being_labelled: tuple[str, ...] = ()
    sealed_open: int = 0
    surplus: int = 0

    @property
    def open_pairs(self) -> int:
        """How many pairs are open, sealed ones among them."""
        return len(self.still_open) + self.sealed_open


def preview_freeze(*, gold_set: GoldSet, rule: ConsensusRule) -> FreezePreview:
    """Work out a freeze without making it."""
    found = standings(gold_set, rule=rule)
    sources = Counter(standing.source for standing in found)
    last = gold_set.versions.order_by("-number").first()
    same = last is not None and last.digest == gold_digest(gold_set, rule, found)
    named, sealed = _named(gold_set, [s for s in found if s.outcome is None])
    return FreezePreview(
        rule=rule,
        pairs=len(found),
        by_consensus=sources[GoldSource.CONSENSUS],
        by_ruling=sources[GoldSource.ADJUDICATION],
        still_open=named,
        unchanged_from=last if same else None,
        being_labelled=tuple(round_.name for round_ in being_labelled(gold_set.pk)),
        sealed_open=sealed,
        surplus=surplus_labels(gold_set),
    )


def surplus_labels(gold_set: GoldSet) -> int:
    """How many outside labels are more than the set wants, and so settle nothing."""
    labels = Label.objects.of_set(gold_set.pk)
    # Most sets have no such pair, which one pass tells.
    crowded = (
        labels.order_by()
        .values("pair")
        .annotate(n=Count("pk"))
        .filter(n__gt=gold_set.labels_per_pair)
        .values("pair")
    )
    return labels.surplus().filter(pair__in=crowded).count() if crowded.exists() else 0


def _named(
    gold_set: GoldSet, still_open: Iterable[Standing]
) -> tuple[tuple[Standing, ...], int]:
    """The open pairs that may be named, and how many others there are."""
    rows, sealed = tuple(still_open), sealed_of(gold_set)
    named = tuple(one for one in rows if one.pair.pk not in sealed)
    return named, len(rows) - len(named)


@transaction.atomic
def freeze_gold(
    *,
    gold_set: GoldSet,
    rule: ConsensusRule,
    by: User | None,
    now: datetime,
    leave_open: bool = False,
    actor: str = "",
) -> GoldVersion:
    """Snapshot the set's gold; the same gold under the same rule is the same version.

    Refuses open pairs unless told to leave them out, which the version then records;
    and while people still label in a round of the set.
    """
    # Two freezes of one set come one after the other, so that numbers stay in order.
    gold_set = GoldSet.objects.select_for_update().get(pk=gold_set.pk)
    refuse_open_rounds(gold_set.pk, to="freeze gold")
    found = standings(gold_set, rule=rule)
    if not found:
        raise InvalidInput("gold_empty", f"{gold_set.name} has no pairs yet.")
    still_open = [standing for standing in found if standing.outcome is None]
    if still_open and not leave_open:
        named, sealed = _named(gold_set, still_open)
        raise Conflict(
            "gold_open", _open_message(named, sealed), _open_detail(named, sealed)
        )
    digest = gold_digest(gold_set, rule, found)
    last = gold_set.versions.order_by("-number").first()
    if last is not None and last.digest == digest:
        return last
    version = GoldVersion.objects.create(
        gold_set=gold_set,
        number=last.number + 1 if last else 1,
        rule=rule.value,
        digest=digest,
        pairs=len(found),
        left_open=len(still_open),
        created_at=now,
        created_by=by,
        actor=actor,
    )
    items = _items(version, found)
    GoldItem.objects.bulk_create(items, batch_size=1000)
    refresh_statistics(GoldItem, rows=len(items))
    return version


def _items(version: GoldVersion, found: Iterable[Standing]) -> list[GoldItem]:
    return [
        GoldItem(
            version=version,
            pair=standing.pair,
            split=standing.pair.case.split,
            outcome=standing.outcome.value if standing.outcome else "",
            source=standing.source.value,
            open_reason=standing.open_reason,
            labels=[label.value for label in standing.labels],
            ruling_digest=standing.ruling_digest,
        )
        for standing in found
    ]


def gold_digest(
    gold_set: GoldSet, rule: ConsensusRule, found: Iterable[Standing]
) -> str:
    """Digest over systems, rule, pairs with their texts' hashes, splits and gold."""
    return digest_of(
        {
            "schema": "evenhand.gold/1",
            "set": gold_set.name,
            "systems": list(gold_set.system_names()),
            "rule": rule.value,
            "pairs": [
                {
                    "case": standing.pair.case.external_id,
                    "pair": standing.pair.digest,
                    "split": standing.pair.case.split,
                    "outcome": standing.outcome.value if standing.outcome else None,
                    "source": standing.source.value,
                    "open_reason": standing.open_reason,
                    "labels": [label.value for label in standing.labels],
                    "ruling": standing.ruling_digest,
                }
                for standing in sorted(found, key=_by_content)
            ],
        }
    )


def _by_content(standing: Standing) -> tuple[str, str]:
    # Row ids differ between databases that hold the same gold; these don't.
    return standing.pair.case.external_id, standing.pair.digest


def _open_message(named: Sequence[Standing], sealed: int) -> str:
    told = [
        f"{standing.pair.case.external_id} "
        f"({standing.pair.baseline.system.name}|{standing.pair.candidate.system.name}: "
        f"{standing.open_reason.replace('_', ' ')})"
        for standing in named[:EXAMPLES]
    ]
    more = len(named) - len(told)
    tail = f" and {more} more" if more else ""
    parts = [f"{', '.join(told)}{tail}"] if told else []
    if sealed:
        parts.append(f"{sealed} of them sealed, which are not named")
    count = len(named) + sealed
    have = "1 pair has" if count == 1 else f"{count} pairs have"
    return (
        f"{have} no gold yet: {'; '.join(parts)}. Adjudicate what is disputed, or "
        "leave them open, which the version then records (--leave-open)."
    )


def _open_detail(named: Sequence[Standing], sealed: int) -> dict[str, object]:
    reasons = Counter(standing.open_reason for standing in named)
    if sealed:
        reasons["sealed"] = sealed
    return {"open": len(named) + sealed, "reasons": dict(reasons)}
