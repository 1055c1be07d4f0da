"""How the pairs of a set cluster, for a plan: its cases, and what a report found."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from annotation.domain.outcomes import Split
from annotation.models import Case, Pair
from calibration.domain.plan_clusters import Reported, shape_of
from calibration.models import Report
from calibration.services.looks import dev_under_seal
from calibration.services.report_cases import pairs_of

if TYPE_CHECKING:
    from annotation.models import GoldSet, GoldVersion
    from calibration.domain.plan_clusters import Shape

SCORED = ("baseline", "candidate", "tie")


def set_shape(gold_set: GoldSet, newest: GoldVersion | None) -> Shape | None:
    """The shape of the pairs of the newest gold, or of all pairs while none is frozen.

    How many pairs a case has tells nothing of anybody's answers: held-out pairs are in.
    """
    pairs = Pair.objects.filter(gold_set=gold_set)
    if newest is not None:
        pairs = pairs.filter(pk__in=newest.items.values("pair"))
    prompts = _prompts(gold_set)
    return shape_of(
        (case, prompts[case]) for case in pairs.values_list("case", flat=True)
    )


def newest_effect(gold_set: GoldSet, judge: str = "") -> Reported | None:
    """The design effect of exact agreement in the newest report on a set.

    With a ``judge`` in its newest one. On dev pairs, or on all where none is held out;
    None without any such pair that has gold, and where a seal closes them.
    """
    found = Report.objects.filter(gold_version__gold_set=gold_set).order_by("-pk")
    if judge:
        found = found.filter(run__config__name=judge)
    report = found.first()
    if report is None or dev_under_seal(report):
        return None
    splits = json.loads(report.payload)["splits"]
    split = "dev" if splits["held_out"]["n"] else "all"
    figure = splits[split]["exact_agreement"]
    rows = pairs_of(report).of_part(held_out=False).filter(gold__in=SCORED)
    if split == Split.DEV.value:
        rows = rows.filter(split=split)
    prompts = _prompts(gold_set)
    shape = shape_of(
        (case, prompts[case]) for case in rows.values_list("pair__case", flat=True)
    )
    if shape is None:
        return None
    return Reported(report.pk, figure.get("design_effect") or 1.0, shape)


def _prompts(gold_set: GoldSet) -> dict[int, str]:
    cases = Case.objects.filter(gold_set=gold_set).only("external_id", "group")
    return {case.pk: case.cluster for case in cases.iterator(chunk_size=2000)}
