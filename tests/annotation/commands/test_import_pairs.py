"""Pairs files that are imported, in all their forms."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import call_command

from annotation.models import Case, GoldSet, Pair, Response
from tests.annotation.commands.imports import case, lines, row_counts

if TYPE_CHECKING:
    from tests.annotation.commands.imports import Imports

ROWS = [case("a1"), case("a2", prompt="Emoji 🎉 مرحبا 你好")]
CSV = (
    "case_id,prompt,baseline,candidate,slices.language,critical\r\n"
    'a1,"Where, ""now""?","Two\r\nlines",Here,en,true\r\n'
)
FORMS = {
    "plain": (lines(*ROWS), "p.jsonl"),
    "byte order mark": (b"\xef\xbb\xbf" + lines(*ROWS), "p.jsonl"),
    "CRLF": (lines(*ROWS).replace(b"\n", b"\r\n"), "p.jsonl"),
    "blank lines": (b"\n\n" + lines(*ROWS).replace(b"\n", b"\n \n\t\n"), "p.jsonl"),
    "no last line end": (lines(*ROWS).rstrip(), "p.jsonl"),
    "JSON array": (json.dumps(ROWS, indent=2).encode(), "p.json"),
    "array without a name": (json.dumps(ROWS).encode(), "pairs"),
    "raw UTF-8": (
        "\n".join(json.dumps(r, ensure_ascii=False) for r in ROWS).encode(),
        "p.jsonl",
    ),
}


@pytest.mark.parametrize("name", FORMS)
def test_all_forms_give_the_same_cases(imports: Imports, name: str) -> None:
    said = imports.pairs(*FORMS[name])
    assert (
        "box: 2 cases added, 0 known already, 2 pairs made, 0 of them flagged." in said
    )
    stored = Case.objects.order_by("external_id").values_list("external_id", "prompt")
    assert list(stored) == [("a1", ROWS[0]["prompt"]), ("a2", ROWS[1]["prompt"])]
    texts = Response.objects.filter(case__external_id="a1").order_by("system__position")
    assert [r.text for r in texts] == list(ROWS[0]["responses"].values())


@pytest.mark.parametrize("start", ["", "\ufeff"])
def test_csv_with_quotes_and_line_ends(imports: Imports, start: str) -> None:
    imports.pairs((start + CSV).encode(), "p.csv")
    found = Case.objects.get()
    assert (found.prompt, found.critical) == ('Where, "now"?', True)
    assert found.slices == {"language": "en"}
    assert found.responses.get(system__name="v12").text == "Two\r\nlines"


def test_a_response_of_two_megabytes(imports: Imports) -> None:
    long = "wörd " * 400_000
    imports.pairs(lines(case("a1", responses={"v12": long, "v13": "short"})))
    stored = Response.objects.get(system__name="v12")
    assert (stored.text, stored.length) == (long, len(long))


def test_chat_messages_are_kept_as_turns(imports: Imports) -> None:
    turns = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yo"}]
    imports.pairs(lines(case("a1", prompt=turns)))
    assert Case.objects.get().prompt == turns


TEXTS = [
    "👩‍👩‍👧 🇺🇦",
    "שלום، مرحبا \u202eabc\u202c",
    "漢字かな 한국어",
    "e\u0301 \u2028 \U0001f600",
]


@pytest.mark.parametrize("text", TEXTS)
def test_texts_of_the_world_come_back_as_they_were(imports: Imports, text: str) -> None:
    imports.pairs(lines(case("字-1", prompt=text)))
    assert Case.objects.get(external_id="字-1").prompt == text


def test_shorthand_for_two_systems(imports: Imports) -> None:
    row = {"case_id": "a1", "prompt": "Q?", "baseline": "old", "candidate": "new"}
    imports.pairs(lines(row))
    pair = Pair.objects.get()
    assert (pair.baseline.system.name, pair.baseline.text) == ("v12", "old")
    assert (pair.candidate.system.name, pair.candidate.text) == ("v13", "new")


def test_fields_are_stored(imports: Imports) -> None:
    row = case(
        "a1",
        context="Shop",
        reference=[{"role": "assistant", "content": "Right"}],
        slices={"category": "refund", "n": 3},
        critical=True,
        group="g",
        split="held_out",
        designed={"v12|v13": "tie"},
        response_meta={"v13": {"config": "x", "attempts": 1}},
        source={"id": 7},
    )
    imports.pairs(lines(row))
    found, pair = Case.objects.get(), Pair.objects.get()
    assert (found.context, found.reference) == ("Shop", row["reference"])
    assert found.slices == {"category": "refund", "n": "3"}
    assert (found.critical, found.group, found.split) == (True, "g", "held_out")
    assert (pair.designed, found.extra) == ("tie", {"source": {"id": 7}})
    assert pair.candidate.meta == row["response_meta"]["v13"]


def test_three_systems_make_three_pairs_with_the_earlier_as_baseline(
    imports: Imports,
) -> None:
    texts = {"one": "Eins", "two": "Zwei", "three": "Drei"}
    row = case("a1", responses=texts, designed={"three|two": "candidate"})
    said = imports.pairs(lines(row), systems="three, one,two")
    assert "1 case added, 0 known already, 3 pairs made" in said
    pairs = Pair.objects.in_order().values_list(
        "baseline__system__name", "candidate__system__name", "designed"
    )
    assert list(pairs) == [
        ("three", "one", ""),
        ("three", "two", "candidate"),
        ("one", "two", ""),
    ]


def test_importing_again_changes_nothing(box: Imports) -> None:
    before = row_counts()
    said = box.pairs(lines(case("a1"), case("a2")), systems="")
    assert "0 cases added, 2 known already, 0 pairs made" in said
    assert row_counts() == before


def test_new_cases_join_an_existing_set(box: Imports) -> None:
    said = box.pairs(lines(case("a1"), case("a3")))
    assert "1 case added, 1 known already, 1 pair made" in said
    assert Pair.objects.filter(gold_set__name="box").count() == 3


def test_several_files_each_give_their_count(imports: Imports) -> None:
    said = [imports.pairs(lines(case(f"c{i}"))) for i in range(3)]
    assert ["1 case added, 0 known" in text for text in said] == [True] * 3


def test_exact_duplicates_are_named_and_left_out(imports: Imports) -> None:
    said = imports.pairs(lines(case("a1"), case("a2"), case("a1")))
    assert "line 3: exact duplicate of line 1 ('a1'), left out" in said
    assert "2 cases added" in said


def test_many_duplicates_are_named_up_to_a_cap(imports: Imports) -> None:
    said = imports.pairs(lines(*[case("a1")] * 302))
    assert "line 201: exact" in said
    assert "line 202: exact" not in said
    assert "and 101 more notices" in said


def test_an_assigned_split_is_not_moved_by_a_file(box: Imports) -> None:
    Case.objects.filter(external_id="a1").update(split="held_out")
    said = box.pairs(lines(case("a1", split="dev"), case("a2", split="dev")))
    assert "line 1: case 'a1' stays in split 'held_out'" in said
    assert "line 2: case 'a2' stays without a split" in said
    assert list(
        Case.objects.order_by("external_id").values_list("split", flat=True)
    ) == [
        "held_out",
        "",
    ]


LEAKS: list[Any] = [
    "As V-12 I would say so.",
    [{"role": "assistant", "content": "This is v13 speaking"}],
]


@pytest.mark.parametrize("text", LEAKS)
def test_a_response_that_names_a_system_is_flagged(imports: Imports, text: Any) -> None:
    texts = {"v12": "Plain.", "v13": text}
    said = imports.pairs(lines(case("a1", responses=texts), case("a2")))
    assert "1 of them flagged (1 identity_leak)" in said
    assert Pair.objects.get(case__external_id="a1").flags == ["identity_leak"]
    assert Pair.objects.get(case__external_id="a2").flags == []


META: dict[str, dict[str, Any]] = {
    "evidence_differs": {
        "v12": {"evidence_sha256": "aa"},
        "v13": {"evidence_sha256": "bb"},
    },
    "attempts_differ": {"v12": {"attempts": 1}, "v13": {"attempts": 3}},
}


@pytest.mark.parametrize("flag", META)
def test_unequal_conditions_are_flagged(imports: Imports, flag: str) -> None:
    said = imports.pairs(lines(case("a1", response_meta=META[flag])))
    assert f"1 of them flagged (1 {flag})" in said
    assert Pair.objects.get().flags == [flag]


def test_the_contract_of_the_set(imports: Imports) -> None:
    imports.pairs(
        lines(case("a1")),
        title="Parcels",
        question="Which helps?",
        labels_per_pair=2,
        primary_slice="language",
    )
    found = GoldSet.objects.get(name="box")
    assert (found.title, found.question) == ("Parcels", "Which helps?")
    assert (found.labels_per_pair, found.primary_slice) == (2, "language")
    assert found.system_names() == ("v12", "v13")


def test_standard_input(imports: Imports, monkeypatch: pytest.MonkeyPatch) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(lines(case("a1"))))
    monkeypatch.setattr("sys.stdin", stdin)
    assert "1 case added" in imports.run(
        "import_pairs", "-", gold_set="box", systems="v12,v13"
    )


def test_help_names_the_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        call_command("import_pairs", "--help")
    assert not ended.value.code
    assert "--systems" in capsys.readouterr().out
