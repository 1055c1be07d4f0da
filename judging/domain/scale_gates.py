"""A score from 0 to 10 with gates: a failed gate caps the score."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from judging.domain.formats.base import OffMenu, Place
from judging.domain.formats.json_field import FIELD_NAME, answers_in
from judging.domain.formats.options import BadOptions
from judging.domain.marks import CAPPED, Abstained, Mark
from judging.domain.scale_lines import whole_number
from judging.domain.scales import MarkExample, Scale, ScaleKind, settle_marks
from judging.domain.terms import InvalidReason
from judging.domain.verdicts import Invalid

if TYPE_CHECKING:
    from collections.abc import Mapping

    from judging.domain.formats.json_field import Held
    from judging.domain.formats.json_scan import JsonValue
    from judging.domain.formats.options import Options
    from judging.domain.marks import MarkReading

HIGHEST = 10
_SCORE, _GATES = "score", "gates"


@dataclass(frozen=True, slots=True)
class _Gates:
    """The gates by name, the score above which a failed one does not let, the pass."""

    questions: Mapping[str, str]
    cap: int
    pass_mark: int | None

    def mark(
        self,
        stated: int,
        failed: tuple[str, ...] = (),
        span: tuple[int, int] | None = None,
    ) -> Mark:
        score = min(stated, self.cap) if failed else stated
        passed = not failed
        if self.pass_mark is not None:
            passed = passed and score >= self.pass_mark
        flags = (CAPPED,) if score < stated else ()
        return Mark(score, passed, stated, failed, flags, span)


def gated_score(given: Options) -> Scale:
    """Score 0 to 10; it passes if every gate does and it reaches the pass mark."""
    gates = _Gates(
        _questions(given),
        given.whole("cap", 0, HIGHEST - 1),
        given.whole("pass_mark", 1, HIGHEST) if given.has("pass_mark") else None,
    )

    def read(text: str, /) -> MarkReading:
        view, held = answers_in(text, _SCORE)
        if isinstance(held, Invalid):
            return held
        items = [_item(one, gates) for one in held]
        for item in items:
            if isinstance(item, Invalid):
                return item
        return settle_marks([i for i in items if not isinstance(i, Invalid)], view)

    return Scale(
        kind=ScaleKind.GATED_SCORE,
        parser_version=f"{ScaleKind.GATED_SCORE}/4",
        place=Place.JSON_FIELD,
        lowest=0,
        highest=HIGHEST,
        menu=_menu(gates),
        worked=tuple(_examples(gates)),
        reader=read,
        schema=_schema(gates),
    )


def _questions(given: Options) -> Mapping[str, str]:
    questions: dict[str, str] = {}
    for gate in given.objects(_GATES):
        name, question = gate.text("name"), gate.text("question")
        gate.refuse_others()
        if not FIELD_NAME.fullmatch(name) or name in questions:
            raise BadOptions(_GATES, f"{name!r}: letters, digits and _, each name once")
        questions[name] = question
    return questions


def _item(held: Held, gates: _Gates) -> Mark | Abstained | OffMenu | Invalid:
    if isinstance(held.value, str) and held.value.strip().casefold() == "abstain":
        return Abstained(held.span)
    stated = _score(held.value)
    if isinstance(stated, OffMenu | Invalid):
        return stated
    failed = _failed(held.whole.get(_GATES), gates)
    if isinstance(failed, OffMenu | Invalid):
        return failed
    return gates.mark(stated, failed, held.span)


def _score(value: JsonValue) -> int | OffMenu | Invalid:
    """Read a whole number from 0 to 10, also as a text ("7", "7/10")."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return Invalid(InvalidReason.UNPARSED, "score is no number")
    text = value.strip() if isinstance(value, str) else f"{value:g}"
    score = whole_number(text, highest=HIGHEST)
    if score is None or score > HIGHEST:
        return OffMenu(f"score {text}")
    return score


def _failed(value: JsonValue, gates: _Gates) -> tuple[str, ...] | OffMenu | Invalid:
    """Read every gate: each exactly once, "pass" or "fail", and no other."""
    if not isinstance(value, dict) or gates.questions.keys() - value.keys():
        return Invalid(InvalidReason.UNPARSED, "a gate is missing")
    if value.keys() - gates.questions.keys():
        return OffMenu("a gate that was not declared")
    failed = []
    for name in gates.questions:
        said = value[name]
        word = said.strip().casefold() if isinstance(said, str) else ""
        if word not in ("pass", "fail"):
            return OffMenu(f"gate {name}: {said}")
        failed += [name] if word == "fail" else []
    return tuple(failed)


def _menu(gates: _Gates) -> str:
    lines = [f'"{name}": {question}' for name, question in gates.questions.items()]
    return (
        "Reply with one JSON object and nothing else. First check each gate, then "
        'score by the rubric.\nField "reason": your reasons in a few sentences.\n'
        'Field "gates": an object; for each of these "pass" or "fail":\n'
        + "\n".join(lines)
        + f'\nField "score": a whole number from 0 (worst) to {HIGHEST} (best), or '
        '"abstain" if it cannot be judged from what is given. A failed gate counts as '
        f"{gates.cap} at most."
    )


def _examples(gates: _Gates) -> list[MarkExample]:
    good = dict.fromkeys(gates.questions, "pass")
    first = next(iter(gates.questions))
    replies: list[tuple[dict[str, object], Mark | Abstained]] = [
        ({_GATES: good, _SCORE: 9}, gates.mark(9)),
        ({_GATES: {**good, first: "fail"}, _SCORE: 9}, gates.mark(9, (first,))),
        ({_GATES: good, _SCORE: "abstain"}, Abstained()),
    ]
    return [
        MarkExample(json.dumps({"reason": "as seen", **reply}), reading)
        for reply, reading in replies
    ]


def _schema(gates: _Gates) -> Mapping[str, object]:
    names = list(gates.questions)
    each = {name: {"type": "string", "enum": ["pass", "fail"]} for name in names}
    scores: list[object] = [*range(HIGHEST + 1), "abstain"]
    return {
        "type": "object",
        "properties": {
            "reason": {"type": "string"},
            _GATES: {
                "type": "object",
                "properties": each,
                "required": names,
                "additionalProperties": False,
            },
            _SCORE: {"enum": scores},
        },
        "required": ["reason", _GATES, _SCORE],
        "additionalProperties": False,
    }
