"""Compare judges on the same pairs of a gold set; held-out pairs are a look at each."""

from __future__ import annotations

from dataclasses import fields
from itertools import combinations
from typing import TYPE_CHECKING, Any

from django.db import transaction

from calibration.domain.jsonable import jsonable
from calibration.domain.judges import compare_judges
from calibration.services.compared_pairs import (
    ComparedPart,
    part_of,
    refuse_sealed_part,
    why_none,
)
from calibration.services.looks_together import disclose_each
from calibration.services.reporting import (
    build_sample,
    latest_gold,
    latest_run,
    make_report,
)
from calibration.services.reviewing import record_seen
from config.errors import InvalidInput
from judging.models import ConfigKind, Run, RunStatus
from judging.services.editing import differences
from judging.services.evidence import pair_evidence
from judging.services.panels import is_panel, runs_behind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from annotation.models import GoldSet, GoldVersion
    from annotation.services.held_out import Viewer

SCHEMA = "evenhand.judge_comparison/1"
FEWEST = 2
SINGLE_PAIRS = ("all_wrong", "all_wrong_systems", "all_wrong_pairs")
MOST = 12  # every two of them are compared


def judges_on(gold_set: GoldSet) -> tuple[str, ...]:
    """The judges with a finished run of verdicts on a set, by name."""
    runs = Run.objects.filter(gold_set=gold_set, status=RunStatus.DONE)
    named = runs.representative().exclude(config__kind=ConfigKind.POINTWISE)
    return tuple(sorted(set(named.values_list("config__name", flat=True))))


def judge_comparison(
    *,
    gold_set: str,
    judges: Sequence[str],
    split: ComparedPart,
    viewer: Viewer,
    now: datetime,
) -> dict[str, Any]:
    """Compare the newest finished runs of judges under the newest gold, as JSON.

    A panel named alone is compared with its members. On held-out pairs this discloses
    the report of every judge: each is a look; to people single pairs are then not
    named, and of other pairs it is noted that they saw them.
    """
    runs = _runs(gold_set, judges)
    gold = latest_gold(next(iter(runs.values())).gold_set_id)
    refuse_sealed_part(gold, split)
    return _compared(runs, gold, split, viewer=viewer, now=now)


@transaction.atomic
def _compared(
    runs: Mapping[str, Run],
    gold: GoldVersion,
    split: ComparedPart,
    *,
    viewer: Viewer,
    now: datetime,
) -> dict[str, Any]:
    """Either every look that this takes is logged, or none is."""
    if split == ComparedPart.HELD_OUT:
        by, actor = viewer.user, viewer.actor
        reports = [
            make_report(run=r, gold=gold, by=by, now=now, actor=actor)
            for r in runs.values()
        ]
        disclose_each(reports=reports, viewer=viewer, now=now)
    whole = {
        name: build_sample(run, gold, pair_evidence(run)) for name, run in runs.items()
    }
    found = compare_judges(part_of(whole, gold, split))
    payload = {
        "schema": SCHEMA,
        "gold": {
            "set": gold.gold_set.name,
            "version": gold.number,
            "digest": gold.digest,
            "systems": list(gold.gold_set.system_names()),
        },
        "split": split.value,
        "runs": {name: run.pk for name, run in runs.items()},
        **{f.name: jsonable(getattr(found, f.name)) for f in fields(found)},
        "why_none": "" if found.pairs else why_none(gold, split),
        "configs": configs_json(runs),
    }
    if viewer.user is not None:
        if (
            split == ComparedPart.HELD_OUT
        ):  # one by one they are shown in a look of their own
            return payload | {name: [] for name in SINGLE_PAIRS}
        named = [int(pair) for pair in found.all_wrong_pairs]
        record_seen(user=viewer.user, pair_ids=named, now=now)
    return payload


def _runs(gold_set: str, judges: Sequence[str]) -> dict[str, Run]:
    names = list(judges)
    if len(set(names)) < len(names) or not names:
        raise InvalidInput("judges_few", "Name two or more judges, each once.")
    if len(names) > MOST:
        raise InvalidInput("judges_many", f"At most {MOST} judges are compared.")
    runs = {name: latest_run(gold_set=gold_set, judge=name) for name in names}
    if len(names) == 1 and is_panel(panel := runs[names[0]]):
        runs |= {_named(member): member for member in runs_behind(panel)}
    if len(runs) < FEWEST:
        raise InvalidInput("judges_few", "Name two or more judges, each once.")
    return runs


def _named(run: Run) -> str:
    return f"{run.config.name} v{run.config.version}"


def configs_json(runs: Mapping[str, Run]) -> list[dict[str, Any]]:
    """Every two judges with the fields of their specification that differ."""
    return [
        {
            "first": one,
            "second": other,
            "differ": [
                {"field": d.field, "before": d.before, "after": d.after}
                for d in differences(runs[one].config, runs[other].config)
            ],
        }
        for one, other in combinations(runs, 2)
    ]
