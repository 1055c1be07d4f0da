"""Decisions in a bundle: made again from their evidence, and that from the rows."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from django.utils import timezone

from annotation.domain.digests import canonical_json
from annotation.services.gold_sets import SetPlan
from annotation.services.importing import import_pairs
from annotation.services.intake import Source
from calibration.domain.audit.layout import table_file
from calibration.domain.deciding import decide
from calibration.services.audits.exporting import export_audit
from calibration.services.audits.scopes import Wanted
from tests.calibration.audits.releasing import COPY, RELEASE, draw, release
from tests.calibration.audits.tools import (
    Files,
    check,
    forged,
    rows_of,
    said,
    unpacked,
    with_manifest,
    with_rows,
)
from tests.calibration.audits.world import COMMAND, NAME, case

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def decision(site, django_db_blocker):
    with django_db_blocker.unblock():
        found = release(site)
        draw(site)
        return found


@pytest.fixture(scope="module")
def decided(decision, django_db_blocker) -> Files:
    with django_db_blocker.unblock():
        wanted = Wanted(decision=decision.pk)
        found = export_audit(wanted=wanted, viewer=COMMAND, now=timezone.now())
        return unpacked(b"".join(found.download().pieces))


def names(decision) -> tuple[str, str]:
    folder = f"decisions/{decision.pk}"
    return f"{folder}.json", f"{folder}.evidence.json"


def test_a_decision_brings_along_what_it_rests_on(decision, decided) -> None:
    found = check(decided)
    assert found.findings.problems == []
    assert found.findings.untold == []
    assert found.findings.counts["decisions"] == 1
    assert found.manifest.scope == {
        "kind": "decision",
        "decision": decision.pk,
        "gold_sets": [NAME, RELEASE],
    }
    (report,) = rows_of(decided, "reports")
    assert report["report"] == decision.report_id
    runs = {row["run"] for row in rows_of(decided, "runs")}
    assert {decision.run_id, decision.report.run_id} < runs
    (waiver,) = rows_of(decided, "waivers")
    assert (waiver["asked_by"], waiver["confirmed_by"]) == ("lea", "leo")


def test_a_copied_case_is_no_case_of_its_own(decision, decided) -> None:
    evidence = json.loads(decided[names(decision)[1]])
    copied = [pair for pair in evidence["pairs"] if pair["copy_of"]]
    (copy,) = copied
    assert (copy["case"], copy["copy_of"]) == (COPY, "case-101")
    assert copy["cluster"] == "case:case-101"
    summary = json.loads(decided[names(decision)[0]])["summary"]
    assert (summary["n"], summary["cases"], summary["copies"]) == (16, 15, 1)


def test_the_bundle_of_the_set_has_the_decision_too(decision) -> None:
    wanted = Wanted(gold_set=RELEASE)
    found = export_audit(wanted=wanted, viewer=COMMAND, now=timezone.now())
    files = unpacked(b"".join(found.download().pieces))
    result = check(files)
    assert result.findings.problems == []
    assert result.findings.counts["decisions"] == 1
    place = next(i for i, run in enumerate(rows_of(files, "runs")) if run["drawn"])
    problems = said(
        forged(files, "runs", lambda row: row["drawn"].update(seed="other"), place)
    )
    assert any(", and not the same" in p for p in problems), problems


def test_every_table_of_decisions_is_chained(decided) -> None:
    for table in ("policies", "waivers", "decisions"):
        name = table_file(table)
        changed = bytearray(decided[name])
        changed[len(changed) // 2] ^= 1
        problems = said({**decided, name: bytes(changed)})
        assert any(p.startswith(f"{name} row 1: ") for p in problems)


def test_a_flipped_bit_in_evidence_or_decision_is_named(decision, decided) -> None:
    for name in names(decision):
        changed = bytearray(decided[name])
        changed[len(changed) // 2] ^= 1
        problems = said(with_manifest({**decided, name: bytes(changed)}))
        assert any(name in p or "decisions.jsonl" in p for p in problems)


def test_a_forged_result_is_named(decision, decided) -> None:
    """Payload, digest, row, chain and manifest are forged together."""
    name, _ = names(decision)
    payload = json.loads(decided[name])
    other = "ship" if payload["result"] != "ship" else "hold"
    payload["result"] = other
    content = canonical_json(payload)
    rows = rows_of(decided, "decisions")
    rows[0] |= {"result": other, "digest": hashlib.sha256(content).hexdigest()}
    problems = said(with_rows({**decided, name: content}, "decisions", rows))
    assert any(p.startswith(f"{name}: result is '{other}'") for p in problems)


def test_forged_evidence_does_not_fit_the_rows(decision, decided) -> None:
    """The decision follows from the evidence, all digests fit: the calls do not."""
    name, evidence_name = names(decision)
    evidence = json.loads(decided[evidence_name])
    pair = next(p for p in evidence["pairs"] if p["verdict"] == "baseline")
    pair |= dict.fromkeys(("baseline_first", "candidate_first", "verdict"), "candidate")
    pair |= {"consistency": "consistent", "tie_source": None}
    files = with_decision(decision, decided, evidence)
    problems = said(files)
    assert not any(p.startswith(f"{name}:") for p in problems)
    assert any(p.startswith(f"{evidence_name}: pairs[") for p in problems)


def with_decision(decision, files: Files, evidence: dict[str, Any]) -> Files:
    """Forge evidence, and everything that follows from it."""
    name, evidence_name = names(decision)
    texts = canonical_json(evidence), canonical_json(decide(evidence))
    rows = rows_of(files, "decisions")
    rows[0] |= {
        "evidence_digest": hashlib.sha256(texts[0]).hexdigest(),
        "digest": hashlib.sha256(texts[1]).hexdigest(),
        "result": json.loads(texts[1])["result"],
    }
    return with_rows(
        {**files, evidence_name: texts[0], name: texts[1]}, "decisions", rows
    )


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda e: e["waivers"][0].update(state="expired"), "waivers[0].state is"),
        (lambda e: e["waivers"].clear(), "waivers (length) is 0; 1 follows"),
        (lambda e: e["calibration"].update(n=99), "calibration.n is 99"),
        (lambda e: e["run"].update(simulated=True), "run.simulated is True"),
        (lambda e: e["not_judged"].update(pairs=1), "not_judged.pairs is 1"),
        (lambda e: e["not_judged"].update(of=99), "not_judged.of is 99; the set had"),
        (
            lambda e: e["not_judged"].update(of=3),
            "not_judged.of is 3; the set had 16 pairs or more by then, and has 16",
        ),
        (
            lambda e: e["not_judged"].update(critical_cases=["x"]),
            "not_judged.critical_cases",
        ),
        (lambda e: e["owners"].update(run="x"), "owners.run is 'x'"),
        (lambda e: e["pairs"][-1].update(copy_of=None), "pairs[15].copy_of is None"),
        (lambda e: e["pairs"][-1].update(cluster="x"), "pairs[15].cluster is 'x'"),
        (lambda e: e["pairs"][0].update(lengths=[1, 1]), "pairs[0].lengths[0] is 1"),
    ],
)
def test_each_part_of_the_evidence_is_worked_out_again(
    decision, decided, change, expected
) -> None:
    evidence = json.loads(decided[names(decision)[1]])
    change(evidence)
    problems = said(with_decision(decision, decided, evidence))
    assert any(expected in p for p in problems), problems


def test_cases_that_came_later_are_not_told_apart(decision) -> None:
    """Nothing was done with them by then, so they may have been left out instead."""
    late = json.dumps(case(300)).encode()
    plan = SetPlan(name=RELEASE, systems=("old", "new"))
    source = Source(late, "late.jsonl")
    import_pairs(plan=plan, source=source, by=None, now=timezone.now())
    wanted = Wanted(decision=decision.pk)
    found = export_audit(wanted=wanted, viewer=COMMAND, now=timezone.now())
    findings = check(b"".join(found.download().pieces)).findings
    assert findings.problems == []
    (told,) = findings.untold
    assert told.startswith(f"whether 1 of the pairs of {RELEASE} came after decision ")


def test_a_policy_frozen_too_late_is_named(decided) -> None:
    late = timezone.now().isoformat(timespec="microseconds")
    problems = said(forged(decided, "policies", lambda row: row.update(frozen_at=late)))
    assert any("its policy was frozen after its run began" in p for p in problems)


def test_a_loosened_policy_does_not_fit_its_digest(decided) -> None:
    def loosen(row: dict[str, Any]) -> None:
        row["document"]["maximumSwapFlipRate"] = 0.9

    problems = said(forged(decided, "policies", loosen))
    assert "policies.jsonl row 1: its document does not fit its digest" in problems


def test_nobody_confirms_their_own_waiver(decided) -> None:
    problems = said(
        forged(decided, "waivers", lambda row: row.update(confirmed_by="lea"))
    )
    assert "waivers.jsonl row 1: who asked for it confirmed it" in problems


def test_a_second_decision_on_the_same_is_named(decided) -> None:
    rows = rows_of(decided, "decisions")
    problems = said(with_rows(decided, "decisions", [rows[0], rows[0]]))
    assert "decisions.jsonl row 2: it is made of the same as row 1" in problems


def test_what_other_sets_tell_is_said_to_be_taken_as_it_stands(
    decision, decided
) -> None:
    (taken,) = check(decided).findings.taken
    assert taken.startswith(
        f"of decision {decision.pk}, calibration.open_elsewhere (0)"
    )
    _, evidence = names(decision)
    told = json.loads(decided[evidence])
    told["calibration"]["open_elsewhere"] = 999
    problems = said(with_manifest({**decided, evidence: canonical_json(told)}))
    assert any(
        f"{evidence}: calibration.open_elsewhere is 999, of " in p for p in problems
    )


def test_texts_that_were_open_in_the_bundle_itself_are_counted(
    decision, decided
) -> None:
    """A held-out case of the gold that nothing holds out: its results were open."""
    cases = rows_of(decided, "cases")
    place = next(
        n
        for n, row in enumerate(cases)
        if row["gold_set"] == NAME and row["split"] == "held_out"
    )
    opened = forged(decided, "cases", lambda row: row.update(split="dev"), place)
    _, evidence = names(decision)
    start = (
        f"{evidence}: calibration.open_elsewhere is 0; in sets of this bundle alone "
    )
    assert any(problem.startswith(start) for problem in said(opened))
    assert not any(problem.startswith(start) for problem in said(decided))
