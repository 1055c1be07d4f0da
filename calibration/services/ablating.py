"""What one field of a judge changes: judges that are the same but for it."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from django.db import transaction

from annotation.services.gold_sets import gold_set_named
from calibration.domain.ablations import ablations
from calibration.domain.jsonable import jsonable
from calibration.domain.judges import compare_judges
from calibration.services.compared_pairs import (
    ComparedPart,
    part_of,
    refuse_sealed_part,
    why_none,
)
from calibration.services.judge_comparison import SINGLE_PAIRS
from calibration.services.looks_together import disclose_each
from calibration.services.reporting import build_sample, latest_gold, make_report
from config.errors import Conflict
from judging.models import ConfigKind, Run, RunPurpose, RunStatus
from judging.services.evidence import pair_evidence

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from annotation.models import GoldSet, GoldVersion
    from annotation.services.held_out import Viewer
    from calibration.domain.ablations import Ablation
    from calibration.domain.samples import Sample

SCHEMA = "evenhand.ablations/1"
MOST = 40  # judges: each one's verdicts are read
LEFT_OUT = (*SINGLE_PAIRS, "shared_wrong", "effective_votes")


def ablations_on(
    *, gold_set: str, split: ComparedPart, viewer: Viewer, now: datetime
) -> dict[str, Any]:
    """Line up the judges on a set that differ in one field, by field, as JSON.

    Of each frozen judge the newest finished run counts, under the newest gold. On
    held-out pairs this discloses the report of every judge shown: each is a look.
    """
    found = gold_set_named(gold_set)
    runs = _runs(found)
    groups = ablations({name: run.config.spec for name, run in runs.items()})
    shown = {name for group in groups for name in group.values}
    if not shown:
        return _payload(found, None, split, [])
    gold = latest_gold(found.pk)
    refuse_sealed_part(gold, split)
    wanted = {name: run for name, run in runs.items() if name in shown}
    samples = _samples(wanted, gold, split, viewer=viewer, now=now)
    return _payload(
        found,
        gold,
        split,
        [_group(one, wanted, samples, gold, split) for one in groups],
    )


def _runs(gold_set: GoldSet) -> dict[str, Run]:
    """The newest finished run of each frozen judge that asks, newest judges first."""
    done = Run.objects.filter(
        gold_set=gold_set,
        status=RunStatus.DONE,
        purpose=RunPurpose.CALIBRATION,
        config__kind=ConfigKind.PAIRWISE,
        config__recorded=False,
    )
    found: dict[str, Run] = {}
    digests: set[str] = set()
    for run in done.select_related("config").order_by("-pk").iterator(chunk_size=100):
        config = run.config
        if len(found) < MOST and config.digest not in digests:
            digests.add(config.digest)
            found[f"{config.name} v{config.version}"] = run
    return found


@transaction.atomic
def _samples(
    runs: Mapping[str, Run],
    gold: GoldVersion,
    split: ComparedPart,
    *,
    viewer: Viewer,
    now: datetime,
) -> dict[str, Sample]:
    """Either every look that this takes is logged, or none is."""
    found = {}
    if split == ComparedPart.HELD_OUT:
        by, actor = viewer.user, viewer.actor
        reports = [
            make_report(run=r, gold=gold, by=by, now=now, actor=actor)
            for r in runs.values()
        ]
        disclose_each(reports=reports, viewer=viewer, now=now)
    for name, run in runs.items():
        try:
            found[name] = build_sample(run, gold, pair_evidence(run))
        except Conflict:  # it judged other pairs than this gold is of
            continue
    return part_of(found, gold, split)


def _group(
    group: Ablation,
    runs: Mapping[str, Run],
    samples: Mapping[str, Sample],
    gold: GoldVersion,
    split: ComparedPart,
) -> dict[str, Any]:
    values = [
        {"judge": name, "value": value, "run": runs[name].pk}
        for name, value in group.values.items()
    ]
    named = {name: samples[name] for name in group.values if name in samples}
    result: dict[str, Any] = {"field": group.field, "values": values, "why_none": ""}
    if len(named) < 2:  # noqa: PLR2004 - nothing to compare
        return result | {"pairs": 0, "judges": [], "versus": []}
    compared = compare_judges(named)
    if not compared.pairs:
        result["why_none"] = why_none(gold, split)
    kept = [f.name for f in fields(compared) if f.name not in LEFT_OUT]
    return result | {name: jsonable(getattr(compared, name)) for name in kept}


def _payload(
    gold_set: GoldSet,
    gold: GoldVersion | None,
    split: ComparedPart,
    groups: list[dict[str, Any]],
) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "gold": {
            "set": gold_set.name,
            "version": gold.number if gold else None,
            "digest": gold.digest if gold else None,
        },
        "split": split.value,
        "groups": groups,
    }
