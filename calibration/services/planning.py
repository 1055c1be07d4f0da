"""Which pairs to label next, from what stands in a gold set and what a judge said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotation.domain.consensus import ConsensusRule
from annotation.domain.outcomes import Split
from annotation.models import Pair
from annotation.services.freezing import standings
from annotation.services.gold_sets import gold_set_named
from annotation.services.seals import any_seal, under_seal
from calibration.domain.planning import Known, suggestions
from calibration.services.reporting import latest_run
from judging.domain.terms import Consistency
from judging.services.evidence import pair_evidence

if TYPE_CHECKING:
    from calibration.domain.planning import Suggestion


def next_to_label(*, gold_set: str, judge: str = "") -> tuple[Suggestion, ...]:
    """Rank the pairs without gold that are not held out.

    With a ``judge`` the flips of its newest finished run count. Held-out pairs are left
    out: how a judge does on them must not choose what is labelled.
    """
    found = gold_set_named(gold_set)
    flipped = _flipped(gold_set, judge) if judge else set()
    sealed: set[int] = set()
    if any_seal():
        mine = under_seal(Pair.objects.filter(gold_set=found))
        sealed = set(mine.values_list("pk", flat=True))
    stands = standings(found, rule=ConsensusRule(found.consensus_rule))
    return suggestions(
        Known(
            case=one.pair.case.external_id,
            slices={str(k): str(v) for k, v in one.pair.case.slices.items()},
            has_gold=one.outcome is not None,
            labels=len(one.labels),
            flips=one.pair.pk in flipped,
        )
        for one in stands
        if one.pair.case.split != Split.HELD_OUT.value and one.pair.pk not in sealed
    )


def _flipped(gold_set: str, judge: str) -> set[int]:
    evidence = pair_evidence(latest_run(gold_set=gold_set, judge=judge))
    return {
        pair
        for pair, found in evidence.items()
        if found.verdict.consistency is Consistency.FLIP
    }
