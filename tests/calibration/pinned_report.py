"""A report of fixed inputs, made here and of nothing that other tests share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from annotation.domain.aliases import names_of
from annotation.domain.kappa import cohen_kappa
from annotation.domain.outcomes import Order, Outcome, SlotChoice, Split
from calibration.domain.blocks import calibrate
from calibration.domain.flags import flags
from calibration.domain.jsonable import jsonable, splits_json
from calibration.domain.rates import share
from calibration.domain.samples import CallOutcome, Row, Sample
from judging.domain.terms import CombiningRule, InvalidReason, RepeatRule
from judging.domain.verdicts import (
    CallReading,
    Invalid,
    Verdict,
    call_outcome,
    combine,
)

if TYPE_CHECKING:
    from judging.domain.verdicts import CaseVerdict

SYSTEMS = ("old", "new")
NAMES = tuple(names_of({1: "one", 2: "two"}).values())
# What a judge says in the two orders, by slot: first, second, tie, abstain, invalid.
SAID = ("12", "12", "21", "21", "21", "21", "11", "22", "T1", "2T", "TT", "A1", "I2")
CHOICES = dict(zip("12TA", SlotChoice, strict=True))


def reading(letter: str, order: Order, repeat: int) -> CallReading:
    said = CHOICES.get(letter)
    invalid = Invalid(InvalidReason.UNPARSED, "")
    return CallReading(order, repeat, Verdict(said) if said else invalid)


def judged(letters: str, repeats: int) -> tuple[tuple[CallReading, ...], CaseVerdict]:
    calls = tuple(
        reading(letter, order, repeat)
        for letter, order in zip(letters, Order, strict=True)
        for repeat in range(1, repeats + 1)
    )
    rule, over = CombiningRule.AGREE_ELSE_TIE, RepeatRule.MAJORITY
    return calls, combine(calls, rule=rule, repeat_rule=over, repeats=repeats)


def row(number: int) -> Row:
    """One pair; what is said of it follows from its number alone."""
    calls, verdict = judged(SAID[number % len(SAID)], 1)
    labels = [tuple(Outcome)[(number * k) % 4 if k < 3 else number % 3] for k in (1, 3)]
    reviewers = dict(zip(NAMES, labels, strict=True)) if number % 3 else {}
    gold = (*Outcome, None, Outcome.BASELINE, Outcome.CANDIDATE)[number % 7]
    return Row(
        pair=f"p{number:03d}",
        case=f"c{number:03d}",
        cluster=f"g{number // 2}" if number % 10 < 4 else f"c{number:03d}",
        systems=SYSTEMS,
        split=(Split.DEV, Split.HELD_OUT, None)[number % 11 % 3],
        slices={"language": "de" if number % 4 == 0 else "en"},
        critical=number % 9 == 0,
        gold=gold,
        gold_source="adjudication" if number % 5 == 0 else "consensus",
        baseline_first=verdict.baseline_first,
        candidate_first=verdict.candidate_first,
        verdict=verdict.outcome,
        consistency=verdict.consistency,
        tie_source=verdict.tie_source,
        calls=tuple(map(outcome, calls)),
        labels=tuple(labels),
        reviewers=reviewers,
        reviewer_orders={
            name: tuple(Order)[(number + len(name) + place) % 2]
            for place, name in enumerate(reviewers)
        },
        lengths=(80 + number % 17 * 10, 100 + number % 13 * 12),
        by_marks=(None, *Outcome)[number % 4],
        formatted=(None, *Outcome)[number % 3],
        own_family=(None, *Outcome)[number * 2 % 3],
        copy_of=None,
    )


def outcome(call: CallReading) -> CallOutcome:
    said = call.reading
    known = call.order, call.repeat, call_outcome(call)
    if isinstance(said, Invalid):
        return CallOutcome(*known, None, said.reason)
    return CallOutcome(*known, said.choice)


def report() -> Any:
    found = calibrate(
        Sample.build(map(row, range(154)), SYSTEMS), np.random.default_rng(7)
    )
    none = share(np.zeros(12, bool), np.arange(12) // 3, 0.95)  # since version 4
    stuck = cohen_kappa([[0, 0, 0], [0, 23, 0], [0, 17, 0]])  # since version 6
    slice_ = share(np.arange(40) < 28, np.arange(40) // 4, 0.95)  # since version 7
    return {
        "splits": splits_json(found.splits),
        "comparison": jsonable(found.comparison),
        "none": jsonable(none),
        "stuck": jsonable(stuck),
        "flags": jsonable(flags([slice_], found.splits.dev.exact_agreement)),
    }
