"""Outside labels from files: taken as they are, or refused with line and field."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from annotation.models import Label
from tests.annotation.commands.imports import case, label, lines, refused, row_counts

if TYPE_CHECKING:
    from tests.annotation.commands.imports import Imports

GOOD = lines(label("a1"))
BAD = {
    "unknown case": (lines(label("a1"), label("a9")), "line 2, case_id", "'a9'"),
    "no reviewer": (lines(label("a1", reviewer="")), "line 1, reviewer", "empty"),
    "long reviewer": (
        lines(label("a1"), label("a2", reviewer="r" * 121)),
        "line 2, reviewer",
        "longer than 120",
    ),
    "unknown outcome": (
        lines(label("a1", outcome="left")),
        "line 1, outcome",
        "baseline, candidate, tie, abstain, not 'left'",
    ),
    "no outcome": (lines(label("a1", outcome=None)), "line 1, outcome", "missing"),
    "systems reversed": (
        GOOD + lines(label("a2", systems=["v13", "v12"])),
        "line 2, systems",
        "must be in the set's order, v12 before v13",
    ),
    "unknown system": (
        lines(label("a1", systems=["v12", "v14"])),
        "line 1, systems",
        "unknown system 'v14'",
    ),
    "one system": (lines(label("a1", systems=["v12"])), "line 1, systems", "two"),
    "a strong tie": (
        lines(label("a1", outcome="tie", strength=2)),
        "line 1, strength",
        "tie has no strength",
    ),
    "strength 3": (lines(label("a1", strength=3)), "line 1, strength", "1 and 2"),
    "two minds": (
        lines(label("a1"), label("a1", outcome="tie")),
        "line 2",
        "this reviewer's label is on line 1 with another outcome",
    ),
    "NUL": (lines(label("a1", note="\x00")), "line 1, note", "NUL"),
    "NaN": (GOOD[:-2] + b', "weight": NaN}', "line 1, weight", "NaN"),
    "broken UTF-8": (GOOD + b'{"note": "\xe9"}', "line 2", "0xE9"),
    "empty": (b"", "line 1", "empty"),
    "broken JSON": (GOOD + b"{", "line 2", "broken JSON"),
    "a list": (GOOD + b"[]", "line 2", "must be an object"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_rows_are_named_and_nothing_comes_in(box: Imports, name: str) -> None:
    data, *fragments = BAD[name]
    with refused("Nothing was imported", *fragments):
        box.labels(data)


def test_an_unknown_set_is_named_with_those_there_are(box: Imports) -> None:
    for name in ("bax", "b x", "\udcff"):
        with refused("There is no gold set", "there are: box"):
            box.labels(GOOD, gold_set=name)


def test_missing_file(box: Imports) -> None:
    with refused("absent.jsonl", "No such file"):
        box.run("import_labels", str(box.folder / "absent.jsonl"), gold_set="box")


def test_labels_are_stored_as_external(box: Imports) -> None:
    rows = [
        label("a1", strength=2, note="clear", source="survey"),
        label("a1", reviewer="bob", outcome="abstain"),
        {"case_id": "a2", "reviewer": "ann", "outcome": "tie"},
    ]
    assert "box: 3 labels added, 0 known already." in box.labels(lines(*rows))
    ann = Label.objects.get(external_reviewer="ann", pair__case__external_id="a1")
    assert (ann.outcome, ann.strength, ann.note) == ("candidate", 2, "clear")
    assert (ann.seat, ann.reviewer, ann.choice, ann.order) == (None, None, "", "")
    assert ann.extra == {"source": "survey"}
    assert Label.objects.filter(outcome="tie", seat__isnull=True).count() == 1


NOTES = ['=HYPERLINK("http://x")', "\r\n,;\"'", "  ", "👍 " * 500, "+1", "@cmd"]


@pytest.mark.parametrize("note", NOTES)
def test_notes_are_kept_as_they_are(box: Imports, note: str) -> None:
    box.labels(lines(label("a1", note=note)))
    assert Label.objects.get().note == note


def test_a_formula_from_csv_is_kept_as_it_is(box: Imports) -> None:
    csv = 'case_id,reviewer,outcome,note\r\na1,ann,tie,"=HYPERLINK(""http://x"")"\r\n'
    box.labels(csv.encode(), "labels.csv")
    assert Label.objects.get().note == NOTES[0]


def test_importing_again_changes_nothing(box: Imports) -> None:
    box.labels(lines(label("a1"), label("a2", note="n")))
    before = row_counts()
    said = box.labels(lines(label("a1"), label("a2", note="n")))
    assert "0 labels added, 2 known already." in said
    assert row_counts() == before


def test_new_labels_join_known_ones(box: Imports) -> None:
    box.labels(GOOD)
    said = box.labels(lines(label("a1"), label("a1", reviewer="bob")))
    assert "1 labels added, 1 known already." in said


OTHER: dict[str, tuple[dict[str, Any], str]] = {
    "outcome": ({"outcome": "tie", "strength": None}, "'ann' already labelled"),
    "strength": ({"strength": 1}, "candidate with strength 2"),
    "note": ({"note": "else"}, "with a note"),
}


@pytest.mark.parametrize("field", OTHER)
def test_a_label_is_never_overwritten(box: Imports, field: str) -> None:
    first = label("a1", strength=2, note="n")
    box.labels(lines(first))
    changes, reason = OTHER[field]
    with refused(f"line 2, {field}", reason, "never overwritten"):
        box.labels(lines(label("a2"), first | changes))


def test_exact_duplicates_are_named(box: Imports) -> None:
    said = box.labels(lines(label("a1"), label("a1")))
    assert "line 2: exact duplicate of line 1" in said
    assert "1 labels added" in said


def test_pairs_of_three_systems(imports: Imports) -> None:
    texts = {"one": "Eins", "two": "Zwei", "three": "Drei"}
    imports.pairs(lines(case("a1", responses=texts)), systems="one,two,three")
    with refused("line 1, systems", "missing"):
        imports.labels(lines({"case_id": "a1", "reviewer": "x", "outcome": "tie"}))
    imports.labels(lines(label("a1", systems=["one", "three"])))
    pair = Label.objects.get().pair
    assert pair.baseline.text == "Eins"
    assert pair.candidate.text == "Drei"
