"""Putting the cases of a set into splits: worked out first, then written."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from django.db import transaction

from annotation.domain.consensus import ConsensusRule
from annotation.domain.digests import digest_of
from annotation.domain.outcomes import Split
from annotation.domain.split_strata import stratum, together
from annotation.domain.splits import SplitItem, StratumCount, assign_splits
from annotation.domain.texts import plain_text
from annotation.models import Case, GoldSet, Label, SplitAssignment
from annotation.services.freezing import standings
from annotation.services.held_out import refuse_if_seen
from annotation.services.look_plans import refuse_twice
from annotation.services.seals import is_sealed
from annotation.services.split_moves import notices_of, refuse_seen, seen_before
from annotation.services.stored_texts import read_text
from config.errors import Conflict, InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from config.accounts.models import User

BATCH = 1000
OPEN = "open"
LONGEST_SEED = 64
CASE_FIELDS = ("gold_set", "external_id", "split", "slices", "group")


@dataclass(frozen=True, slots=True)
class SplitWish:
    """How a lead wants a set to be split.

    ``slices`` are the keys to stratify by; ``by_class`` also by the outcome that a case
    has now. ``reassign`` moves cases that have a split already, which otherwise stay.
    ``join_near_duplicates`` keeps cases of nearly the same prompt together, and
    ``accept_seen`` takes into the held-out split what was seen before.
    """

    seed: str
    held_out: float = 0.5
    slices: tuple[str, ...] = ()
    by_class: bool = False
    reassign: bool = False
    join_near_duplicates: bool = False
    accept_seen: bool = False

    def problem(self) -> str | None:
        """Why this can't be done, in words, or None."""
        if not 0 < self.held_out < 1:
            return "held_out: must lie between 0 and 1"
        if not self.seed.strip() or len(self.seed) > LONGEST_SEED:
            return f"seed: must have 1 to {LONGEST_SEED} characters"
        return None


@dataclass(frozen=True, slots=True)
class SplitProposal:
    """What a wish comes to, before anything is written.

    ``assigned`` is by case row; ``before`` counts the splits as they are ("" for none).
    ``seen`` pairs become held out although their results could be seen before.
    ``digest`` names the outcome: the same digest writes the same splits.
    """

    wish: SplitWish
    assigned: Mapping[int, Split]
    strata: tuple[StratumCount, ...]
    before: Mapping[str, int]
    dev: int
    held_out: int
    moved: int
    tied: int
    digest: str
    notices: tuple[str, ...]
    seen: int = 0


def split_counts(gold_set: GoldSet) -> Mapping[str, int]:
    """How many cases each split has; "" counts those in none."""
    found = Counter(gold_set.cases.values_list("split", flat=True))
    return {name: found[name] for name in ("", *(s.value for s in Split))}


def slice_keys(gold_set: GoldSet) -> tuple[str, ...]:
    """The slices that any case of the set has."""
    keys: set[str] = set()
    for slices in gold_set.cases.values_list("slices", flat=True).iterator():
        keys.update(slices)
    return tuple(sorted(keys))


def splits_digest(rows: Iterable[tuple[str, str]]) -> str:
    """Digest over (case id, split) of every case."""
    return digest_of([list(row) for row in sorted(rows)])


def propose_splits(*, gold_set: GoldSet, wish: SplitWish) -> SplitProposal:
    """Work out the splits without writing them.

    Refuses a set whose held-out results were looked at, slices that no case has, and
    classes where there is no label.
    """
    refuse_if_seen(gold_set)
    cases = list(gold_set.cases.only(*CASE_FIELDS).order_by("pk"))
    _refuse_bad(gold_set, wish, cases)
    groups, torn = _groups(gold_set, wish, cases)
    strata = _strata(gold_set, wish, cases)
    items = [
        SplitItem(
            case.external_id, strata[case.pk], groups[case.pk], _fixed(case, wish)
        )
        for case in cases
    ]
    try:
        plan = assign_splits(items, wish.seed, wish.held_out)
    except ValueError as error:
        raise Conflict("splits_torn", f"{error}; reassign all cases.") from error
    assigned = {case.pk: plan.assigned[case.external_id] for case in cases}
    moved = sum(case.split != assigned[case.pk].value for case in cases)
    seen = seen_before(gold_set, cases, assigned)
    return SplitProposal(
        wish=wish,
        assigned=assigned,
        strata=plan.strata,
        before=split_counts(gold_set),
        dev=plan.dev,
        held_out=plan.held_out,
        moved=moved,
        tied=_tied(groups),
        digest=splits_digest((c.external_id, assigned[c.pk].value) for c in cases),
        notices=tuple(notices_of(gold_set, moved=moved, torn=torn, seen=seen)),
        seen=seen,
    )


