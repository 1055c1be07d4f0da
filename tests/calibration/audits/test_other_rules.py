"""What other versions of our rules made: neither verified nor tampered."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from annotation.domain.digests import canonical_json
from calibration.domain.rules import DECISION_RULES, REPORT_RULES
from calibration.services.audits.exporting import export_audit
from calibration.services.audits.scopes import Wanted
from tests.calibration.audits.releasing import release
from tests.calibration.audits.tools import (
    Files,
    check,
    packed,
    rows_of,
    unpacked,
    with_rows,
)
from tests.calibration.audits.world import COMMAND

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def decision(site, django_db_blocker):
    with django_db_blocker.unblock():
        return release(site)


@pytest.fixture(scope="module")
def decided(decision, django_db_blocker) -> Files:
    with django_db_blocker.unblock():
        wanted = Wanted(decision=decision.pk)
        found = export_audit(wanted=wanted, viewer=COMMAND, now=timezone.now())
        return unpacked(b"".join(found.download().pieces))


def older(decision, files: Files, rules: int | None = None) -> tuple[Any, Any]:
    """The evidence and the decision as a version would have them that made no count."""
    folder = f"decisions/{decision.pk}"
    found = []
    for name in (f"{folder}.evidence.json", f"{folder}.json"):
        document = json.loads(files[name])
        del document["rules"], document["not_judged"]
        if rules is not None:
            document["rules"] = rules
        found.append(document)
    return found[0], found[1]


def with_them(decision, files: Files, evidence: Any, payload: Any) -> Files:
    folder = f"decisions/{decision.pk}"
    text = canonical_json(evidence)
    digest = hashlib.sha256(text).hexdigest()
    made = canonical_json({**payload, "evidence_digest": digest})
    rows = rows_of(files, "decisions")
    rows[0] |= {"evidence_digest": digest, "digest": hashlib.sha256(made).hexdigest(),
                "result": payload["result"]}  # fmt: skip
    files = {**files, f"{folder}.evidence.json": text, f"{folder}.json": made}
    return with_rows(files, "decisions", rows)


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        (None, "an older rule version that it does not name"),
        (DECISION_RULES + 1, f"a newer rule version {DECISION_RULES + 1}"),
    ],
)
def test_a_decision_by_other_rules_is_neither(
    decision, decided, rules, words, tmp_path, capsys
) -> None:
    made = with_them(decision, decided, *older(decision, decided, rules))
    found = check(made).findings
    assert found.problems == []
    assert found.other_rules == [
        (
            f"decision {decision.pk} was made by {words} (here is {DECISION_RULES}): "
            "not recomputed"
        )
    ]
    assert found.counts["decisions"] == 0
    bundle, told = tmp_path / "old.zip", tmp_path / "old.json"
    bundle.write_bytes(packed(made))
    with pytest.raises(SystemExit) as ended:
        call_command("verify_audit", bundle, json=str(told))
    assert ended.value.code == 23
    out = capsys.readouterr().out
    assert out.endswith("\nnot recomputed\n")
    assert f"RULES  decision {decision.pk} was made by {words}" in out
    summary = json.loads(told.read_text())
    assert (summary["result"], summary["problems"]) == ("not recomputed", [])
    assert summary["not_recomputed"] == found.other_rules


def other_verdict(evidence: Any, payload: Any) -> None:
    pair = next(p for p in evidence["pairs"] if p["verdict"] != "tie")
    pair["verdict"] = "tie"


def lost_pair(evidence: Any, payload: Any) -> None:
    evidence["pairs"].pop()


def other_policy(evidence: Any, payload: Any) -> None:
    evidence["policy"]["document"]["maximumSwapFlipRate"] = 0.9


def other_run(evidence: Any, payload: Any) -> None:
    evidence["run"]["id"] += 1


def shipped(evidence: Any, payload: Any) -> None:
    assert {c["result"] for c in payload["conditions"]} != {"pass"}
    payload["result"] = "ship"


def no_version(evidence: Any, payload: Any) -> None:
    evidence["rules"] = payload["rules"] = "none"


def two_versions(evidence: Any, payload: Any) -> None:
    payload["rules"] = DECISION_RULES


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (other_verdict, ".verdict is 'tie'"),
        (lost_pair, "pairs, and not the"),
        (other_policy, "policy.document is not that of its policy"),
        (other_run, "run.id is"),
        (shipped, "it ships, and not every condition of it is pass"),
        (no_version, "its rules are 'none', which is no version"),
        (two_versions, "made by other rules than its evidence names"),
    ],
)
def test_what_no_version_changes_is_checked_all_the_same(
    decision, decided, change, expected
) -> None:
    evidence, payload = older(decision, decided)
    change(evidence, payload)
    problems = check(with_them(decision, decided, evidence, payload)).findings.problems
    assert any(expected in str(p) for p in problems), problems


def older_report(files: Files, change: Any = None) -> tuple[str, Files]:
    rows = rows_of(files, "reports")
    name = f"reports/{rows[0]['report']}.json"
    report = json.loads(files[name])
    del report["rules"]
    report["splits"]["dev"]["kappa"]["value"] = 0.125
    if change is not None:
        change(report)
    text = canonical_json(report)
    before, rows[0]["digest"] = rows[0]["digest"], hashlib.sha256(text).hexdigest()
    looks = rows_of(files, "looks")
    for look in looks:
        look["subject"] = look["subject"].replace(before, rows[0]["digest"])
    made = with_rows({**files, name: text}, "looks", looks)
    return name, with_rows(made, "reports", rows)


def test_a_report_by_other_rules_is_neither(files) -> None:
    name, made = older_report(files)
    found = check(made).findings
    assert found.problems == []
    assert found.other_rules == [
        (
            f"{name} was made by an older rule version that it does not name (here is "
            f"{REPORT_RULES}): not recomputed"
        )
    ]


def test_its_confusion_is_counted_all_the_same(files) -> None:
    def change(report: Any) -> None:
        report["splits"]["dev"]["confusion"]["tie"]["tie"] += 1

    name, made = older_report(files, change)
    problems = [str(p) for p in check(made).findings.problems]
    assert any(p.startswith(f"{name}: splits.dev.confusion.tie.tie") for p in problems)


def test_an_honest_bundle_names_the_rules_of_today(decision, decided) -> None:
    assert check(decided).findings.other_rules == []
    folder = f"decisions/{decision.pk}"
    for name in (f"{folder}.evidence.json", f"{folder}.json"):
        assert json.loads(decided[name])["rules"] == DECISION_RULES
