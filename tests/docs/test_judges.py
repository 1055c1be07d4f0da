"""docs/judges.md against formats, lint, rules and the simulated judge."""

from __future__ import annotations

import ast
import json
import re
from dataclasses import fields, replace

import pytest

from judging.domain.digests import JudgeSpec, spec_digest, spec_from_json
from judging.domain.formats.ab_bracket import SINGLE_BRACKET, TIE_BY_NAME
from judging.domain.formats.base import MIXED_STRENGTH, Place
from judging.domain.formats.choice_123 import CLOSING_SENTENCE
from judging.domain.formats.regex import LONGEST_SEARCHED
from judging.domain.formats.regex_safety import MAX_REPEAT
from judging.domain.formats.registry import FORMAT_NAMES, FORMATS
from judging.domain.lint import lint
from judging.domain.lint_params import KNOWN_FIELDS
from judging.domain.lint_settings import _RANGES
from judging.domain.ports import CallFailed, FailureKind, RawReply
from judging.domain.templates import OPTIONAL, PLACEHOLDERS
from judging.domain.terms import CombiningRule, InvalidReason, RepeatRule
from judging.domain.verdicts import Invalid
from judging.services.few_shot import HOW
from judging.simulator.options import Fault, Menu, Shape
from tests.docs.pages import DOCS, ROOT, blocks, codes, first_cells, section, text_of

JUDGES = text_of(DOCS / "judges.md")
SPEC = section(JUDGES, "The specification")
FORMAT_TEXTS = section(JUDGES, "Verdict formats")
SIMULATED = section(JUDGES, "The simulated judge")
LINTERS = (
    "lint.py",
    "lint_schema.py",
    "lint_settings.py",
    "lint_steering.py",
    "lint_rubrics.py",
    "lint_slots.py",
    "lint_params.py",
    "templates.py",
)


def example_spec() -> JudgeSpec:
    (block,) = blocks(SPEC, "json")
    return spec_from_json(json.loads(block.text))


def test_the_example_is_a_judge_that_may_be_frozen() -> None:
    assert lint(example_spec(), ["v12", "v13"]) == ()
    assert len(spec_digest(example_spec())) == 64


def test_every_key_of_a_specification_is_documented_and_none_besides() -> None:
    wanted = {"schema", *(f.name for f in fields(JudgeSpec))}
    assert set(first_cells(SPEC)) == wanted


def test_every_placeholder_is_documented_with_whether_it_takes_a_section() -> None:
    text = section(JUDGES, "Templates")
    rows = re.findall(r"^\| `\{\{(\w+)\}\}` \|.*\| ?(yes)? ?\|$", text, re.MULTILINE)
    assert {name for name, _ in rows} == set(PLACEHOLDERS)
    assert {name for name, yes in rows if yes} == set(OPTIONAL)


def finding_codes() -> set[str]:
    """The codes that the lint can give, taken from its source."""
    found = {f"bad_{name}" for name in _RANGES} | {
        "text_not_whole",
        "swap_changes_text",
    }
    found |= {f"held_out_{how}" for how in HOW}
    for name in LINTERS:
        for node in ast.walk(ast.parse(text_of(ROOT / "judging/domain" / name))):
            match node:
                case ast.Call(
                    func=ast.Name(id="Finding" | "TemplateError"),
                    args=[ast.Constant(value=code), *_],
                ):
                    found.add(str(code))
    return found


def test_every_finding_of_the_lint_is_documented_and_none_besides() -> None:
    found = finding_codes()
    source = text_of(ROOT / "judging/domain/lint.py")
    assert '"text_not_whole"' in source
    assert '"swap_changes_text"' in source
    assert len(found) > 20
    assert set(first_cells(section(JUDGES, "What freezing checks"))) == found


def test_every_body_field_that_may_be_sent_is_documented_and_none_besides() -> None:
    cells = re.findall(r"^\| (`.*?) \|", section(JUDGES, "Body fields"), re.MULTILINE)
    told = [name for cell in cells for name in codes(cell)]
    assert sorted(told) == sorted(KNOWN_FIELDS)


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_documented_with_its_menu(name: str) -> None:
    (block, *_) = blocks(section(FORMAT_TEXTS, name), "")
    assert block.text.rstrip("\n") == FORMATS[name].menu(offers_abstain=True)


