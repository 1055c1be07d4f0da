"""From a run and a gold version to a stored, frozen report."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING, Any

import numpy as np
from django.db import IntegrityError, transaction

from annotation.domain.consensus import ConsensusRule, Settled, consensus
from annotation.domain.digests import canonical_json, digest_of
from annotation.domain.outcomes import Order, Outcome, Split
from annotation.models import Adjudication, GoldItem, GoldVersion, Label
from annotation.services.aliases import reviewer_aliases
from calibration.domain.blocks import calibrate
from calibration.domain.bootstrap import RESAMPLES
from calibration.domain.jsonable import jsonable, splits_json
from calibration.domain.rules import REPORT_RULES
from calibration.domain.samples import CallOutcome, Row, Sample
from calibration.models import Report
from calibration.services.beside import beside, models_of, pointwise_json, telling
from calibration.services.few_shot import few_shot
from config.errors import Conflict, NotFound
from judging.domain.verdicts import CallReading, Invalid, call_outcome
from judging.models import Run, RunStatus
from judging.services.evidence import PairEvidence, pair_evidence, served_models
from judging.services.panels import runs_behind
from judging.services.pricing import cost_json, cost_of_runs
from judging.services.served import has_changed, served_by
from judging.services.unaltered import refuse_altered

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from calibration.services.beside import Beside
    from config.accounts.models import User

    _Said = dict[str, tuple[Outcome, Order | None]]

SCHEMA = "evenhand.report/1"
SEED = 20_512  # of the bootstrap: stored with the result


def latest_run(*, gold_set: str, judge: str) -> Run:
    """The newest finished run of a judge's newest version on a gold set."""
    known = Run.objects.filter(gold_set__name=gold_set, config__name=judge)
    runs = known.representative()
    run = runs.filter(status=RunStatus.DONE).order_by("-config__version", "-pk").first()
    if run is not None:
        return run
    if runs.exists():
        raise Conflict(
            "run_incomplete", f"No run of {judge} on {gold_set} has finished yet."
        )
    raise NotFound("run_unknown", f"There is no run of {judge!r} on {gold_set!r}.")


def latest_gold(gold_set_id: int) -> GoldVersion:
    """The newest frozen gold version of a set."""
    version = (
        GoldVersion.objects.filter(gold_set_id=gold_set_id).order_by("-number").first()
    )
    if version is None:
        raise Conflict(
            "gold_unfrozen",
            "This gold set has no frozen version yet; freeze it with freeze_gold.",
        )
    return version


def make_report(
    *, run: Run, gold: GoldVersion, by: User | None, now: datetime, actor: str = ""
) -> Report:
    """Compute and store a report; the same inputs give the same bytes and row."""
    payload = canonical_json(report_payload(run, gold)).decode()
    digest = digest_of(json.loads(payload))
    try:
        with transaction.atomic():
            report, _ = Report.objects.get_or_create(
                run=run,
                gold_version=gold,
                digest=digest,
                defaults={
                    "payload": payload,
                    "created_at": now,
                    "created_by": by,
                    "actor": actor,
                },
            )
    except IntegrityError:  # two at once: the other one's bytes are the same
        report = Report.objects.get(run=run, gold_version=gold, digest=digest)
    return report


def report_payload(run: Run, gold: GoldVersion) -> dict[str, Any]:
    """The report as plain data, without anything that changes by being read."""
    evidence, behind = pair_evidence(run), runs_behind(run)
    for config in (run.config, *(each.config for each in behind)):
        refuse_altered(config)
    sample = build_sample(run, gold, evidence)
    config = run.config
    found = calibrate(sample, np.random.default_rng(SEED))
    return {
        "schema": SCHEMA,
        "rules": REPORT_RULES,
        "gold": {
            "set": gold.gold_set.name,
            "version": gold.number,
            "digest": gold.digest,
            "rule": gold.rule,
            "pairs": gold.pairs,
            "left_open": gold.left_open,
            "systems": list(gold.gold_set.system_names()),
            "families": families_of(gold),
            "simulated": gold.gold_set.simulated,
            "corrections": corrections(gold, evidence),
        },
        "judge": {
            "name": config.name,
            "version": config.version,
            "digest": config.digest,
            "combining_rule": config.combining_rule,
            "repeats": config.repeats,
            "recorded": config.recorded,
            "models": list(models_of(run)),
            "simulated": any(each.config.simulated for each in behind),
            "few_shot": few_shot([config, *(each.config for each in behind)], gold),
        },
        "run": {
            "id": run.pk,
            "calls": sum(each.calls.count() for each in behind),
            "purpose": run.purpose,
            "served_models": served_models(run),
            "served_model_changed": any(has_changed(served_by(r)) for r in behind),
            "cost": cost_json(cost_of_runs(behind)),
            "notices": run.notices,
        },
        "pointwise": pointwise_json(run),
        "bootstrap": {
            "seed": SEED,
            "resamples": RESAMPLES,
            "numpy": np.__version__,
        },
        "splits": splits_json(found.splits),
        "comparison": jsonable(found.comparison),
    }


def families_of(gold: GoldVersion) -> list[str]:
    """The family of each system's model, "" where none is named."""
    systems = gold.gold_set.systems.order_by("position")
    return list(systems.values_list("family", flat=True))


