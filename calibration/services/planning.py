"""How many labels a question needs, and which pairs to label next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from annotation.domain.consensus import ConsensusRule
from annotation.domain.outcomes import Split
from annotation.models import ExposureKind, GoldItem, GoldVersion, Pair
from annotation.services.exposures import record_exposures
from annotation.services.freezing import standings
from annotation.services.gold_sets import gold_set_named
from annotation.services.seals import any_seal, under_seal
from calibration.domain.planning import (
    Known,
    Reason,
    drawn_pairs,
    failures_allowed,
    gate_pairs,
    half_width_pairs,
    sign_power,
    smallest_share,
    spotless_pairs,
    suggestions,
)
from calibration.services.reporting import latest_run
from config.errors import InvalidInput
from judging.domain.terms import Consistency
from judging.services.evidence import pair_evidence

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from annotation.models import GoldSet
    from calibration.domain.planning import Suggestion
    from config.accounts.models import User

NO_PLAN = "plan_impossible"


@dataclass(frozen=True, slots=True)
class Questions:
    """What is asked of a plan; a question without its first figure is not asked."""

    half_width: float | None = None
    rate: float = 0.5
    limit: float | None = None
    true: float | None = None
    power: float = 0.8
    looks: int = 1
    class_share: float = 1.0
    pairs_per_prompt: float = 1.0
    correlation: float = 0.0
    decisive: int | None = None


def answers(asked: Questions) -> dict[str, Any]:
    """Answer the questions as JSON; raises ``InvalidInput`` for impossible figures."""
    if (asked.limit is None) != (asked.true is None):
        raise InvalidInput(
            NO_PLAN, "The limit of a gate and the true rate belong together."
        )
    try:
        return {
            "half_width": _half_width(asked),
            "gate": _gate(asked),
            "sign": _sign(asked),
        }
    except ValueError as error:
        raise InvalidInput(NO_PLAN, f"{error}.") from error


def _half_width(asked: Questions) -> dict[str, Any] | None:
    width, rate = asked.half_width, asked.rate
    if width is None:
        return None
    pairs = half_width_pairs(width, rate)
    return {"half_width": width, "rate": rate, "pairs": pairs}


def _gate(asked: Questions) -> dict[str, Any] | None:
    limit, true, looks = asked.limit, asked.true, asked.looks
    if limit is None or true is None:
        return None
    pairs = gate_pairs(limit, true, power=asked.power, looks=looks)
    level = 1 - 0.05 / looks
    return {
        "limit": limit,
        "true": true,
        "power": asked.power,
        "looks": looks,
        "spotless": spotless_pairs(limit, level),
        "pairs": pairs,
        "allowed": None if pairs is None else failures_allowed(pairs, limit, level),
        "drawn": None if pairs is None else _drawn(pairs, asked),
    }


def _drawn(pairs: int, asked: Questions) -> int:
    return drawn_pairs(
        pairs,
        asked.class_share,
        per_prompt=asked.pairs_per_prompt,
        correlation=asked.correlation,
    )


def _sign(asked: Questions) -> dict[str, Any] | None:
    if asked.decisive is None:
        return None
    least = smallest_share(asked.decisive, asked.power)
    power = None if least is None else sign_power(asked.decisive, least)
    return {"decisive": asked.decisive, "smallest_share": least, "power": power}


@dataclass(frozen=True, slots=True)
class KnownShape:
    """What the newest gold of a set says that a plan needs; held-out pairs are not in.

    ``baseline_share`` is of scored pairs: the class that false candidate wins are of.
    """

    pairs: int
    scored: int
    baseline_share: float | None
    pairs_per_prompt: float | None


def known_shape(gold_set: GoldSet) -> KnownShape:
    """Count the dev part of the newest gold version."""
    newest = GoldVersion.objects.filter(gold_set=gold_set).order_by("-number").first()
    rows = GoldItem.objects.filter(version=newest).exclude(split=Split.HELD_OUT.value)
    if any_seal():
        mine = under_seal(Pair.objects.filter(gold_set=gold_set))
        rows = rows.exclude(pair__in=mine.values("pk"))
    found = list(
        rows.select_related("pair__case").only(
            "outcome", "pair__case__group", "pair__case__external_id"
        )
    )
    told = [one.outcome for one in found]
    scored = sum(outcome in ("baseline", "candidate", "tie") for outcome in told)
    prompts = len({one.pair.case.cluster for one in found})
    return KnownShape(
        pairs=len(found),
        scored=scored,
        baseline_share=told.count("baseline") / scored if scored else None,
        pairs_per_prompt=len(found) / prompts if prompts else None,
    )


def note_flips_seen(
    *,
    gold_set: GoldSet,
    cases: Iterable[Suggestion],
    user: User,
    now: datetime,
) -> None:
    """Note that a person saw on which pairs a judge flips: a part of its verdicts."""
    flipping = [one.case for one in cases if Reason.FLIPPING in one.reasons]
    pairs = Pair.objects.filter(gold_set=gold_set, case__external_id__in=flipping)
    record_exposures(
        user=user,
        pair_ids=pairs.values_list("pk", flat=True),
        kind=ExposureKind.VERDICTS,
        now=now,
    )


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
