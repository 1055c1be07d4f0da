"""SQLite and PostgreSQL give the same bundle, byte for byte, for the same data."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest

from annotation.domain.consensus import ConsensusRule
from annotation.services.freezing import freeze_gold
from annotation.services.gold_sets import SetPlan, add_guideline, gold_set_named
from annotation.services.importing import import_pairs
from annotation.services.importing_labels import import_labels
from annotation.services.intake import Source
from calibration.services.audits.exporting import export_audit
from calibration.services.audits.scopes import Wanted
from judging.services.importing import import_verdicts
from judging.services.recorded import RecordedPlan
from tests.calibration.audits.tools import check
from tests.calibration.audits.world import BEGAN, COMMAND, VERDICTS, case
from tests.guards import change

# Both databases must come to this. It changes whenever what a bundle holds does.
DIGEST = "2880a1b055de04de7aa50c48bf635d12fa575a96b6062f8e9f80596c9d4f73f2"


def jsonl(rows: list[dict[str, Any]], name: str) -> Source:
    return Source("\n".join(map(json.dumps, rows)).encode(), name)


def build() -> None:
    """Everything at fixed times, under ids that begin at one."""
    cases = [case(number) for number in range(8)]
    plan = SetPlan(name="fixed", systems=("old", "new"), labels_per_pair=1)
    import_pairs(plan=plan, source=jsonl(cases, "p.jsonl"), by=None, now=BEGAN)
    gold_set = gold_set_named("fixed")
    change(gold_set, seed="5" * 32)
    add_guideline(gold_set=gold_set, text="# Règles", by=None, now=BEGAN)
    ids = [row["case_id"] for row in cases]
    labels = [
        {"case_id": name, "reviewer": f"r{place % 3}", "outcome": "tie", "note": "=ü"}
        for place, name in enumerate(ids)
    ]
    import_labels(gold_set=gold_set, source=jsonl(labels, "l.jsonl"), now=BEGAN)
    rule = ConsensusRule.MODE_OR_TIE
    freeze_gold(gold_set=gold_set, rule=rule, by=None, now=BEGAN)
    verdicts = [
        {"case_id": name, "order": order, "raw": VERDICTS[(place * 2 + turn) % 7]}
        for place, name in enumerate(ids)
        for turn, order in enumerate(("baseline_first", "candidate_first"))
    ]
    import_verdicts(
        gold_set=gold_set,
        plan=RecordedPlan(judge="recorded", verdict_format="five_token"),
        source=jsonl(verdicts, "v.jsonl"),
        by=None,
        now=BEGAN,
    )


@pytest.mark.django_db(transaction=True, reset_sequences=True)
def test_the_same_data_have_the_same_digest_on_both_databases() -> None:
    build()
    now = BEGAN + timedelta(days=1)
    found = export_audit(wanted=Wanted(gold_set="fixed"), viewer=COMMAND, now=now)
    result = check(b"".join(found.download().pieces))
    assert result.findings.problems == []
    assert result.findings.counts["calls"] == 16
    assert result.manifest_digest == DIGEST
