"""Published data: five commands, then a bundle that is verified to the last count."""

from __future__ import annotations

import io
import json

import pytest
from django.core.management import call_command

from tests.calibration.audits.tools import check, forged, rows_of, said, unpacked
from tests.shared import shared_data

pytestmark = pytest.mark.django_db
SYSTEMS = "bard,gpt35,vicuna-13b,claude,gpt4"


def say(*arguments, **options):
    out = io.StringIO()
    call_command(*arguments, stdout=out, stderr=io.StringIO(), **options)
    return out.getvalue()


def test_five_commands_and_the_bundle(tmp_path) -> None:
    names = ("pairs", "labels", "verdicts-gpt4")
    pairs, labels, verdicts = (str(shared_data(f"prd/{n}.jsonl")) for n in names)
    say("import_pairs", pairs, gold_set="prd", systems=SYSTEMS)
    say("import_labels", labels, gold_set="prd")
    say("freeze_gold", "prd", rule="mode_or_tie")
    say("import_verdicts", verdicts, gold_set="prd", judge="gpt4", use_choice=True)
    report = json.loads(say("report", gold_set="prd", judge="gpt4", json=True))
    assert report["splits"]["all"]["exact_agreement"]["value"] == 0.5825
    bundle = tmp_path / "prd.zip"
    digest = say("export_audit", "prd", output=str(bundle)).strip()

    found = check(bundle.read_bytes(), expect=digest)
    assert found.findings.problems == []
    assert found.findings.untold == []
    counts = found.findings.counts
    assert (counts["gold pairs"], counts["reports"]) == (800, 1)

    files = unpacked(bundle.read_bytes())
    calls = rows_of(files, "calls")
    place = next(i for i, c in enumerate(calls) if c["reply"]["choice"] == "first")
    turned = forged(
        files, "calls", lambda row: row["reply"].update(choice="second"), place
    )
    problems = said(turned)
    assert any(p.startswith("reports/") for p in problems)
