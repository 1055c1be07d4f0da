"""Ranking the systems of a run: by the judge's verdicts, and by gold beside it."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any

import numpy as np
from django.db import transaction

from annotation.domain.outcomes import Outcome, Split
from annotation.models import GoldItem, GoldVersion, Pair
from annotation.services.seals import refuse_sealed, under_seal
from calibration.domain.coherence import coherence
from calibration.domain.jsonable import jsonable
from calibration.domain.ranking import RESAMPLES, rank
from calibration.domain.rates import Rates
from calibration.domain.samples import Row, Sample
from calibration.services.looks import disclose
from calibration.services.reporting import latest_gold, make_report
from calibration.services.sentinels.defining import not_held_out
from judging.services.evidence import pair_evidence

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from django.db.models import QuerySet

    from annotation.services.held_out import Viewer
    from judging.models import Run
    from judging.services.evidence import PairEvidence

SCHEMA = "evenhand.ranking/1"
SEED = 20_513  # of the bootstrap: stored with the result
LEVEL = 0.95


class RankedPart(StrEnum):
    """Which pairs are ranked over."""

    OPEN = "open"
    DEV = "dev"
    HELD_OUT = "held_out"


@transaction.atomic
def rank_systems(
    *, run: Run, part: RankedPart, viewer: Viewer, now: datetime
) -> dict[str, Any]:
    """Rank the systems that a finished run compared, as JSON.

    ``open`` are all pairs that are held out nowhere, with or without gold. On held-out
    pairs this discloses the run's report: a look. Raises ``Conflict`` while calls are
    missing, and ``Sealed`` for pairs under a seal.
    """
    evidence = pair_evidence(run)
    gold = _newest_gold(run)
    if part is RankedPart.HELD_OUT:
        gold = latest_gold(run.gold_set_id)
        report = make_report(
            run=run, gold=gold, by=viewer.user, now=now, actor=viewer.actor
        )
        disclose(report=report, viewer=viewer, now=now)
    asked = Pair.objects.filter(pk__in=evidence)
    pairs = _part(asked, part, gold)
    refuse_sealed(pairs)
    sample = _sample(run, pairs, gold, evidence)
    columns = sample.columns
    judged = rank(sample, columns.verdict, drawing(), level=LEVEL)
    by_gold = rank(sample, columns.gold, drawing(), level=LEVEL)
    config = run.config
    return {
        "schema": SCHEMA,
        "run": {"id": run.pk, "purpose": run.purpose},
        "judge": {
            "name": config.name,
            "version": config.version,
            "digest": config.digest,
            "simulated": config.simulated,
        },
        "gold": {
            "set": run.gold_set.name,
            "version": gold.number if gold else None,
            "digest": gold.digest if gold else None,
        },
        "part": part.value,
        "pairs": len(sample),
        "other_pairs": len(evidence) - len(sample),
        "judged": jsonable(judged),
        "by_gold": jsonable(by_gold) if gold else None,
        "coherence": jsonable(coherence(sample, Rates.of(sample, LEVEL), drawing())),
        "bootstrap": {
            "seed": SEED,
            "resamples": RESAMPLES,
            "numpy": np.__version__,
        },
    }


def drawing() -> np.random.Generator:
    """The bootstrap's draws, each time from the same seed."""
    return np.random.default_rng(SEED)


def _newest_gold(run: Run) -> GoldVersion | None:
    versions = GoldVersion.objects.filter(gold_set=run.gold_set_id)
    return versions.order_by("-number").first()


def _part(
    asked: QuerySet[Pair], part: RankedPart, gold: GoldVersion | None
) -> QuerySet[Pair]:
    """Held-out pairs are those of the version; the rest is held out in no set."""
    held = GoldItem.objects.filter(version=gold, split=Split.HELD_OUT.value)
    if part is RankedPart.HELD_OUT:
        return asked.filter(pk__in=held.values("pair"))
    free = not_held_out(asked).exclude(pk__in=held.values("pair"))
    if part is RankedPart.DEV:
        free = free.filter(case__split=Split.DEV.value)
    return free.exclude(pk__in=under_seal(asked).values("pk"))


def _sample(
    run: Run,
    pairs: QuerySet[Pair],
    gold: GoldVersion | None,
    evidence: Mapping[int, PairEvidence],
) -> Sample:
    outcomes = _outcomes(gold)
    found = pairs.select_related("case", "baseline__system", "candidate__system")
    rows = (
        _row(pair, outcomes.get(pair.pk), evidence[pair.pk])
        for pair in found.order_by("pk").iterator(chunk_size=2000)
    )
    return Sample.build(rows, run.gold_set.system_names())


def _outcomes(gold: GoldVersion | None) -> dict[int, Outcome]:
    items = GoldItem.objects.filter(version=gold).exclude(outcome="")
    return {pk: Outcome(said) for pk, said in items.values_list("pair", "outcome")}


def _row(pair: Pair, gold: Outcome | None, evidence: PairEvidence) -> Row:
    """What a ranking asks of a pair; texts, labels and single calls are none of it."""
    verdict, case = evidence.verdict, pair.case
    return Row(
        pair=str(pair.pk),
        case=case.external_id,
        cluster=case.cluster,
        systems=(pair.baseline.system.name, pair.candidate.system.name),
        split=Split(case.split) if case.split else None,
        slices={},
        critical=case.critical,
        gold=gold,
        gold_source="",
        baseline_first=verdict.baseline_first,
        candidate_first=verdict.candidate_first,
        verdict=verdict.outcome,
        consistency=verdict.consistency,
        tie_source=verdict.tie_source,
        calls=(),
    )
