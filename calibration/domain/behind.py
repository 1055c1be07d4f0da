"""The pairs behind a figure, by the figure's place in a block of the report.

Only what the stored rows of a report can't tell by gold, verdict and consistency is
here. Each list is made from the same columns as its figure is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from calibration.domain.columns import BASELINE, CANDIDATE, INVALID, NONE, TIE
from calibration.domain.confusion import CLASSES, agreeing, scored, stated
from calibration.domain.human_orders import compared
from calibration.domain.length import similar
from calibration.domain.position import flips_by_slot, unequal
from calibration.domain.stability import changed, repeated
from judging.domain.terms import InvalidReason, JudgeOutcome

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from calibration.domain.columns import Codes, Mask
    from calibration.domain.samples import Sample

_SAID = {member.value: code for code, member in enumerate(JudgeOutcome)}
_GOLD = {name: code for name, code in _SAID.items() if code != INVALID}
_ORDERS = {"baseline_first": "baseline first", "candidate_first": "candidate first"}


@dataclass(frozen=True, slots=True)
class Listing:
    """Which pairs, in words, and how they are found."""

    words: str
    of: Callable[[Sample], Mask]


def behind(sample: Sample, figure: str, one: str = "", other: str = "") -> Mask:
    """The pairs of a figure in :data:`LISTS`, or of :data:`PEOPLE` for a reviewer.

    ``one`` and ``other`` are reviewers by anonymous name. Raises ``KeyError`` for a
    figure without a list; a reviewer who is not there has no pair.
    """
    if figure in LISTS:
        return LISTS[figure].of(sample)
    _, of = PEOPLE[figure]
    return of(sample, _labels(sample, one), _labels(sample, other))


def _mask(rows: object) -> Mask:
    return np.asarray(rows, bool)


def _labels(sample: Sample, reviewer: str) -> Codes:
    names = sample.columns.reviewers
    if reviewer not in names:
        return np.full(len(sample), NONE, np.int64)
    found: Codes = sample.columns.reviewer_labels[:, names.index(reviewer)]
    return found


def _labelled(_: Sample, own: Codes, __: Codes) -> Mask:
    return _mask(own != NONE)


def _judge_differs(sample: Sample, own: Codes, _: Codes) -> Mask:
    return _mask((own != NONE) & (own != sample.columns.verdict))


def _shared(_: Sample, own: Codes, other: Codes) -> Mask:
    return _mask((own != NONE) & (other != NONE))


def _differ(sample: Sample, own: Codes, other: Codes) -> Mask:
    return _mask(_shared(sample, own, other) & (own != other))


def _in_order(order: str, gold: int, said: int) -> Callable[[Sample], Mask]:
    def found(sample: Sample) -> Mask:
        spoken: Codes = getattr(sample.columns, order)
        return _mask((sample.columns.gold == gold) & (spoken == said))

    return found


def _missed_in(order: str) -> Callable[[Sample], Mask]:
    def found(sample: Sample) -> Mask:
        spoken: Codes = getattr(sample.columns, order)
        return _mask(scored(sample) & (spoken != sample.columns.gold))

    return found


def _invalid_by(code: int | None) -> Callable[[Sample], Mask]:
    """Pairs with a call that is invalid by a reason, or by any."""

    def found(sample: Sample) -> Mask:
        calls = sample.columns.calls
        bad = calls.outcome == INVALID if code is None else calls.reason == code
        mask = np.zeros(len(sample), bool)
        mask[calls.row[bad]] = True
        return mask

    return found


def _either(code: int) -> Callable[[Sample], Mask]:
    """Scored pairs that gold or verdict puts in a class, but not both."""

    def found(sample: Sample) -> Mask:
        gold, said = sample.columns.gold == code, sample.columns.verdict == code
        return _mask(scored(sample) & (gold != said))

    return found


def _both_wins(sample: Sample) -> Mask:
    gold, said = sample.columns.gold, sample.columns.verdict
    return _mask((gold < TIE) & (said < TIE) & (gold != said))


def _of_length(name: str) -> Callable[[Sample], Mask]:
    def found(sample: Sample) -> Mask:
        columns = sample.columns
        gold, said = columns.gold, columns.verdict
        used = columns.sized & (columns.longer != 0)
        won = used & (said < TIE) & ((said == CANDIDATE) == (columns.longer > 0))
        return _mask(
            {
                "judge_longer": won,
                "gold_longer": used
                & (gold < TIE)
                & ((gold == CANDIDATE) == (columns.longer > 0)),
                "ties_longer": won & (gold == TIE),
                "wrong_longer": won & (gold <= TIE) & (said != gold),
                "coefficient": columns.sized & (said < TIE) & (gold <= TIE),
            }[name]
        )

    return found


def _of_side(column: str, name: str) -> Callable[[Sample], Mask]:
    def found(sample: Sample) -> Mask:
        side: Codes = getattr(sample.columns, column)
        gold, said = sample.columns.gold, sample.columns.verdict
        used = side != NONE
        other = BASELINE + CANDIDATE - side
        false = (said == side) & (gold == other) | (said == other) & (gold == side)
        return _mask(
            {
                "pairs": used,
                "judge_wins": used & (said == side),
                "gold_wins": used & (gold == side),
                "ties_wins": used & (said == side) & (gold == TIE),
                "difference": used & false,
            }[name]
        )

    return found


def _of_marks(name: str) -> Callable[[Sample], Mask]:
    def found(sample: Sample) -> Mask:
        columns = sample.columns
        marked, answered = columns.by_marks != NONE, columns.verdict <= TIE
        return _mask(
            {
                "pairs": marked & answered,
                "unmarked": ~marked,
                "unanswered": marked & ~answered,
                "consistency": marked
                & answered
                & (columns.by_marks != columns.verdict),
                "agreement": marked
                & scored(sample)
                & (columns.by_marks != columns.gold),
            }[name]
        )

    return found


PEOPLE: Mapping[str, tuple[str, Callable[[Sample, Codes, Codes], Mask]]] = {
    "single_reviewers.labels": ("labelled by", _labelled),
    "single_reviewers.judge_agreement": ("verdict is not the label of", _judge_differs),
    "between_reviewers.shared": ("labelled by both", _shared),
    "between_reviewers.agreement": ("labelled otherwise by", _differ),
}
LISTS: Mapping[str, Listing] = {
    **{
        f"position.order_confusion.{order}.{gold}.{said}": Listing(
            f"gold {gold}, {said} with the {words}", _in_order(order, g, s)
        )
        for order, words in _ORDERS.items()
        for gold, g in _GOLD.items()
        for said, s in _SAID.items()
    },
    **{
        f"position.order_accuracy.{order}": Listing(
            f"not gold's outcome with the {words}", _missed_in(order)
        )
        for order, words in _ORDERS.items()
    },
    **{
        f"invalid_calls.{reason.value}": Listing(
            f"a call that is {reason.value.replace('_', ' ')}", _invalid_by(code)
        )
        for code, reason in enumerate(InvalidReason)
    },
    "invalid_call_rate": Listing("an invalid call", _invalid_by(None)),
    "stated_agreement": Listing(
        "not gold's outcome, or a tie that was not stated",
        lambda sample: _mask(scored(sample) & ~(agreeing(sample) & stated(sample))),
    ),
    **{
        f"per_class.{list(_SAID)[code]}.f1": Listing(
            f"either gold or verdict is {list(_SAID)[code]}, not both", _either(code)
        )
        for code in CLASSES
    },
    "direction.difference": Listing("the other system wins by the judge", _both_wins),
    "human.pairs": Listing(
        "two labels or more",
        lambda sample: _mask(sample.columns.label_counts.sum(1) > 1),
    ),
    "length.similar_pairs": Listing("responses of similar length", similar),
    "length.similar_agreement": Listing(
        "responses of similar length, the verdict is not the gold",
        lambda sample: _mask(similar(sample) & scored(sample) & ~agreeing(sample)),
    ),
    "position.first_slot_flips": Listing(
        "the first slot wins in both orders", lambda sample: flips_by_slot(sample)[0]
    ),
    "position.second_slot_flips": Listing(
        "the second slot wins in both orders", lambda sample: flips_by_slot(sample)[1]
    ),
    "position.slot_balance.unequal_pairs": Listing(
        "asked unequally often in the two orders", unequal
    ),
    "stability.pairs": Listing("asked more than once in both orders", repeated),
    "stability.unchanged": Listing("an answer that changed with a repeat", changed),
    "human_orders.ipi.instability": Listing(
        "labelled in both orders, by different people", compared
    ),
    **{
        f"length.{name}": Listing(words, _of_length(name))
        for name, words in (
            ("judge_longer", "the longer response wins by the judge"),
            ("gold_longer", "the longer response wins by gold"),
            ("ties_longer", "gold tie, the longer response wins by the judge"),
            ("wrong_longer", "a wrong verdict for the longer response"),
            ("coefficient", "decisive verdict, gold, and known lengths"),
        )
    },
    **{
        f"{key}.{name}": Listing(words.format(trait), _of_side(column, name))
        for key, column, trait in (
            ("formatting", "formatted", "the formatted response"),
            ("own_family", "own_family", "the response of the judge's family"),
        )
        for name, words in (
            ("pairs", "there is just one: {}"),
            ("judge_wins", "{} wins by the judge"),
            ("gold_wins", "{} wins by gold"),
            ("ties_wins", "gold tie, {} wins by the judge"),
            ("difference", "{} wins or loses wrongly"),
        )
    },
    **{
        f"marks.{name}": Listing(words, _of_marks(name))
        for name, words in (
            ("pairs", "both marks and a verdict"),
            ("unmarked", "without both marks"),
            ("unanswered", "both marks, but no verdict"),
            ("consistency", "marks and verdict differ"),
            ("agreement", "marks and gold differ"),
        )
    },
}
