"""Splits that a seed drew are drawn again; those that it didn't draw are left alone."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from annotation.domain.consensus import ConsensusRule
from annotation.services.freezing import freeze_gold
from annotation.services.gold_sets import SetPlan, gold_set_named
from annotation.services.importing import import_pairs
from annotation.services.importing_labels import import_labels
from annotation.services.intake import Source
from annotation.services.splitting import SplitWish, write_splits
from calibration.services.audits.exporting import export_audit
from calibration.services.audits.scopes import Wanted
from tests.calibration.audits.tools import Files, check, rows_of, unpacked, with_rows
from tests.calibration.audits.world import BEGAN, COMMAND, case

if TYPE_CHECKING:
    from annotation.models import GoldSet

pytestmark = pytest.mark.django_db
NAME, CASES = "drawn", 30
WRONG = f"splits.jsonl: the splits of {NAME} are not those that its seed draws"


def made(cases: int = CASES, **changes: Any) -> GoldSet:
    """Cases of which every two have one prompt."""
    rows = [
        case(number) | {"split": None, "prompt": f"Question {number // 2}?"} | changes
        for number in range(cases)
    ]
    lines = "\n".join(map(json.dumps, rows)).encode()
    plan = SetPlan(name=NAME, systems=("old", "new"), labels_per_pair=1)
    import_pairs(plan=plan, source=Source(lines, "p.jsonl"), by=None, now=BEGAN)
    gold_set = gold_set_named(NAME)
    labels = [
        {
            "case_id": row["case_id"],
            "reviewer": "r",
            "outcome": ("tie", "candidate")[n % 2],
        }
        for n, row in enumerate(rows)
    ]
    source = Source("\n".join(map(json.dumps, labels)).encode(), "l.jsonl")
    import_labels(gold_set=gold_set, source=source, now=BEGAN)
    return gold_set


def bundle(gold_set: GoldSet, **wish: Any) -> Files:
    given: dict[str, Any] = {"seed": "b", "held_out": 0.4}
    given |= {"slices": ("language",)} | wish
    write_splits(gold_set=gold_set, wish=SplitWish(**given), by=None, now=BEGAN)
    rule = ConsensusRule.MODE_OR_TIE
    freeze_gold(gold_set=gold_set, rule=rule, by=None, now=BEGAN)
    found = export_audit(
        wanted=Wanted(gold_set=NAME), viewer=COMMAND, now=timezone.now()
    )
    return unpacked(b"".join(found.download().pieces))


def told(files: Files, **changes: Any) -> list[str]:
    (row,) = rows_of(files, "splits")
    forged = with_rows(files, "splits", [row | changes])
    return [str(each) for each in check(forged).findings.problems]


@pytest.mark.parametrize("joined", [False, True])
def test_what_a_seed_drew_is_drawn_again(joined) -> None:
    files = bundle(made(), join_near_duplicates=joined)
    found = check(files).findings
    assert found.problems == []
    assert found.counts["splits drawn"] == 1
    assert told(files, seed="another seed") == [WRONG]
    assert told(files, held_out_share=0.6) == [WRONG]
    assert told(files, join_near_duplicates=not joined) == [WRONG]


def test_what_was_there_before_is_not_drawn() -> None:
    files = bundle(made(split="dev"))
    found = check(files).findings
    assert (found.problems, found.counts["splits drawn"]) == ([], 0)


def test_reassigned_cases_are_all_drawn() -> None:
    files = bundle(made(split="dev"), reassign=True)
    found = check(files).findings
    assert (found.problems, found.counts["splits drawn"]) == ([], 1)
    assert told(files, seed="another seed") == [WRONG]
    assert told(files, slices=[]) == [WRONG]


def test_what_was_drawn_by_outcomes_is_left_alone() -> None:
    files = bundle(made(), by_class=True)
    found = check(files).findings
    assert (found.problems, found.counts["splits drawn"]) == ([], 0)
