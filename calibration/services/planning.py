"""How many labels a question needs, and which pairs to label next."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from annotation.domain.consensus import ConsensusRule
from annotation.domain.outcomes import Split
from annotation.domain.pair_lines import NamedPair
from annotation.models import ExposureKind, GoldItem, GoldVersion, Pair
from annotation.services.exposures import record_exposures
from annotation.services.freezing import standings
from annotation.services.gold_sets import gold_set_named
from annotation.services.named_pairs import systems_of
from annotation.services.seals import any_seal, under_seal
from calibration.domain.jsonable import jsonable
from calibration.domain.plan_clusters import clustering
from calibration.domain.planning import (
    Known,
    Reason,
    drawn_pairs,
    failures_allowed,
    gate_pairs,
    half_width_pairs,
    share_pairs,
    sign_power,
    smallest_share,
    spotless_pairs,
    suggestions,
)
from calibration.services.clustering import newest_effect, set_shape
from calibration.services.planned_differences import (
    NO_PLAN,
    check_together,
    gap_answer,
    judges_answer,
)
from calibration.services.reporting import latest_run
from config.errors import InvalidInput
from judging.domain.terms import Consistency
from judging.services.evidence import pair_evidence

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from annotation.models import GoldSet
    from calibration.domain.plan_clusters import Clustering
    from calibration.domain.planning import Suggestion
    from config.accounts.models import User

# Any of these asks a question; the others say more of one.
ASKING = (
    *("half_width", "limit", "true", "decisive", "share"),
    *("difference", "discordant", "gap", "dev_rate"),
)


@dataclass(frozen=True, slots=True)
class Questions:
    """What is asked of a plan; a question without its first figure is not asked.

    Pairs a prompt and how alike they are come from the set where they are not given.
    """

    half_width: float | None = None
    rate: float = 0.5
    limit: float | None = None
    true: float | None = None
    power: float = 0.8
    looks: int = 1
    class_share: float = 1.0
    pairs_per_prompt: float | None = None
    correlation: float | None = None
    decisive: int | None = None
    share: float | None = None
    difference: float | None = None
    discordant: float | None = None
    gap: float | None = None
    dev_rate: float | None = None
    held_out_share: float = 0.5

    @property
    def any(self) -> bool:
        """Whether a question is asked."""
        return any(getattr(self, name) is not None for name in ASKING)


def answers(
    asked: Questions, *, gold_set: GoldSet | None = None, judge: str = ""
) -> dict[str, Any]:
    """Answer the questions as JSON; raises ``InvalidInput`` for impossible figures.

    Numbers are of pairs as the ``gold_set`` has them: several of a prompt tell less
    than as many that stand alone, by the design effect that ``clustering`` states.
    """
    check_together(asked)
    try:
        lies = clustering(
            set_shape(gold_set, newest_gold(gold_set)) if gold_set else None,
            newest_effect(gold_set, judge) if gold_set else None,
            per_prompt=asked.pairs_per_prompt,
            correlation=asked.correlation,
        )
        return {
            "clustering": jsonable(lies) if asked.any else None,
            "half_width": _half_width(asked, lies),
            "gate": _gate(asked, lies),
            "sign": _sign(asked, lies),
            "preference": _preference(asked, lies),
            "judges": judges_answer(asked, lies),
            "gap": gap_answer(asked, lies),
        }
    except ValueError as error:
        words = str(error)
        raise InvalidInput(NO_PLAN, f"{words[0].upper()}{words[1:]}.") from error


def _half_width(asked: Questions, lies: Clustering) -> dict[str, Any] | None:
    width, rate = asked.half_width, asked.rate
    if width is None:
        return None
    sizes = _sizes(half_width_pairs(width, rate), lies)
    return {"half_width": width, "rate": rate, **sizes}


def _sizes(independent: int, lies: Clustering) -> dict[str, int]:
    pairs = lies.pairs(independent)
    return {"pairs": pairs, "cases": lies.cases(pairs), "independent": independent}


def _gate(asked: Questions, lies: Clustering) -> dict[str, Any] | None:
    limit, true, looks = asked.limit, asked.true, asked.looks
    if limit is None or true is None:
        return None
    alone = gate_pairs(limit, true, power=asked.power, looks=looks)
    level, effect = 1 - 0.05 / looks, lies.design_effect
    pairs = None if alone is None else lies.pairs(alone)
    drawn = None if alone is None else lies.pairs(drawn_pairs(alone, asked.class_share))
    return {
        "limit": limit,
        "true": true,
        "power": asked.power,
        "looks": looks,
        "spotless": lies.pairs(spotless_pairs(limit, level)),
        "pairs": pairs,
        "independent": alone,
        "allowed": pairs and failures_allowed(pairs, limit, level, effect),
        "drawn": drawn,
        "cases": drawn and lies.cases(drawn),
    }


def _sign(asked: Questions, lies: Clustering) -> dict[str, Any] | None:
    if asked.decisive is None:
        return None
    alone = lies.independent(asked.decisive)
    least = smallest_share(alone, asked.power)
    return {
        "decisive": asked.decisive,
        "independent": alone,
        "smallest_share": least,
        "power": None if least is None else sign_power(alone, least),
    }


def _preference(asked: Questions, lies: Clustering) -> dict[str, Any] | None:
    if asked.share is None:
        return None
    alone = share_pairs(asked.share, asked.power)
    sizes = {"pairs": None, "cases": None, "independent": None}
    found = sizes if alone is None else _sizes(alone, lies)
    return {"share": asked.share, "power": asked.power, **found}


@dataclass(frozen=True, slots=True)
class KnownShape:
    """What the newest gold of a set says that a plan needs; held-out pairs are not in.

    ``baseline_share`` is of scored pairs: the class that false candidate wins are of.
    """

    pairs: int
    scored: int
    baseline_share: float | None
    pairs_per_prompt: float | None


def newest_gold(gold_set: GoldSet) -> GoldVersion | None:
    """The newest frozen version, if there is one."""
    return GoldVersion.objects.filter(gold_set=gold_set).order_by("-number").first()


def known_shape(gold_set: GoldSet) -> KnownShape:
    """Count the dev part of the newest gold version."""
    newest = newest_gold(gold_set)
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
    flipping = {
        (one.case, one.systems) for one in cases if Reason.FLIPPING in one.reasons
    }
    named = Pair.objects.filter(
        gold_set=gold_set, case__external_id__in=[case for case, _ in flipping]
    )
    record_exposures(
        user=user,
        pair_ids=[
            pair.pk
            for pair in named.with_names()
            if (pair.case.external_id, systems_of(pair)) in flipping
        ],
        kind=ExposureKind.VERDICTS,
        now=now,
    )


def next_json(gold_set: GoldSet, found: Iterable[Suggestion]) -> list[dict[str, Any]]:
    """Suggestions as JSON, each with the ``name`` by which a round takes this pair.

    In a set of more than two systems that is the case with its two systems.
    """
    several = len(gold_set.system_names()) > 2  # noqa: PLR2004 - one pair has two
    return [
        {
            "name": str(NamedPair(one.case, one.systems if several else None)),
            **{field.name: jsonable(getattr(one, field.name)) for field in fields(one)},
        }
        for one in found
    ]


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
            systems=systems_of(one.pair),
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
