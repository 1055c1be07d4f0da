"""Compare judges on the same pairs of a gold set; held-out pairs are a look at each."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from annotation.domain.outcomes import Split
from annotation.models import Pair
from annotation.services.seals import refuse_sealed
from calibration.domain.jsonable import jsonable
from calibration.domain.judges import compare_judges
from calibration.services.looks import disclose
from calibration.services.reporting import (
    build_sample,
    latest_gold,
    latest_run,
    make_report,
)
from config.errors import InvalidInput
from judging.services.evidence import pair_evidence

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from annotation.services.held_out import Viewer
    from calibration.domain.samples import Sample

SCHEMA = "evenhand.judge_comparison/1"
FEWEST = 2


def judge_comparison(
    *,
    gold_set: str,
    judges: Sequence[str],
    split: Split,
    viewer: Viewer,
    now: datetime,
) -> dict[str, Any]:
    """Compare the newest finished runs of judges under the newest gold, as JSON.

    On held-out pairs this discloses the report of every judge: each is a look.
    """
    if len(set(judges)) < FEWEST or len(set(judges)) < len(judges):
        raise InvalidInput("judges_few", "Name two or more judges, each once.")
    runs = {name: latest_run(gold_set=gold_set, judge=name) for name in judges}
    gold = latest_gold(next(iter(runs.values())).gold_set_id)
    asked = Pair.objects.filter(gold_set=gold.gold_set_id, case__split=split.value)
    refuse_sealed(asked)
    samples: dict[str, Sample] = {}
    for name, run in runs.items():
        if split is Split.HELD_OUT:
            report = make_report(run=run, gold=gold, by=viewer.user, now=now)
            disclose(report=report, viewer=viewer, now=now)
        whole = build_sample(run, gold, pair_evidence(run))
        samples[name] = whole.where(split=split)
    found = compare_judges(samples)
    return {
        "schema": SCHEMA,
        "gold": {"set": gold_set, "version": gold.number, "digest": gold.digest},
        "split": split.value,
        "runs": {name: run.pk for name, run in runs.items()},
        **{f.name: jsonable(getattr(found, f.name)) for f in fields(found)},
    }
