"""Rows that are forged with all digests and chains: computing again tells of them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from calibration.domain.audit.layout import MANIFEST, NOTES
from tests.calibration.audits.tools import (
    check,
    forged,
    packed,
    rows_of,
    said,
    with_manifest,
    with_rows,
)

# A bundle is the same bytes from either database: test_same_everywhere.py.
pytestmark = [pytest.mark.django_db, pytest.mark.sqlite_only]
# What cannot follow from anything else in the bundle: only the digest that was handed
# on tells that these were forged with all digests and chains.
ONLY_BY_DIGEST = {
    ("gold_sets", "title"), ("rounds", "opened_by"), ("reports", "created_by"),
}  # fmt: skip
EARLY = "2025-03-03T09:00:00.000000+00:00"

OTHER = {
    "baseline_first": "candidate_first",
    "candidate_first": "baseline_first",
}
FORGERIES: list[tuple[str, str, Any, str]] = [
    ("labels", "outcome", "tie", "labels.jsonl row 1: its outcome does not follow"),
    ("labels", "order", OTHER, "labels.jsonl row 1: its outcome does not"),
    ("cases", "prompt", "Another?", "pairs.jsonl row 1: its texts or systems do not"),
    ("responses", "text", "Other.", "responses.jsonl row 1: its text does not fit"),
    ("responses", "system", "new", "pairs.jsonl row 1: its texts or systems do not"),
    ("guidelines", "text", "# No", "guidelines.jsonl row 1: its text does not fit"),
    ("pairs", "digest", "0" * 64, "pairs.jsonl row 1: its texts or systems do not"),
    ("pairs", "texts_digest", "0" * 64, "pairs.jsonl row 1: its texts do not fit the"),
    ("adjudications", "note", "Nice.", "adjudications.jsonl row 1: in the chain of"),
    ("adjudications", "adjudicator", "x", "adjudications.jsonl row 1: in the chain"),
    ("adjudications", "replaced", "tie", "adjudications.jsonl row 1: it replaced"),
    ("adjudications", "digest", "0" * 64, "adjudications.jsonl row 1: in the chain"),
    ("gold_items", "outcome", "tie", "gold_items.jsonl row 1: the outcome of its gold"),
    ("gold_items", "split", "dev", "gold_versions.jsonl: gold version 1: its pairs do"),
    ("gold_versions", "rule", "mode_or_tie", "gold_versions.jsonl: gold version 1"),
    ("gold_versions", "digest", "0" * 64, "gold_versions.jsonl: gold version 1"),
    ("judges", "digest", "0" * 64, "judges.jsonl row 1: its specification does not"),
    ("runs", "calls", 3, "runs.jsonl row 1: run "),
    ("prices", "prompt", "9.000000", "run.cost.known[0].amount is "),
    ("judges", "simulated_since", EARLY, "judge.simulated is False; True follows"),
    ("reviewers", "draw", "f" * 64, "reviewers.jsonl row 2: it is not in its place"),
    ("calls", "order", OTHER, "calls.jsonl row 1: its slots do not fit"),
    ("reports", "digest", "0" * 64, ".json: it does not fit the digest in its row"),
    ("looks", "number", 7, "looks.jsonl row 1: a look before it is missing"),
]


@pytest.mark.parametrize(("table", "field", "value", "expected"), FORGERIES)
def test_a_forged_row_contradicts_the_others(
    files, table, field, value, expected
) -> None:
    """Chains and manifest are forged with it: only computing again can tell."""
    before = rows_of(files, table)[0][field]
    value = OTHER[before] if value is OTHER else value
    if before == value == "tie":  # which row comes first is up to a secret order
        value = "baseline"
    assert before != value, "the forgery changes nothing"
    problems = said(forged(files, table, lambda row: row.update({field: value})))
    assert any(expected in p for p in problems), problems


@pytest.mark.parametrize(("table", "field"), sorted(ONLY_BY_DIGEST))
def test_what_contradicts_nothing_is_told_by_the_digest(
    bundle, files, table, field
) -> None:
    digest = check(bundle).manifest_digest
    edited = forged(files, table, lambda row: row.update({field: "somebody"}))
    assert said(edited) == []
    assert len(said(edited, expect=digest)) == 1


def answered(files) -> int:
    """The first call of a pair that has a verdict."""
    calls = rows_of(files, "calls")
    return next(i for i, c in enumerate(calls) if c["reply"]["choice"] == "first")


def test_an_answer_that_its_reply_does_not_say_is_named(files) -> None:
    place = answered(files)
    edited = forged(
        files, "calls", lambda row: row["reply"].update(choice="second"), place
    )
    problems = said(edited)
    assert any(
        p.startswith(f"calls.jsonl row {place + 1}: its choice is 'second'; its raw")
        for p in problems
    )


def test_a_forged_raw_reply_is_named(files) -> None:
    place = answered(files)

    def change(row: dict[str, Any]) -> None:
        row["reply"] |= {"choice": "second", "raw": "[[B>A]]"}

    problems = said(forged(files, "calls", change, place))
    assert any(p.startswith(f"calls.jsonl row {place + 1}: ") for p in problems)


def test_a_whole_forged_reply_changes_the_report(files) -> None:
    """Body, text and choice agree with each other: the report does not with them."""
    place = answered(files)
    calls = rows_of(files, "calls")
    row = calls[place]
    for text in ("[[B>A]]", "[[B>>A]]"):
        body = json.loads(row["attempts"][0]["body"])
        body["choices"][0]["message"]["content"] = text
        row["attempts"][0]["body"] = json.dumps(body)
    row["reply"] |= {"choice": "second", "raw": "[[B>>A]]", "strength": 2}
    row["reply"]["span"] = [0, 8]
    problems = said(with_rows(files, "calls", calls))
    assert not any(p.startswith("calls.jsonl") for p in problems), problems
    assert any(p.startswith("reports/") for p in problems)


def test_a_request_that_was_not_made_from_the_texts_is_named(files) -> None:
    edited = forged(
        files, "calls", lambda row: row["reply"].update(request_hash="0" * 64)
    )
    assert any("its request is not what the judge" in p for p in said(edited))


def test_every_number_of_a_report_is_compared(files) -> None:
    name = next(n for n in files if n.startswith("reports/") and n.endswith(".json"))
    payload = json.loads(files[name])
    payload["splits"]["dev"]["exact_agreement"]["numerator"] += 1
    content = json.dumps(
        payload, sort_keys=True, separators=(",", ":"), ensure_ascii=False
    )
    problems = said(with_manifest({**files, name: content.encode()}))
    assert any("splits.dev.exact_agreement.numerator is" in p for p in problems)


def test_a_cut_report_is_not_taken_for_a_good_one(files) -> None:
    name = next(n for n in files if n.startswith("reports/") and n.endswith(".json"))
    payload = json.loads(files[name])
    del payload["splits"]["dev"]["kappa"]
    content = json.dumps(
        payload, sort_keys=True, separators=(",", ":"), ensure_ascii=False
    )
    found = check(with_manifest({**files, name: content.encode()})).findings
    assert any("splits.dev.kappa" in what for what in found.untold)
    assert any("digest in its row" in str(p) for p in found.problems)


def test_a_shortened_chain_of_rulings_is_told_by_its_head(files) -> None:
    rows = rows_of(files, "adjudications")
    last = max(range(len(rows)), key=lambda i: (rows[i]["sequence"], i))
    assert rows[last]["sequence"] == 2
    problems = said(with_rows(files, "adjudications", rows[:last] + rows[last + 1 :]))
    assert f"{MANIFEST}: the newest rulings of audited are not those" in " ".join(
        problems
    )


def test_a_reordered_chain_of_rulings_is_named(files) -> None:
    rows = rows_of(files, "adjudications")
    first = next(i for i, row in enumerate(rows) if row["sequence"] == 2) - 1
    rows[first], rows[first + 1] = rows[first + 1], rows[first]
    problems = said(with_rows(files, "adjudications", rows))
    assert any(
        p.startswith(f"adjudications.jsonl row {first + 1}: it is ruling 2 of its pair")
        for p in problems
    )


def test_forged_notes_are_named(files) -> None:
    for name in NOTES:
        content = files[name].replace(b"because", b"since")
        assert content != files[name]
        problems = said(with_manifest({**files, name: content}))
        assert problems == [f"{name}: it is not what the rulings come to"]


def test_a_bundle_that_was_packed_again_is_still_good(files) -> None:
    assert said(packed(files)) == []


def test_pairs_of_older_bundles_need_no_digest_of_their_texts(files) -> None:
    older = [
        {name: value for name, value in row.items() if name != "texts_digest"}
        for row in rows_of(files, "pairs")
    ]
    assert older != rows_of(files, "pairs")
    assert said(with_rows(files, "pairs", older)) == []
