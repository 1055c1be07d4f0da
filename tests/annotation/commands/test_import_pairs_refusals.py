"""Pairs files that are not imported: the line, the field and the reason are named."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from annotation.models import Case, GoldSet
from tests.annotation.commands.imports import case, lines, refused

if TYPE_CHECKING:
    from tests.annotation.commands.imports import Imports

GOOD = lines(case("a1"))
TEXTS = {"v12": "x", "v13": "y"}


def raw(text: str) -> bytes:
    return GOOD + text.encode("utf-8", "surrogatepass") + b"\n"


def second(**fields: Any) -> bytes:
    return lines(case("a1"), case("a2", **fields))


def without(*names: str) -> bytes:
    row = case("a2")
    return lines(case("a1"), {k: v for k, v in row.items() if k not in names})


DEEP = "[" * 60 + "]" * 60
BAD = {
    "broken UTF-8": (
        GOOD + '{"case_id": "Привет"}'.encode("cp1251"),
        "line 2",
        "UTF-8",
    ),
    "empty file": (b"", "line 1", "empty"),
    "only a byte order mark": (b"\xef\xbb\xbf\r\n \n", "line 1", "empty"),
    "UTF-16": (GOOD.decode().encode("utf-16"), "line 1", "UTF-16"),
    "a spreadsheet": (b"PK\x03\x04rest", "line 1", "Excel"),
    "broken JSON": (raw('{"case_id": "a2",'), "line 2", "broken JSON"),
    "cut off": (GOOD + GOOD[:40], "line 2", "broken JSON"),
    "missing key": (without("prompt"), "line 2, prompt", "missing"),
    "two missing keys": (without("prompt", "case_id"), "line 2, case_id", "prompt"),
    "no responses": (without("responses"), "line 2, responses", "missing"),
    "a list for a row": (raw("[1, 2]"), "line 2", "must be an object, not a list"),
    "text for a row": (raw('"a2"'), "line 2", "must be an object, not text"),
    "responses as a list": (second(responses=["x"]), "line 2, responses", "object"),
    "a number as text": (second(prompt=5), "line 2, prompt", "not a number"),
    "a blank response": (
        second(responses={"v12": " \n", "v13": "x"}),
        "line 2, responses.v12",
        "is empty",
    ),
    "only one response": (
        second(responses={"v12": "x"}),
        "line 2, responses.v13",
        "missing",
    ),
    "repeated id, other text": (
        lines(case("a1"), case("a2"), case("a1", prompt="Else?")),
        "line 3, case_id",
        "is on line 1 with another prompt",
    ),
    "NaN": (raw('{"case_id": "a2", "score": NaN}'), "line 2, score", "NaN"),
    "Infinity": (raw('{"extra": {"x": [-Infinity]}}'), "line 2, extra.x[0]", "Inf"),
    "NUL": (second(prompt="a\x00b"), "line 2, prompt", "NUL"),
    "NUL deep inside": (
        second(responses={"v12": "x", "v13": [{"role": "user", "content": "\x00"}]}),
        "line 2, responses.v13[0].content",
        "NUL",
    ),
    "NUL in a key": (raw('{"a\\u0000": 1}'), "line 2", "NUL"),
    "half a surrogate": (raw('{"prompt": "\\ud83d"}'), "line 2, prompt", "surrogate"),
    "half a surrogate, raw": (raw('{"prompt": "\ud83d"}'), "line 2", "UTF-8"),
    "unknown system": (
        second(responses=TEXTS | {"v99": "z"}),
        "line 2, responses",
        "unknown system 'v99'; the set has v12, v13",
    ),
    "systems reversed": (
        second(designed={"v13|v12": "tie"}),
        "line 2, designed.v13|v12",
        "must be in the set's order, v12 before v13",
    ),
    "repeated key": (
        raw('{"case_id": "a2", "case_id": "a3"}'),
        "line 2, case_id",
        "twice",
    ),
    "nested deeply": (raw('{"extra": ' + DEEP + "}"), "line 2, extra", "too deeply"),
    "nested hopelessly": (raw("[" * 200_000), "line 2", "nested too deeply"),
    "a number as id": (
        second() + lines(case("x") | {"case_id": 7}),
        "line 3, case_id",
        "not a number",
    ),
    "an id with spaces": (lines(case(" a1")), "line 1, case_id", "spaces around"),
    "an id out of sight": (lines(case("a\u200b1")), "line 1, case_id", "be seen"),
    "a long id": (lines(case("x" * 201)), "line 1, case_id", "longer than 200"),
    "unknown split": (second(split="test"), "line 2, split", "dev, held_out"),
    "unknown designed outcome": (second(designed="win"), "line 2, designed", "abstain"),
    "critical as text": (second(critical="false"), "line 2, critical", "true or false"),
    "messages without content": (
        second(prompt=[{"role": "user"}]),
        "line 2, prompt[0].content",
        "missing",
    ),
    "pictures": (
        second(prompt=[{"role": "user", "content": [{"type": "image_url"}]}]),
        "line 2, prompt[0].content[0]",
        "only text parts",
    ),
    "a group torn apart": (
        lines(
            case("a1", group="g", split="dev"), case("a2", group="g", split="held_out")
        ),
        "line 2, split",
        "group 'g' is in split dev on line 1",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_rows_are_named_and_nothing_comes_in(imports: Imports, name: str) -> None:
    data, *fragments = BAD[name]
    with refused("Nothing was imported", *fragments):
        imports.pairs(data)
    assert not GoldSet.objects.exists()


@pytest.mark.parametrize("name", BAD)
def test_bad_rows_leave_an_existing_set_alone(imports: Imports, name: str) -> None:
    imports.pairs(lines(case("old")))
    data, *fragments = BAD[name]
    with refused(*fragments):
        imports.pairs(data)


def test_every_bad_row_is_named_at_once(imports: Imports) -> None:
    data = lines(case("a1"), {"case_id": 5}, case("a3", split="x"), "no", case("a5"))
    with refused("line 2, case_id", "line 2, prompt", "line 3, split", "line 4"):
        imports.pairs(data)


def test_errors_past_the_cap_are_counted(imports: Imports) -> None:
    rows = [case(f"c{i}", split="x") for i in range(250)]
    with refused("250 problems", "line 200, split", "and 50 more"):
        imports.pairs(lines(*rows))


BROKEN_FILES = {
    "list.json": (b'[{"case_id": "a1"},]', "line 1"),
    "one.json": (b'{\n"case_id": "a1"\n}', "one JSON object"),
    "rows.csv": (b"case_id,prompt,baseline,candidate\na1,Where?,Here\n", "line 2"),
    "twice.csv": (b"case_id,prompt,prompt\na1,b,c\n", "line 1"),
}


@pytest.mark.parametrize("name", BROKEN_FILES)
def test_other_formats_name_their_lines_too(imports: Imports, name: str) -> None:
    data, fragment = BROKEN_FILES[name]
    with refused("Nothing was imported", fragment):
        imports.pairs(data, name)


def test_unreadable_files(imports: Imports) -> None:
    for path, reason in (
        (str(imports.folder / "absent.jsonl"), "No such file"),
        (str(imports.folder), "Is a directory"),
        ("x" * 400, "File name too long"),
    ):
        with refused(path, reason):
            imports.run("import_pairs", path, gold_set="box", systems="v12,v13")


SETS: dict[str, dict[str, Any]] = {
    "letters, digits": {"gold_set": "my set"},
    "at most 80": {"gold_set": "x" * 81},
    "letters, digits, -": {"gold_set": "\udcff"},
    "at least two": {"systems": "v12"},
    "name at least two": {"systems": ""},
    "occurs twice": {"systems": "v12,v13,v12"},
    "is empty": {"systems": "v12,,v13"},
    "be seen": {"systems": "v12,v\u200b13"},
    "characters that cannot": {"systems": "v12,\udcff"},
    "at most 120": {"systems": "v12," + "v" * 121},
    "at most 50": {"systems": ",".join(f"s{i}" for i in range(51))},
    "labels per pair: must be 1 to 5": {"labels_per_pair": 6},
    "must be 1 to 5": {"labels_per_pair": 0},
    "title: at most 200": {"title": "x" * 201},
    "primary slice: at most 80": {"primary_slice": "x" * 81},
    "question: holds half a surrogate": {"question": "\udcff"},
}


@pytest.mark.parametrize("reason", SETS)
def test_sets_that_can_not_be_made(imports: Imports, reason: str) -> None:
    with refused(reason):
        imports.pairs(GOOD, **SETS[reason])


@pytest.mark.parametrize("systems", ["v13,v12", "v12,v14", "v12,v13,v14", "v12"])
def test_an_existing_set_keeps_its_systems(box: Imports, systems: str) -> None:
    with refused("box compares v12, v13 in this order, not"):
        box.pairs(GOOD, systems=systems)


CHANGED: dict[str, dict[str, Any]] = {
    "prompt": {"prompt": "Another?"},
    "context": {"context": "Shop"},
    "reference": {"reference": "On its way"},
    "responses.v13": {"responses": case("a1")["responses"] | {"v13": "New."}},
    "slices.language": {"slices": {"language": "en"}},
    "critical": {"critical": True},
    "group": {"group": "g"},
    "designed.v12|v13": {"designed": "tie"},
    "response_meta.v12": {"response_meta": {"v12": {"attempts": 2}}},
    "extra.source": {"source": "chat"},
}


@pytest.mark.parametrize("field", CHANGED)
def test_changed_content_under_an_id_is_refused(box: Imports, field: str) -> None:
    data = lines(case("new"), case("a1", **CHANGED[field]))
    with refused(f"line 2, {field}:", "case 'a1' exists with other content"):
        box.pairs(data)
    assert not Case.objects.filter(external_id="new").exists()


def test_a_group_stays_in_the_split_it_is_in(imports: Imports) -> None:
    imports.pairs(lines(case("a1", group="g", split="held_out")))
    with refused("line 1, split", "group 'g' is in split held_out in the set"):
        imports.pairs(lines(case("a2", group="g", split="dev")))


def test_json_has_no_duplicate_after_decoding(imports: Imports) -> None:
    twice = json.dumps(case("a2"))[:-1] + ', "pro\\u006dpt": "Else?"}\n'
    with refused("line 2, prompt", "occurs twice"):
        imports.pairs(GOOD + twice.encode())
