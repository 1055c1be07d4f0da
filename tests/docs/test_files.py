"""docs/files.md and docs/figures.md against the parsers and a real report."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

import pytest

from annotation.domain.estimates import Estimate, Undefined
from annotation.domain.files import read_rows
from annotation.domain.record_types import CaseRecord, LabelRecord, VerdictRecord
from annotation.domain.records import parse_cases, parse_labels, parse_verdicts
from annotation.services.held_out import Viewer
from calibration.domain.jsonable import jsonable
from calibration.domain.results import ExactTest, SliceBlock
from calibration.services.looks import disclosed
from tests.annotation.factory import START
from tests.calibration.world import make_world
from tests.docs.pages import (
    DOCS,
    PAGES,
    README,
    blocks,
    codes,
    first_cells,
    section,
    text_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.docs.pages import Block

FILES = text_of(DOCS / "files.md")
FIGURES = text_of(DOCS / "figures.md")
REPORT = section(FILES, "Report JSON")
SYSTEMS = ("v12", "v13")
PARSERS: dict[str, Callable[..., Any]] = {
    "Pairs file": parse_cases,
    "Labels file": parse_labels,
    "Verdicts file": parse_verdicts,
}
# Names of a record's field that a file spells otherwise, or that no file holds.
SPELLED = {"line": set(), "extra": set(), "responses": {"responses", "baseline"}}
# Read from a line, but no field of its record: repeats are left out.
NO_FIELDS: dict[type, set[str]] = {CaseRecord: {"candidate"}, LabelRecord: {"retest"}}
FIGURE_KEYS = {f.name for f in fields(Estimate)} | {"undefined"}
TEST_KEYS = {f.name for f in fields(ExactTest)}
OUTCOMES = "baseline|candidate|tie|abstain"


def json_blocks() -> list[Any]:
    return [
        pytest.param(block.text, id=f"{page.name}-{number}")
        for page in PAGES
        for number, block in enumerate(blocks(text_of(page), "json"))
    ]


@pytest.mark.parametrize("text", json_blocks())
def test_every_json_example_is_json(text: str) -> None:
    assert isinstance(json.loads(text), dict)


def examples() -> list[Any]:
    return [
        pytest.param(title, block, id=f"{title}-{number}")
        for title in PARSERS
        for number, block in enumerate(blocks(section(FILES, title)))
    ]


@pytest.mark.parametrize(("title", "block"), examples())
def test_every_example_of_a_file_is_accepted(title: str, block: Block) -> None:
    if block.language == "json":  # may be wrapped, which a JSONL file can't be
        data = json.dumps(json.loads(block.text))
    else:
        data = block.text
    rows = read_rows(
        data.encode(), f"example.{block.language.replace('json', 'jsonl')}"
    )
    parsed = PARSERS[title](rows, SYSTEMS)
    assert parsed.messages() == ()
    assert parsed.records
    assert all(record.extra == {} for record in parsed.records)


def test_the_readme_s_case_is_accepted() -> None:
    (block,) = blocks(text_of(README), "json")
    line = json.dumps(json.loads(block.text)).encode()
    parsed = parse_cases(read_rows(line, "pairs.jsonl"), SYSTEMS)
    assert parsed.ok
    assert parsed.records[0].extra == {}


@pytest.mark.parametrize(
    ("title", "record"),
    list(zip(PARSERS, (CaseRecord, LabelRecord, VerdictRecord), strict=True)),
)
def test_every_key_of_a_file_is_documented_and_none_besides(
    title: str, record: type
) -> None:
    documented = set(first_cells(section(FILES, title)))
    known = set().union(*(SPELLED.get(f.name, {f.name}) for f in fields(record)))
    known |= NO_FIELDS.get(record, set())
    assert documented == known


def report_payload() -> dict[str, Any]:
    viewer = Viewer(user=None, door="command", actor="tester")
    return disclosed(report=make_world().report(), viewer=viewer, now=START)


def is_figure(value: Any) -> bool:
    return isinstance(value, dict) and set(value) - {"design_effect"} == (
        FIGURE_KEYS - {"design_effect"}
    )


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Paths of counts, figures and tests; slices stand for themselves."""
    is_whole = is_figure(value) or (isinstance(value, dict) and set(value) == TEST_KEYS)
    if not isinstance(value, dict) or is_whole or path in ("critical", "slices"):
        yield path, value
        return
    for key, inner in value.items():
        yield from leaves(inner, f"{path}.{key}" if path else key)