@transaction.atomic
def write_splits(
    *,
    gold_set: GoldSet,
    wish: SplitWish,
    by: User | None,
    now: datetime,
    expect: str | None = None,
) -> SplitAssignment:
    """Write the splits of a wish and record how they came about.

    ``expect`` is the digest of the proposal that the lead saw; anything else is
    refused. A look at held-out results and this can't pass each other: both hold the
    set's row.
    """
    gold_set = GoldSet.objects.select_for_update().get(pk=gold_set.pk)
    proposal = propose_splits(gold_set=gold_set, wish=wish)
    if expect is not None and expect != proposal.digest:
        raise Conflict(
            "splits_changed",
            "Cases or labels changed since these splits were worked out; look again.",
        )
    refuse_seen(gold_set, proposal.seen, accept=wish.accept_seen)
    for split in Split:
        _write(gold_set, [k for k, s in proposal.assigned.items() if s is split], split)
    if is_sealed(gold_set):  # with nothing held out so far: the seal lies on it now
        refuse_twice(gold_set)
    return SplitAssignment.objects.create(
        gold_set=gold_set,
        seed=wish.seed,
        held_out_share=wish.held_out,
        slices=list(wish.slices),
        by_class=wish.by_class,
        join_near_duplicates=wish.join_near_duplicates,
        reassigned=wish.reassign,
        moved=proposal.moved,
        dev=proposal.dev,
        held_out=proposal.held_out,
        strata=[asdict(stratum) for stratum in proposal.strata],
        digest=proposal.digest,
        assigned_at=now,
        assigned_by=by,
    )


def _write(gold_set: GoldSet, keys: Sequence[int], split: Split) -> None:
    for start in range(0, len(keys), BATCH):
        rows = gold_set.cases.filter(pk__in=keys[start : start + BATCH])
        rows.exclude(split=split.value).update(split=split.value)


def _refuse_bad(gold_set: GoldSet, wish: SplitWish, cases: Sequence[Case]) -> None:
    if (problem := wish.problem()) is not None:
        raise InvalidInput("splits_invalid", problem)
    if not cases:
        raise InvalidInput("splits_empty", f"{gold_set.name} has no cases yet.")
    known = {key for case in cases for key in case.slices}
    for key in wish.slices:
        if key not in known:
            there = ", ".join(sorted(known)) or "none"
            raise InvalidInput(
                "slice_unknown", f"No case has a slice {key!r}; there are: {there}."
            )


def _fixed(case: Case, wish: SplitWish) -> Split | None:
    return Split(case.split) if case.split and not wish.reassign else None


def _groups(
    gold_set: GoldSet, wish: SplitWish, cases: Sequence[Case]
) -> tuple[dict[int, str | None], int]:
    """What stays together, by case; and how much that is alike lies apart already.

    Near-duplicates that stay in different splits can't be brought together without
    reassigning, so they are left as they are and counted.
    """
    found, torn = together(
        [case.external_id for case in cases],
        [case.group or None for case in cases],
        [_fixed(case, wish) for case in cases],
        _prompts(gold_set) if wish.join_near_duplicates else None,
    )
    return {case.pk: name for case, name in zip(cases, found, strict=True)}, torn


def _prompts(gold_set: GoldSet) -> Iterable[str]:
    stored = gold_set.cases.order_by("pk").values_list("prompt", flat=True)
    return (plain_text(read_text(prompt)) for prompt in stored.iterator())


def _tied(groups: Mapping[int, str | None]) -> int:
    """How many groups have several cases."""
    sizes = Counter(name for name in groups.values() if name is not None)
    return sum(size > 1 for size in sizes.values())


def _strata(
    gold_set: GoldSet, wish: SplitWish, cases: Sequence[Case]
) -> Mapping[int, str | None]:
    if not wish.by_class:
        return {case.pk: stratum(case.slices, wish.slices) for case in cases}
    classes = _classes(gold_set)
    return {
        case.pk: stratum(case.slices, wish.slices, classes.get(case.pk, OPEN))
        for case in cases
    }


def _classes(gold_set: GoldSet) -> Mapping[int, str]:
    """The outcome of each case's pairs as they stand now, open ones as such."""
    if not Label.objects.of_set(gold_set.pk).exists():
        raise InvalidInput(
            "splits_no_labels",
            "No pair has a label yet, so there is no class to stratify by.",
        )
    found: defaultdict[int, list[str]] = defaultdict(list)
    for standing in standings(gold_set, rule=ConsensusRule(gold_set.consensus_rule)):
        outcome = standing.outcome.value if standing.outcome else OPEN
        found[standing.pair.case_id].append(outcome)
    return {case: "+".join(outcomes) for case, outcomes in found.items()}