def build_sample(
    run: Run, gold: GoldVersion, evidence: Mapping[int, PairEvidence]
) -> Sample:
    """Join judge and gold by pair: the pairs of the version that the run judged."""
    items = GoldItem.objects.filter(version=gold).select_related(
        "pair__case", "pair__baseline__system", "pair__candidate__system"
    )
    said, known = _labels_by_reviewer(gold), beside(run, gold)
    rows = [
        _row(item, evidence[item.pair_id], said.get(item.pair_id, {}), known)
        for item in items.order_by("pair_id").iterator(chunk_size=2000)
        if item.pair_id in evidence
    ]
    if not rows:
        raise Conflict("nothing_shared", f"Run {run.pk} judged no pair of gold {gold}.")
    return Sample.build(telling(rows), gold.gold_set.system_names())


def _labels_by_reviewer(gold: GoldVersion) -> dict[int, _Said]:
    """Who said what as the version was frozen, reviewers under their aliases."""
    aliases = reviewer_aliases(gold.gold_set)
    labels = (
        Label.objects.of_set(gold.gold_set_id)
        .counted()
        .filter(created_at__lte=gold.created_at)
        .order_by("pk")  # the newest replaces what a person said before
    )
    found: dict[int, _Said] = defaultdict(dict)
    for pair, reviewer, outside, outcome, order in labels.values_list(
        "pair_id", "reviewer_id", "external_reviewer", "outcome", "order"
    ):
        shown = Order(order) if order else None  # outside labels know of none
        found[pair][aliases[reviewer, outside]] = Outcome(outcome), shown
    return found


def _row(item: GoldItem, evidence: PairEvidence, said: _Said, known: Beside) -> Row:
    pair, verdict = item.pair, evidence.verdict
    return Row(
        pair=str(pair.pk),
        case=pair.case.external_id,
        cluster=pair.case.cluster,
        systems=(pair.baseline.system.name, pair.candidate.system.name),
        split=Split(item.split) if item.split else None,
        slices=known.slices_of(pair),
        critical=pair.case.critical,
        gold=Outcome(item.outcome) if item.outcome else None,
        gold_source=item.source,
        baseline_first=verdict.baseline_first,
        candidate_first=verdict.candidate_first,
        verdict=verdict.outcome,
        consistency=verdict.consistency,
        tie_source=verdict.tie_source,
        calls=tuple(_call(call) for call in evidence.calls),
        labels=tuple(Outcome(label) for label in item.labels),
        reviewers={name: outcome for name, (outcome, _) in said.items()},
        reviewer_orders={name: order for name, (_, order) in said.items() if order},
        lengths=(pair.baseline.length, pair.candidate.length),
        **known.of_pair(pair),
    )


def _call(call: CallReading) -> CallOutcome:
    reading = call.reading
    invalid = reading if isinstance(reading, Invalid) else None
    return CallOutcome(
        order=call.order,
        repeat=call.repeat,
        outcome=call_outcome(call),
        choice=None if isinstance(reading, Invalid) else reading.choice,
        reason=invalid.reason if invalid else None,
    )


def open_corrections(report: Report) -> dict[str, int]:
    """The corrections of a report's gold without those of held-out pairs.

    Which way sealed gold moved would tell what it is: a judge that always says the same
    is easily made.
    """
    known = json.loads(report.payload)["gold"]["corrections"]
    if not known["total"]:
        return dict(known)
    evidence = pair_evidence(report.run) if known["towards_judge"] else {}
    return corrections(report.gold_version, evidence, held_out=False)


def corrections(
    gold: GoldVersion, evidence: Mapping[int, PairEvidence], *, held_out: bool = True
) -> dict[str, int]:
    """Rulings that replaced gold which stood, and those that moved it to the judge.

    ``after_judge`` counts those made since the set's first judge run, and
    ``towards_judge`` those of them that gave up an outcome the judge contradicted for
    the one it had given (DESIGN rule 14).
    """
    counts = {"total": 0, "after_judge": 0, "towards_judge": 0}
    for before, ruling in _replacements(gold, held_out=held_out):
        counts["total"] += 1
        counts["after_judge"] += ruling.after_judge
        judged = evidence.get(ruling.pair_id)
        if ruling.after_judge and judged is not None:
            verdict = judged.verdict.outcome.value
            moved = before.value != verdict and ruling.outcome == verdict
            counts["towards_judge"] += moved
    return counts


def _replacements(
    gold: GoldVersion, *, held_out: bool
) -> Iterator[tuple[Outcome, Adjudication]]:
    """Each ruling of a version that replaced an outcome, with that outcome.

    A control, or a ruling that only confirms what stood, replaces nothing.
    """
    ruled = gold.items.exclude(ruling_digest="")
    if not held_out:
        ruled = ruled.exclude(split=Split.HELD_OUT.value)
    items = dict(ruled.values_list("pair_id", "labels"))
    rulings = Adjudication.objects.filter(
        pair_id__in=list(items), created_at__lte=gold.created_at
    ).order_by("pair_id", "sequence")
    standing: dict[int, Outcome | None] = {
        pair_id: _settled(labels, gold) for pair_id, labels in items.items()
    }
    for ruling in rulings:
        before = standing[ruling.pair_id]
        if before is not None and before.value != ruling.outcome:
            yield before, ruling
        standing[ruling.pair_id] = Outcome(ruling.outcome)


def _settled(labels: list[str], gold: GoldVersion) -> Outcome | None:
    found = consensus(
        [Outcome(label) for label in labels],
        ConsensusRule(gold.rule),
        gold.gold_set.labels_per_pair,
    )
    return found.outcome if isinstance(found, Settled) else None