def test_no_other_format_is_documented() -> None:
    documented = re.findall(r"^### (\w+)$", FORMAT_TEXTS, re.MULTILINE)
    assert sorted(documented) == sorted(FORMAT_NAMES)
    (row,) = re.findall(r"^\| `verdict_format` \|(.*)\|$", SPEC, re.MULTILINE)
    assert sorted(codes(row)) == sorted(FORMAT_NAMES)
    flags = {MIXED_STRENGTH, CLOSING_SENTENCE, SINGLE_BRACKET, TIE_BY_NAME}
    assert flags <= set(codes(FORMAT_TEXTS))


def test_the_declared_expression_in_the_example_may_be_frozen() -> None:
    text = section(FORMAT_TEXTS, "regex")
    (block,) = blocks(text, "json")
    options = json.loads(block.text)
    spec = replace(
        example_spec(),
        verdict_format="regex",
        parser_version="regex/4",
        format_options=options,
    )
    assert lint(spec) == ()
    assert {*options, "ignore_case", "field"} == set(first_cells(text)) - {"option"}
    assert f"at most {MAX_REPEAT}" in text
    assert f"{LONGEST_SEARCHED:,} characters" in text


def test_every_place_is_documented_and_none_besides() -> None:
    text = section(FORMAT_TEXTS, "The place of the verdict")
    assert set(first_cells(text)) - {"place"} == set(Place)


def test_the_schema_in_the_example_is_the_format_s_own() -> None:
    (block,) = blocks(section(FORMAT_TEXTS, "json_winner"), "json")
    shown = json.loads(block.text)["json_schema"]["schema"]
    assert shown == FORMATS["json_winner"].response_schema(offers_abstain=True)


def test_every_invalid_reason_is_documented_and_none_besides() -> None:
    documented = first_cells(section(JUDGES, "Invalid replies"))
    assert sorted(documented) == sorted(InvalidReason)


def test_every_rule_is_documented_and_none_besides() -> None:
    cells = set(first_cells(section(JUDGES, "From replies to a verdict")))
    assert cells - {"repeat_rule", "combining_rule"} == {*RepeatRule, *CombiningRule}


def test_every_shape_and_fault_of_the_simulated_judge_is_documented() -> None:
    cells = set(first_cells(SIMULATED)) - {"--shape", "--fault"}
    assert cells == {*Shape, *Fault}
    assert set(Menu) <= set(FORMATS)


def shapes() -> list[tuple[str, str]]:
    """(shape, reason) as documented, where the table says one."""
    rows = re.findall(r"^\| (`.+?) \| `(\w+)`.*\|$", SIMULATED, re.MULTILINE)
    told = [(name, reason) for cell, reason in rows for name in codes(cell)]
    own = ["unparsed", "off_menu", "conflicting", "refused", "filtered", "truncated"]
    return [*told, *((name, name) for name in (*own, "empty"))]


@pytest.mark.parametrize(("shape", "reason"), shapes())
def test_shapes_come_out_as_documented(shape: str, reason: str) -> None:
    assert outcome_of_shape(Shape(shape)) == reason


def outcome_of_shape(shape: Shape) -> str:
    """Read one reply of this shape, without a network."""
    from django.utils import timezone

    from judging.domain.exchange import reply_from_body
    from judging.domain.readings import reading_of
    from judging.simulator.brain import decide
    from judging.simulator.options import Options
    from judging.simulator.shapes import answer_to

    body = {
        "messages": [
            {"role": "user", "content": FORMATS["five_token"].menu(offers_abstain=True)}
        ]
    }
    answer = answer_to(decide(Options(shapes={shape: 1.0}), body), body, "0" * 64)
    came = reply_from_body(answer.status, {}, answer.text, now=timezone.now())
    if isinstance(came, CallFailed):
        return came.exhausted_reason.value
    assert isinstance(came, RawReply)
    reading = reading_of(came, FORMATS["five_token"], offers_abstain=True)
    assert isinstance(reading, Invalid)
    return reading.reason.value


def test_what_stops_a_run_is_what_the_page_says() -> None:
    stopping = {kind for kind in FailureKind if CallFailed(kind, "").stop_run}
    assert stopping == {
        FailureKind.UNAUTHORISED,
        FailureKind.MODEL_NOT_FOUND,
        FailureKind.QUOTA,
        FailureKind.MISCONFIGURED,
    }


def test_limits_named_in_the_text_are_those_of_the_code() -> None:
    from judging.services.pace import DEFAULT_PACE
    from judging.services.providers import ProviderOptions

    text = section(JUDGES, "Invalid replies")
    assert DEFAULT_PACE.tries == 6
    assert "up to six times" in text
    assert f"more than {DEFAULT_PACE.longest_wait / 60:g} minutes" in text
    assert f"within {ProviderOptions().call_seconds:g} seconds" in text
