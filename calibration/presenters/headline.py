"""The answer in words: may I trust this judge, for what, and how sure is that?

Sentences say what the figures show and nothing more: "not shown" is not "absent", and
few pairs are called few.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from annotation.domain.estimates import Estimate
from calibration.domain.constant import AgainstConstant, against_constant
from calibration.presenters.columns import (
    ALL,
    DEV,
    FEW,
    HELD_OUT,
    few_pairs,
    main_column,
    names_of,
)
from calibration.presenters.figures import (
    count_text,
    estimate_text,
    figure_of,
    p_text,
    percent,
    percent_number,
    points_text,
    rounded,
)

if TYPE_CHECKING:
    from calibration.presenters.columns import Column, Payload

WIDE = 0.2
ALPHA = 0.05
LEVEL = 0.95
METHOD = "exact McNemar"


@dataclass(frozen=True, slots=True)
class Point:
    """One finding: what it is about, and the sentence."""

    about: str
    text: str


@dataclass(frozen=True, slots=True)
class Headline:
    """The verdict on the judge, what it rests on, and the findings behind it."""

    verdict: str
    basis: str
    caution: bool
    points: tuple[Point, ...]


def headline_of(payload: Payload, columns: tuple[Column, ...]) -> Headline:
    """Put the figures of the deciding split into words."""
    column = main_column(columns)
    if column is None:
        return Headline("Nothing to report yet.", "No pair was judged.", True, ())  # noqa: FBT003 - a field
    block, names = column.block, names_of(payload)
    verdict, caution = _verdict(block, names)
    findings = (
        ("Agreement", _agreement(block, names)),
        ("False wins", _false_wins(block, names)),
        ("Lean of errors", _direction(block, names)),
        ("Slots", _slots(block)),
        ("Ties", _ties(block)),
        ("Reviewers", _reviewers(block)),
        ("Invalid", _invalid(block)),
        ("Slices", _weakest(block)),
    )
    points = tuple(Point(about, text) for about, text in findings if text)
    return Headline(verdict, _basis(column), caution, points)


def _basis(column: Column) -> str:
    if not column.block["scored"]:
        return f"None of {_part(column)} can be scored."
    scored = count_text(column.block["scored"], "pair")
    said = f"Measured on {scored} of the {column.name} split with gold."
    if column.key == HELD_OUT:
        return said
    if column.key == DEV:
        return f"{said} The judge may have been tuned on these pairs: expect less."
    return (
        f"Measured on {scored} with gold, in no split: nothing was held out, so the "
        "judge may have been tuned on these pairs."
    )


def _part(column: Column) -> str:
    return "all" if column.key == ALL else f"the {column.name} split"


def _verdict(block: Payload, names: dict[str, str]) -> tuple[str, bool]:
    """The sentence above all others, and whether it is a warning."""
    if without := _without_verdicts(block):
        return without, True
    if not block["scored"]:
        return _unscored(block), True
    agreement = figure_of(block["exact_agreement"])
    if block["scored"] < FEW or not isinstance(agreement, Estimate):
        return "Too few pairs with gold to say whether this judge can be trusted.", True
    other = _constant(block, agreement)
    level = agreement.level or LEVEL
    if not other.shown(level):
        worse = other.shown_worse(level)
        said = "Worse than" if worse else "Not shown to be better than"
        text = (
            f"{said} always answering "
            f"\N{LEFT DOUBLE QUOTATION MARK}{names[other.answer]}"
            "\N{RIGHT DOUBLE QUOTATION MARK}."
        )
        return text, True
    if _reaches_zero(block["kappa"]):
        return "Agreement beyond chance is not shown.", True
    text = (
        "Better than a constant answer. Whether that is enough depends on what the "
        "errors below cost you."
    )
    return text, False


def _without_verdicts(block: Payload) -> str:
    """What is said where every single pair is invalid; "" elsewhere."""
    invalid = figure_of(block["invalid_rate"])
    if not isinstance(invalid, Estimate) or invalid.value < 1:
        return ""
    return (
        f"The judge gave no usable verdict: {invalid.numerator:,} of "
        f"{count_text(invalid.denominator, 'pair')} invalid."
    )


def _unscored(block: Payload) -> str:
    """Why no pair can be scored: no gold, or gold that abstains."""
    abstained, without = block["gold_abstain"]["n"], block["no_gold"]
    if not abstained:
        return "No pair has gold yet: nothing can be said about this judge."
    pairs = count_text(abstained, "pair")
    if without:
        return (
            f"No pair can be scored: gold abstains on {pairs}, and {without:,} more "
            f"{'has' if without == 1 else 'have'} no gold yet."
        )
    return f"Every pair has gold, but none can be scored: gold abstains on all {pairs}."


def _constant(block: Payload, agreement: Estimate) -> AgainstConstant:
    """The judge beside the best constant answer, pair by pair."""
    return against_constant(block["confusion"], agreement.design_effect)


def _reaches_zero(stored: Payload) -> bool:
    """Whether kappa may be chance; a perfect one has no interval and is not."""
    figure = figure_of(stored)
    if not isinstance(figure, Estimate):
        return True
    return figure.value < 1 if figure.low is None else figure.low <= 0


def _agreement(block: Payload, names: dict[str, str]) -> str:
    figure = figure_of(block["exact_agreement"])
    if not isinstance(figure, Estimate):
        return ""
    other = _constant(block, figure)
    said = (
        f"It gave the gold outcome in {estimate_text(figure)}. Always answering "
        f"{names[other.answer]} would give "
        f"{percent_number(other.right / block['scored'])} %. The judge alone is right "
        f"on {count_text(other.judge_alone, 'pair')}, the constant answer alone on "
        f"{other.constant_alone:,} ({p_text(other.p_value)}, {METHOD})."
    )
    width = (figure.high or 0) - (figure.low or 0)
    if block["scored"] < FEW or width > WIDE:
        said += (
            f" The interval is {rounded(100 * width, 1)} points wide: "
            f"{count_text(block['scored'], 'pair')} "
            f"{'leaves' if block['scored'] == 1 else 'leave'} much open."
        )
    return said


def _false_wins(block: Payload, names: dict[str, str]) -> str:
    candidate = block["false_candidate_wins"]
    baseline = block["false_baseline_wins"]
    return (
        f"Where gold is {names['baseline']}, it gave the win to "
        f"{names['candidate']} in {estimate_text(candidate)}; the reverse in "
        f"{estimate_text(baseline)}."
    )


def _direction(block: Payload, names: dict[str, str]) -> str:
    gap = figure_of(block["direction"]["difference"])
    if not isinstance(gap, Estimate) or gap.low is None or gap.high is None:
        return "Gold of both kinds is needed to see whether errors lean to one system."
    test = p_text(block["direction"]["test"]["p_value"])
    said = f"{points_text(gap)}, Fisher {test}"
    if gap.low > 0:
        return f"False wins lean to {names['candidate']}: {said}."
    if gap.high < 0:
        return f"False wins lean to {names['baseline']}: {said}."
    return f"No lean of false wins to one system is shown: {said}."


def _slots(block: Payload) -> str:
    position = block["position"]
    rate = position["flip_rate"]
    if rate["value"] is None:
        return "No pair has a usable verdict in both orders."
    said = f"With the slots swapped the winner flipped in {estimate_text(rate)}."
    first, second = position["first_slot_flips"], position["second_slot_flips"]
    p_value = position["slot_test"]["p_value"]
    if not first + second:
        return said
    follow = f"{first:,} of {first + second:,} flips follow the first slot"
    if p_value is None or p_value >= ALPHA:
        return f"{said} {follow} ({p_text(p_value)}): no slot preference is shown."
    side = "first" if first > second else "second"
    return f"{said} {follow} ({p_text(p_value)}): it leans to the {side} slot."


def _ties(block: Payload) -> str:
    if block["missed_ties"]["value"] is None:
        return "Gold has no tie here, so it is open whether the judge knows one."
    return (
        f"It missed {estimate_text(block['missed_ties'])} of the gold ties and called "
        f"{estimate_text(block['invented_ties'])} of the decided pairs a tie."
    )


def _reviewers(block: Payload) -> str:
    human = block["human"]
    people = figure_of(human["pairwise_agreement"])
    judge = figure_of(human["judge_agreement"])
    if not isinstance(people, Estimate) or not isinstance(judge, Estimate):
        return "No pair has two labels, so there is no human agreement to compare with."
    return (
        f"On {count_text(human['pairs'], 'pair')} with two or more labels, reviewers "
        f"agree with each other in {percent(people)} ({_limits(people)}) and the "
        f"judge with a reviewer in {percent(judge)} ({_limits(judge)}): "
        f"{_gap(people, judge)}."
    )


def _gap(people: Estimate, judge: Estimate) -> str:
    limits = (people.low, people.high, judge.low, judge.high)
    if any(limit is None for limit in limits):
        return "no interval to compare by"
    if (judge.high or 0) < (people.low or 0):
        return "below the reviewers"
    if (judge.low or 0) > (people.high or 0):
        return "above the reviewers"
    return "the intervals overlap"


def _limits(figure: Estimate) -> str:
    if figure.low is None or figure.high is None or figure.level is None:
        return "no interval"
    low, high = rounded(100 * figure.low, 1), rounded(100 * figure.high, 1)
    return f"{100 * figure.level:g} % {low}\N{EN DASH}{high}"


def _invalid(block: Payload) -> str:
    return f"It gave no usable verdict in {estimate_text(block['invalid_rate'])}."


def _weakest(block: Payload) -> str:
    """The lowest agreement among slices large enough to be compared."""
    found = [
        (part["exact_agreement"]["value"], key, value, part)
        for key, values in block["slices"].items()
        for value, part in values.items()
        if not few_pairs(part) and part["exact_agreement"]["value"] is not None
    ]
    if len(found) < 2:  # noqa: PLR2004 - the lowest of one is no finding
        return ""
    _, key, value, part = min(found, key=lambda row: row[:3])
    return (
        f"Lowest of {len(found)} slices with {FEW} scored pairs or more: "
        f"{key} = {value}, {estimate_text(part['exact_agreement'])}. The lowest of "
        "many is low partly by chance."
    )
