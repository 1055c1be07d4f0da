"""How a simulated judge makes up its mind: pure, and the same every time.

Every draw is a hash of the seed, what it is for, and what it is about. Preferences for
a slot are drawn by request, so that they differ between the two orders of a pair;
everything about content is drawn by the unordered pair, so that it does not.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, TypeVar

from annotation.domain.digests import digest_of, text_digest
from annotation.domain.outcomes import SlotChoice
from judging.simulator.marking import Marked, mark
from judging.simulator.prompts import Seen, see

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from judging.simulator.options import Fault, Options, Shape

_T = TypeVar("_T")


class Rule(StrEnum):
    """Which planted rule made the decision."""

    FIRST_SLOT = "first_slot"
    SECOND_SLOT = "second_slot"
    LENGTH = "length"
    ABSTAIN = "abstain"
    TIE = "tie"
    QUALITY = "quality"
    MISTAKE = "mistake"
    RUBRIC = "rubric"


@dataclass(frozen=True)
class Decision:
    """What the judge thinks of a request, and in what shape it will say so.

    Of a single response it is ``marked`` that counts, of a case its ``rubric``.
    """

    choice: SlotChoice
    strength: int
    rule: Rule
    shape: Shape | None
    seen: Seen
    marked: Marked | None = None
    rubric: str = ""

    @property
    def said(self) -> str:
        """What the reply says, in one word."""
        if self.rubric:
            return Rule.RUBRIC.value
        return self.choice.value if self.marked is None else self.marked.token.lower()


@dataclass(frozen=True)
class Expected:
    """What a set of requests must come to: counts by rule, choice and shape."""

    requests: int
    rules: Mapping[Rule, int]
    choices: Mapping[str, int]
    shapes: Mapping[Shape, int]


def decide(options: Options, body: Mapping[str, object]) -> Decision:
    """Decide one request body; a function of options and body alone."""
    seen = see(
        body, oracle=options.oracle, menu=options.menu, notation=options.notation
    )
    request = digest_of(body)
    shape = _picked(options.shapes, _draw(options.seed, "shape", request))
    if seen.writes_rubric:
        text = _rubric(seen.first)
        return Decision(SlotChoice.TIE, 1, Rule.RUBRIC, shape, seen, rubric=text)
    if seen.scale is not None:
        return _mark(options, seen, shape)
    choice, strength, rule = _verdict(options, request, seen)
    if choice is SlotChoice.ABSTAIN and not seen.offers_abstain:
        choice = SlotChoice.TIE
    return Decision(choice, strength, rule, shape, seen)


def _mark(options: Options, seen: Seen, shape: Shape | None) -> Decision:
    """Mark one response; everything is drawn by its text."""
    assert seen.scale is not None  # noqa: S101 - whoever calls has looked
    text = text_digest(seen.first.strip())
    value, rule = quality(options, seen.first), Rule.QUALITY
    if value is None or _draw(options.seed, "unmarked", text) < options.abstain:
        value, rule = None, Rule.ABSTAIN
    elif _draw(options.seed, "accuracy", text) >= options.accuracy:
        value, rule = 1 - value, Rule.MISTAKE
    marked = mark(
        seen.scale,
        value,
        lambda gate: _draw(options.seed, f"gate {gate}", text) < options.gate_fails,
    )
    return Decision(SlotChoice.TIE, 1, rule, shape, seen, marked)


def _rubric(about: str) -> str:
    """A rubric that is its case's own, and says nothing of its content."""
    code = text_digest(about)[:8]
    return (
        f"- It answers the request ({code}).\n"
        "- It says nothing that the material contradicts.\n"
        "- It is as short as it can be."
    )


def expected(options: Options, bodies: Iterable[Mapping[str, object]]) -> Expected:
    """Count what was planted in these request bodies, without asking the server."""
    decisions = [decide(options, body) for body in bodies]
    return Expected(
        len(decisions),
        Counter(d.rule for d in decisions),
        Counter(d.said for d in decisions),
        Counter(d.shape for d in decisions if d.shape is not None),
    )


def fault_of(options: Options, request: str, attempt: int) -> Fault | None:
    """Give the fault of one attempt (counted from 1) at the request with this hash."""
    return _picked(options.faults, _draw(options.seed, "fault", f"{request}/{attempt}"))


def delay_of(options: Options, request: str) -> float:
    """Give the seconds that a request takes to answer."""
    spread = options.latency_spread * (2 * _draw(options.seed, "delay", request) - 1)
    return max(0.0, options.latency + spread)


def quality(options: Options, text: str) -> float | None:
    """Quality of a response: the oracle's, or one from 0 to 1 derived from its hash."""
    digest = text_digest(text.strip())
    if digest in options.oracle:
        return options.oracle[digest]
    return _draw(options.seed, "quality", digest)


def _verdict(
    options: Options, request: str, seen: Seen
) -> tuple[SlotChoice, int, Rule]:
    slot = _draw(options.seed, "slot", request)
    if slot < options.first_slot:
        return SlotChoice.FIRST, 1, Rule.FIRST_SLOT
    if slot < options.first_slot + options.second_slot:
        return SlotChoice.SECOND, 1, Rule.SECOND_SLOT
    pair = "|".join(sorted((text_digest(seen.first), text_digest(seen.second))))
    whim = _draw(options.seed, "pair", pair)
    longer = len(seen.first) - len(seen.second)
    if whim < options.length and longer:
        return _signed(longer), 1, Rule.LENGTH
    if options.length <= whim < options.length + options.abstain:
        return SlotChoice.ABSTAIN, 1, Rule.ABSTAIN
    if 0 <= whim - options.length - options.abstain < options.tie:
        return SlotChoice.TIE, 1, Rule.TIE
    return _by_quality(options, pair, seen)


def _by_quality(
    options: Options, pair: str, seen: Seen
) -> tuple[SlotChoice, int, Rule]:
    first, second = quality(options, seen.first), quality(options, seen.second)
    if first is None or second is None:
        return SlotChoice.ABSTAIN, 1, Rule.ABSTAIN
    difference = first - second
    if abs(difference) < options.tie_margin or difference == 0:
        return SlotChoice.TIE, 1, Rule.TIE
    strength = 2 if abs(difference) >= options.strong_margin else 1
    if _draw(options.seed, "accuracy", pair) < options.accuracy:
        return _signed(difference), strength, Rule.QUALITY
    return _signed(-difference), strength, Rule.MISTAKE


def _signed(difference: float) -> SlotChoice:
    return SlotChoice.FIRST if difference > 0 else SlotChoice.SECOND


def _draw(seed: int, what: str, about: str) -> float:
    """Draw a number from 0 (inclusive) to 1 (exclusive) from a hash."""
    digest = hashlib.sha256(f"{seed}|{what}|{about}".encode()).digest()
    return int.from_bytes(digest[:6]) / 2**48


def _picked(rates: Mapping[_T, float], draw: float) -> _T | None:
    for name, rate in rates.items():
        if draw < rate:
            return name
        draw -= rate
    return None
