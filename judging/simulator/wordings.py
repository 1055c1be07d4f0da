"""How a simulated judge words what it decided, in the notation that was asked for."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from annotation.domain.outcomes import SlotChoice
from judging.simulator.marking import Marked, MarkMenu
from judging.simulator.options import Menu

if TYPE_CHECKING:
    from collections.abc import Mapping

    from judging.simulator.brain import Decision

_PROSE = {
    SlotChoice.FIRST: "The response shown first serves the request better.",
    SlotChoice.SECOND: "The response shown second serves the request better.",
    SlotChoice.TIE: "Both responses serve the request equally well.",
    SlotChoice.ABSTAIN: "The request gives too little to judge the responses by.",
}
_AS_SEEN = "It was held against each point of the rubric."
_FIVE = {
    (SlotChoice.FIRST, 2): "[[A>>B]]",
    (SlotChoice.FIRST, 1): "[[A>B]]",
    (SlotChoice.TIE, 1): "[[A=B]]",
    (SlotChoice.SECOND, 1): "[[B>A]]",
    (SlotChoice.SECOND, 2): "[[B>>A]]",
    (SlotChoice.ABSTAIN, 1): "[[ABSTAIN]]",
}
_TOKENS: Mapping[Menu, tuple[str, str, str, str]] = {
    Menu.JSON_WINNER: ("A", "B", "tie", "abstain"),
    Menu.CHOICE_123: ("1", "2", "3", "0"),
    Menu.AB_BRACKET: ("[[A]]", "[[B]]", "[[C]]", "[[ABSTAIN]]"),
    Menu.OUTPUT_AB: ("Output (a)", "Output (b)", "Tie", "Abstain"),
}
_OFF_MENU = {
    Menu.FIVE_TOKEN: "[[A>>>B]]",
    Menu.JSON_WINNER: "C",
    Menu.CHOICE_123: "7",
    Menu.AB_BRACKET: "[[D]]",
    Menu.OUTPUT_AB: "Output (c)",
}
_CONFLICTING = {
    Menu.FIVE_TOKEN: "[[A>B]]\nOn reflection: [[B>A]]",
    Menu.CHOICE_123: "1 or 2",
    Menu.AB_BRACKET: "[[A]]\nOn reflection:\n[[B]]",
    Menu.OUTPUT_AB: "Output (a) is better. Output (b) is better.",
}
_MARKS_OFF = {
    MarkMenu.PASS_FAIL: "PARTIAL",
    MarkMenu.SHORT_SCALE: "99",
    MarkMenu.GATED_SCORE: "99",
}
_MARKS_CONFLICTING = {
    MarkMenu.PASS_FAIL: ("PASS", "FAIL"),
    MarkMenu.SHORT_SCALE: ("1", "2"),
    MarkMenu.GATED_SCORE: ("1", "2"),
}
WINNER = "winner"


@dataclass(frozen=True)
class Wording:
    """What a reply says if it is clean, and if it is malformed on purpose."""

    clean: str
    off_menu: str
    conflicting: str


def wording_of(decision: Decision) -> Wording:
    """Word a decision on a pair, on one response, or a rubric."""
    if decision.rubric:
        return Wording(decision.rubric, decision.rubric, decision.rubric)
    if decision.marked is not None:
        return _of_mark(decision.marked, decision.seen.field)
    seen = decision.seen
    if seen.notation:
        return _own(seen.notation, decision)
    clean = verdict_text(
        seen.menu, decision.choice, decision.strength, field=seen.field
    )
    return Wording(clean, _off_menu(seen.menu, seen.field), _two(seen.menu, seen.field))


def verdict_text(
    menu: Menu, choice: SlotChoice, strength: int, *, field: str = ""
) -> str:
    """Write a clean verdict with a sentence of reasons; ``field`` is of a JSON one."""
    decisive = choice in (SlotChoice.FIRST, SlotChoice.SECOND)
    if menu is Menu.FIVE_TOKEN:
        token = _FIVE[choice, strength if decisive else 1]
    else:
        token = _TOKENS[menu][list(SlotChoice).index(choice)]
    if menu is Menu.JSON_WINNER:
        field = WINNER
    return _placed(_PROSE[choice], token, field)


def _placed(reason: str, token: str, field: str) -> str:
    if field:
        return json.dumps({"reason": reason, field: token})
    return f"{reason}\n\n{token}"


def _off_menu(menu: Menu, field: str) -> str:
    token = _OFF_MENU[menu]
    if menu is Menu.JSON_WINNER:
        field = WINNER
    return json.dumps({field: token}) if field else token


def _two(menu: Menu, field: str) -> str:
    """Two verdicts in one reply."""
    if menu is Menu.JSON_WINNER:
        field = WINNER
    if not field:
        return _CONFLICTING[menu]
    one, other = (
        verdict_text(menu, choice, 1, field=field)
        for choice in (SlotChoice.FIRST, SlotChoice.SECOND)
    )
    return f"{one}\n{other}"


def _own(notation: Mapping[str, str], decision: Decision) -> Wording:
    """Words of the user's own, for judges that declare a regular expression."""
    choice = decision.choice.value
    strong = notation.get(f"{choice}_strong") if decision.strength > 1 else None
    clean = f"{_PROSE[decision.choice]}\n\n{strong or notation[choice]}"
    both = f"{notation['first']}\n{notation['second']}"
    return Wording(clean, notation.get("other", "No verdict at all."), both)


def _of_mark(marked: Marked, field: str) -> Wording:
    menu = marked.menu
    if menu is MarkMenu.GATED_SCORE:
        clean = _gated(marked, marked.token)
        two = [_gated(marked, token) for token in _MARKS_CONFLICTING[menu]]
        return Wording(clean, _gated(marked, _MARKS_OFF[menu]), "\n".join(two))
    tokens = _MARKS_CONFLICTING[menu]
    if field or marked.labelled:
        both = "\n".join(_mark(token, field, marked) for token in tokens)
    else:
        both = _mark(" or ".join(tokens), field, marked)
    clean = _mark(marked.token, field, marked)
    return Wording(clean, _mark(_MARKS_OFF[menu], field, marked), both)


def _mark(token: str, field: str, marked: Marked) -> str:
    if field:
        return json.dumps({"reason": _AS_SEEN, field: token})
    return f"{_AS_SEEN}\n\n{'Verdict: ' if marked.labelled else ''}{token}"


def _gated(marked: Marked, token: str) -> str:
    gates = {name: "fail" if name in marked.failed else "pass" for name in marked.gates}
    score = int(token) if token.isdecimal() else token
    return json.dumps({"reason": _AS_SEEN, "gates": gates, "score": score})