def written(path: str) -> str:
    """A path as the documentation writes it."""
    for pattern, replacement in (
        (rf"^confusion\.({OUTCOMES})\.\w+$", "confusion.OUTCOME.VERDICT"),
        (
            rf"^position\.order_confusion\.(\w+)\.({OUTCOMES})\.\w+$",
            r"position.order_confusion.\1.OUTCOME.VERDICT",
        ),
        (
            rf"^position\.classes_by_gold\.({OUTCOMES}|none)\.\w+$",
            "position.classes_by_gold.GOLD.CLASS",
        ),
        (rf"^per_class\.({OUTCOMES})\.", "per_class.OUTCOME."),
        (r"^invalid_(calls|pairs)\.\w+$", r"invalid_\1.REASON"),
        (r"^preference\.(judge|gold)\.", "preference.WHO."),
        (r"^slices$", "slices.KEY.VALUE"),
    ):
        path = re.sub(pattern, replacement, path)
    return path


@pytest.mark.django_db
def test_every_key_of_the_report_is_documented_and_none_besides() -> None:
    payload = report_payload()
    splits = payload.pop("splits")
    around = {path for path, _ in leaves(payload)}
    block = {written(path) for path, _ in leaves(splits["all"])}
    assert set(first_cells(section(REPORT, "Around the figures"))) == around | {
        f"splits.{name}" for name in splits
    }
    assert set(first_cells(section(REPORT, "A block"))) == block


@pytest.mark.django_db
def test_the_keys_of_lists_figures_and_short_blocks_are_documented() -> None:
    payload = report_payload()
    named = set(codes(REPORT))
    assert set(payload["run"]["served_models"][0]) <= named
    short = REPORT.split("A **short block**")[1]
    assert {f.name for f in fields(SliceBlock)} == set(codes(short))
    assert set(payload["splits"]["all"]["critical"]) == set(codes(short))


def test_the_examples_of_figures_have_the_keys_that_the_code_writes() -> None:
    estimate = Estimate(0.5, 1, 2, 0.1, 0.9, 0.95, "wilson")
    made = [
        jsonable(estimate),
        jsonable(Undefined("0 cases", 0, 0)),
        jsonable(ExactTest(0.5, 3, "sign test, exact")),
    ]
    shown = [json.loads(block.text) for block in blocks(REPORT, "json")]
    assert [set(one) for one in shown] == [set(one) for one in made]  # type: ignore[arg-type]  # all are dicts
    assert "design_effect" in codes(REPORT)
    assert {*asdict(estimate), "undefined"} == FIGURE_KEYS


@pytest.mark.django_db
def test_every_figure_and_test_is_explained() -> None:
    block = report_payload()["splits"]["all"]
    explained = set(codes(FIGURES))
    explained |= {f"{c.rsplit('.', 1)[0]}" for c in explained if c.count(".") == 2}
    missing = {
        written(path)
        for path, value in leaves(block)
        if is_figure(value) or (isinstance(value, dict) and set(value) == TEST_KEYS)
    } - explained
    assert missing == set()


def test_every_reason_why_a_figure_is_undefined_is_explained() -> None:
    sources = [
        *(DOCS.parent / "calibration/domain").glob("*.py"),
        DOCS.parent / "annotation/domain/agreement.py",
        DOCS.parent / "annotation/domain/intervals.py",
        DOCS.parent / "annotation/domain/team.py",
    ]
    # Of Gwet's AC1, which no report holds.
    elsewhere = {"the label set has fewer than two labels"}
    text = "\n".join(map(text_of, sources))
    named = re.findall(r"^(?:NO_\w+|NOT_\w+|ONE_\w+) = \"(.+)\"$", text, re.MULTILINE)
    direct = re.findall(r"Undefined\(\"([^\"]+)\"", text)
    formatted = {
        "over 20 systems a case",
        "a gold class has 0 cases",
        "fewer than 19 repeated cases",
        "fewer than 20 held-out pairs with gold",
    }
    reasons = {*named, *direct, *formatted}
    table = first_cells(section(FIGURES, "When a figure is undefined"))
    assert len(named) >= 4
    assert set(table) == reasons - elsewhere
