"""A whole report once more, from nothing but the rows of a bundle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from annotation.domain.outcomes import Order, Outcome, choice_for
from annotation.domain.texts import plain_text, text_from_json
from calibration.domain.audit.golds import settled
from calibration.domain.audit.rows import Own, rows_of
from calibration.domain.audit.simulated import any_simulated
from calibration.domain.audit.spending import cost_json
from calibration.domain.beside import few_shot_json, telling
from calibration.domain.blocks import calibrate
from calibration.domain.bootstrap import RESAMPLES
from calibration.domain.jsonable import jsonable, splits_json
from calibration.domain.rules import REPORT_RULES
from calibration.domain.samples import Sample
from judging.domain.panels import PanelSpec, panel_verdict
from judging.domain.terms import InvalidReason, JudgeOutcome
from judging.domain.verdicts import CallReading, Invalid, Verdict, combine

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from calibration.domain.audit.material import (
        Material,
        RunRow,
        VersionRow,
    )
    from calibration.domain.audit.rows import Evidence

SCHEMA = "evenhand.report/1"


def report_again(
    material: Material,
    run: RunRow,
    gold: VersionRow,
    made: datetime,
    seed: int,
    families: tuple[str, ...] = (),
) -> dict[str, Any]:
    """Compute the report on a run under a gold version, as of when it was made."""
    behind = runs_behind(material, run)
    evidence = evidence_of(material, run)
    judge, models = run.judge, models_of(behind)
    marks = marks_beside(material, run, models, made)
    own = Own(models, dict(zip(gold.gold_set.systems, families, strict=False)))
    rows = rows_of(material, run, gold, evidence, own, marks)
    sample = Sample.build(telling(rows), gold.gold_set.systems)
    found = calibrate(sample, np.random.default_rng(seed))
    spec: Any = judge.spec
    return {
        "schema": SCHEMA,
        "rules": REPORT_RULES,
        "gold": {
            "set": gold.gold_set.name,
            "version": gold.version,
            "digest": gold.digest,
            "rule": gold.rule,
            "pairs": gold.pairs,
            "left_open": gold.left_open,
            "systems": list(gold.gold_set.systems),
            **({"families": list(families)} if families else {}),
            "simulated": gold.gold_set.simulated,
            "corrections": corrections(material, gold, evidence),
        },
        "judge": {
            "name": judge.name,
            "version": judge.version,
            "digest": judge.digest,
            "combining_rule": spec.combining_rule.value,
            "repeats": getattr(spec, "repeats", 1),
            "recorded": judge.recorded,
            "models": list(models),
            "simulated": any_simulated((r.judge for r in behind), made),
            "few_shot": few_shot_json(
                [judge.raw, *(r.judge.raw for r in behind)], _held_out(material, gold)
            ),
        },
        "run": {
            "id": run.number,
            "calls": sum(each.calls for each in behind),
            "purpose": run.purpose,
            "served_models": _served(behind),
            "served_model_changed": any(_changed(each) for each in behind),
            "cost": cost_json(material, behind, made),
            "notices": run.notices,
        },
        "pointwise": _pointwise_json(marks),
        "bootstrap": {
            "seed": seed,
            "resamples": RESAMPLES,
            "numpy": np.__version__,
        },
        "splits": splits_json(found.splits),
        "comparison": jsonable(found.comparison),
    }


def runs_behind(material: Material, run: RunRow) -> list[RunRow]:
    """Give the runs that hold the calls: a panel's members', else the run itself."""
    if not isinstance(run.judge.spec, PanelSpec):
        return [run]
    return [material.runs[number] for number in run.members]


def models_of(behind: Sequence[RunRow]) -> tuple[str, ...]:
    """Give the models that were asked, by name."""
    names = {str(each.judge.raw.get("model") or "") for each in behind}
    return tuple(sorted(filter(None, names)))


def evidence_of(material: Material, run: RunRow) -> dict[int, Evidence]:
    """Combine the calls of every pair by the rules frozen with the judge."""
    spec: Any = run.judge.spec
    if isinstance(spec, PanelSpec):
        return _panel(material, run, spec)
    found = {}
    for pair, calls in run.readings.items():
        ordered = tuple(sorted(calls, key=lambda call: (call.order, call.repeat)))
        verdict = combine(
            ordered,
            rule=spec.combining_rule,
            repeat_rule=spec.repeat_rule,
            repeats=spec.repeats,
        )
        found[pair] = (ordered, verdict)
    return found


def _panel(material: Material, run: RunRow, spec: PanelSpec) -> dict[int, Evidence]:
    members = [evidence_of(material, each) for each in runs_behind(material, run)]
    shared = set.intersection(*(set(each) for each in members)) if members else set()
    found = {}
    for pair in sorted(shared):
        verdicts = [each[pair][1] for each in members]
        voted = panel_verdict(
            [(v.baseline_first, v.candidate_first) for v in verdicts], spec=spec
        )
        votes = {
            Order.BASELINE_FIRST: voted.baseline_first.outcome,
            Order.CANDIDATE_FIRST: voted.candidate_first.outcome,
        }
        calls = tuple(_as_call(order, outcome) for order, outcome in votes.items())
        found[pair] = (calls, voted.verdict)
    return found


def _as_call(order: Order, outcome: JudgeOutcome) -> CallReading:
    if outcome is JudgeOutcome.INVALID:
        return CallReading(order, 1, Invalid(InvalidReason.NO_QUORUM, "no quorum"))
    return CallReading(order, 1, Verdict(choice_for(Outcome(outcome.value), order)))


def marks_beside(
    material: Material, run: RunRow, models: tuple[str, ...], made: datetime
) -> RunRow | None:
    """Give the pointwise run whose marks stood beside when the report was made."""
    if len(models) != 1:
        return None
    fitting = [
        each
        for each in material.runs.values()
        if each.marks_by(made)
        and each.gold_set is run.gold_set
        and each.judge.provider == run.judge.provider
        and each.judge.raw.get("model") == models[0]
    ]
    return max(fitting, key=lambda each: each.number, default=None)


def _pointwise_json(marks: RunRow | None) -> dict[str, Any] | None:
    if marks is None:
        return None
    judge = marks.judge
    return {
        "run": marks.number,
        "judge": judge.name,
        "version": judge.version,
        "digest": judge.digest,
    }


def _held_out(
    material: Material, gold: VersionRow
) -> Iterator[tuple[str, Iterator[str]]]:
    for item in material.items[gold.number]:
        if item.split is not None and item.split.value == "held_out":
            case = item.pair.case
            stored = (
                case.prompt, case.context, case.reference, item.pair.baseline.text,
                item.pair.candidate.text,
            )  # fmt: skip
            yield case.case_id, (plain_text(text_from_json(t)) for t in stored if t)


def corrections(
    material: Material, gold: VersionRow, evidence: Mapping[int, Evidence]
) -> dict[str, int]:
    """Count rulings that replaced gold, after the judge, and towards it."""
    counts = {"total": 0, "after_judge": 0, "towards_judge": 0}
    wanted = material.wanted.get(gold.number, gold.gold_set.wanted)
    for item in material.items[gold.number]:
        if not item.ruling:
            continue
        standing = settled([Outcome(one) for one in item.labels], gold.rule, wanted)
        for ruling in material.rulings.get(item.pair.number, ()):
            if ruling.at > gold.at:
                continue
            if standing is not None and standing is not ruling.outcome:
                counts["total"] += 1
                counts["after_judge"] += ruling.after_judge
                judged = evidence.get(item.pair.number)
                if ruling.after_judge and judged is not None:
                    verdict = judged[1].outcome.value
                    moved = standing.value != verdict == ruling.outcome.value
                    counts["towards_judge"] += moved
            standing = ruling.outcome
    return counts


def _served(behind: Sequence[RunRow]) -> list[dict[str, object]]:
    return [
        {"model": model, "fingerprint": fingerprint, "calls": count}
        for each in behind
        for (model, fingerprint), count in sorted(each.served.items())
    ]


def _changed(run: RunRow) -> bool:
    models = {model for model, _ in run.served if model}
    builds = {build for _, build in run.served if build}
    return len(models) > 1 or len(builds) > 1
