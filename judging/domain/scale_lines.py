"""Marks that stand on a line: PASS or FAIL, and a short anchored scale."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from judging.domain.formats.base import OffMenu, Place
from judging.domain.formats.json_field import answers_in
from judging.domain.formats.json_rivals import rival_values
from judging.domain.formats.lone_numbers import SCORES, answers_another
from judging.domain.formats.options import BadOptions
from judging.domain.formats.places import last_line
from judging.domain.formats.reporting import reported_above
from judging.domain.formats.scanning import (
    heard,
    is_exemplar,
    without_quotes,
)
from judging.domain.mark_shapes import NUMBERS, WORDS
from judging.domain.marks import Abstained, Mark
from judging.domain.scales import MarkExample, Scale, ScaleKind, settle_marks
from judging.domain.terms import InvalidReason
from judging.domain.verdicts import Invalid

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from judging.domain.formats.json_field import Held
    from judging.domain.formats.options import Options
    from judging.domain.mark_shapes import LineShapes
    from judging.domain.marks import MarkReading
    from judging.domain.scales import MarkReader

    Meaning = Callable[[str], Mark | Abstained | OffMenu]

FEWEST_LEVELS, MOST_LEVELS = 2, 10
_LONGEST = 120

# Words that are meant as a mark; another lone word on the last line states nothing.
_ATTEMPT = re.compile(
    r"PARTIAL(?:LY)?|MAYBE|UNCLEAR|UNKNOWN|BORDERLINE|N/A|NA|NONE|NEITHER|BOTH|YES|NO"
    r"|OK|GOOD|BAD|CORRECT|INCORRECT|TRUE|FALSE|ERROR|SKIP|UNSURE|MIXED|WARN(?:ING)?"
)


def pass_fail(given: Options) -> Scale:
    """PASS scores 1 and FAIL 0."""
    choices = (
        "PASS  The response meets every point of the rubric\n"
        "FAIL  It does not\n"
        "ABSTAIN  It cannot be judged from what is given (this is not a fail)"
    )
    examples = (
        ("It names the deadline.", "PASS", Mark(1, passed=True)),
        ("It invents a fee.", "FAIL", Mark(0, passed=False)),
        ("The file is missing.", "ABSTAIN", Abstained()),
    )
    return _placed(given, ScaleKind.PASS_FAIL, (0, 1), choices, examples, _pass_or_fail)


def short_scale(given: Options) -> Scale:
    """Score 1 to k, each level described by its anchor."""
    levels = given.texts("levels")
    most = len(levels)
    if not FEWEST_LEVELS <= most <= MOST_LEVELS:
        message = f"must be {FEWEST_LEVELS} to {MOST_LEVELS}"
        raise BadOptions("levels", message)
    least = given.whole("pass_mark", 1, most) if given.has("pass_mark") else None
    anchors = "\n".join(f"{n}  {text}" for n, text in enumerate(levels, 1))
    choices = (
        f"{anchors}\nABSTAIN  It cannot be judged from what is given (this is no score)"
    )

    def meaning(token: str) -> Mark | Abstained | OffMenu:
        if token.upper().startswith("ABSTAIN"):
            return Abstained()
        score = whole_number(token, highest=most)
        if score is None or not 1 <= score <= most:
            return OffMenu(token)
        return Mark(score, passed=None if least is None else score >= least)

    examples = [("As described.", str(n), meaning(str(n))) for n in range(1, most + 1)]
    examples.append(("The file is missing.", "ABSTAIN", Abstained()))
    known = [(a, b, c) for a, b, c in examples if not isinstance(c, OffMenu)]
    return _placed(
        given, ScaleKind.SHORT_SCALE, (1, most), choices, tuple(known), meaning
    )


def whole_number(token: str, *, highest: int) -> int | None:
    """Read "4", "4.0" and "4/5" where 5 is the highest; ``None`` for anything else."""
    number, slash, over = token.replace(" ", "").partition("/")
    if slash and over != str(highest):
        return None
    whole, _, rest = number.partition(".")
    return int(whole) if whole.isdecimal() and not rest.strip("0") else None


def _pass_or_fail(token: str) -> Mark | Abstained | OffMenu:
    word = token.upper().removesuffix("ED")
    if word in ("PASS", "FAIL"):
        return Mark(int(word == "PASS"), passed=word == "PASS")
    return Abstained() if word == "ABSTAIN" else OffMenu(token)


def _placed(
    given: Options,
    kind: ScaleKind,
    bounds: tuple[int, int],
    choices: str,
    examples: tuple[tuple[str, str, Mark | Abstained], ...],
    meaning: Meaning,
) -> Scale:
    place, field = given.place(default=Place.LAST_LINE)
    lines = WORDS if kind is ScaleKind.PASS_FAIL else NUMBERS
    return Scale(
        kind=kind,
        parser_version=f"{kind}/4",
        place=place,
        lowest=bounds[0],
        highest=bounds[1],
        menu=f"{_ask(place, field)}\n{choices}",
        worked=tuple(_example(place, field, *each) for each in examples),
        reader=_reader(place, field, lines, meaning),
        schema=_schema(field, [each[1] for each in examples]) if field else None,
    )


def _ask(place: Place, field: str) -> str:
    if place is Place.JSON_FIELD:
        return (
            'Reply with one JSON object and nothing else. Field "reason": your reasons '
            f'in a few sentences. Field "{field}": a text, exactly one of'
        )
    where = "alone on the last line" if place is Place.LAST_LINE else "on a line"
    label = "" if place is Place.LAST_LINE else ' after "Verdict: "'
    return f"Give your reasons briefly. Then write one of these {where}{label}:"


def _example(
    place: Place, field: str, why: str, token: str, reading: Mark | Abstained
) -> MarkExample:
    if place is Place.JSON_FIELD:
        return MarkExample(json.dumps({"reason": why, field: token}), reading)
    label = "" if place is Place.LAST_LINE else "Verdict: "
    return MarkExample(f"{why}\n\n{label}{token}", reading)


def _schema(field: str, tokens: list[str]) -> dict[str, object]:
    return {
        "type": "object",
        "properties": {
            "reason": {"type": "string"},
            field: {"type": "string", "enum": tokens},
        },
        "required": ["reason", field],
        "additionalProperties": False,
    }


def _reader(
    place: Place, field: str, lines: LineShapes, meaning: Meaning
) -> MarkReader:
    def read_lines(text: str, /) -> MarkReading:
        view = without_quotes(heard(text), lines.labelled)
        if place is Place.LAST_LINE:
            view = without_quotes(heard(text), lines.alone)
            spans: Iterator[tuple[int, int]] = iter([last_line(view)])
        else:
            spans = _line_spans(view)
        found = []
        for start, end in spans:
            item = _stated(view, start, end, lines, meaning, place)
            if isinstance(item, Invalid):
                return item
            others = is_exemplar(view, start) or reported_above(view, start)
            if item is not None and not others:
                found.append(item)
        return settle_marks(found, view)

    def read_field(text: str, /) -> MarkReading:
        view, held = answers_in(text, field)
        if isinstance(held, Invalid):
            return held
        found = [each for one in held for each in _held_marks(one, field, meaning)]
        return settle_marks(found, view)

    return read_field if place is Place.JSON_FIELD else read_lines


def _held_marks(
    held: Held, field: str, meaning: Meaning
) -> Iterator[Mark | Abstained | OffMenu]:
    """Yield what the field says, and what marks other fields for one say."""
    yield _at(meaning(_as_text(held.value)), held.span)
    for _, text in rival_values(held.whole, field):
        other = meaning(text)
        if not isinstance(other, OffMenu):
            yield other


def _line_spans(view: str) -> Iterator[tuple[int, int]]:
    start = 0
    for line in view.split("\n"):
        yield start, start + len(line)
        start += len(line) + 1


def _stated(
    view: str, start: int, end: int, lines: LineShapes, meaning: Meaning, place: Place
) -> Mark | Abstained | OffMenu | Invalid | None:
    """Read one line; bare marks count only as the last line."""
    if end - start > _LONGEST:
        return None
    match = lines.with_label(view, start, end)
    bare = None
    if match is None and place is Place.LAST_LINE:
        match = bare = lines.alone.fullmatch(view, start, end)
    if match is None:
        several = lines.several.fullmatch(view, start, end)
        return _several(several[0], meaning) if several else None
    if bare is not None and lines is NUMBERS and _is_anothers(view, start, match):
        return None
    token = match["token"] or match.groupdict().get("word") or ""
    item = meaning(token)
    if isinstance(item, OffMenu) and bare and not _is_attempt(token):
        return None
    return _at(item, match.span())


def _is_anothers(view: str, start: int, match: re.Match[str]) -> bool:
    return match["token"] is not None and answers_another(view, start, SCORES)


def _is_attempt(token: str) -> bool:
    return token[0].isdigit() or _ATTEMPT.fullmatch(token.upper()) is not None


def _several(line: str, meaning: Meaning) -> Invalid | None:
    """Tell "PASS or FAIL" from two words that only happen to stand together."""
    words = re.findall(r"[A-Za-z]+|\d+(?:\.\d+)?", line)
    marks = [item for item in map(meaning, words) if not isinstance(item, OffMenu)]
    if len(marks) > 1:
        return Invalid(InvalidReason.CONFLICTING, "two marks on one line")
    return None


def _as_text(value: object) -> str:
    """Write a JSON number or text as its token; anything else matches no mark."""
    if isinstance(value, str):
        return value.strip()
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return f"{value:g}" if is_number else f"({type(value).__name__})"


def _at(
    item: Mark | Abstained | OffMenu, span: tuple[int, int]
) -> Mark | Abstained | OffMenu:
    return item if isinstance(item, OffMenu) else replace(item, span=span)
