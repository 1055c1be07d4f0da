"""What makes a row coherent: each check names the pair it refuses."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from annotation.domain.outcomes import Outcome, Split, outcome_of
from judging.domain.terms import Consistency, JudgeOutcome, TieSource
from judging.domain.verdicts import consistency_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from calibration.domain.samples import CallOutcome, Row

_NONE = type(None)
_SAID = attrgetter(
    *("gold", "split", "baseline_first", "candidate_first"),
    *("verdict", "consistency", "tie_source"),
)
_TIE_SOURCES = {
    Consistency.CONSISTENT: TieSource.STATED,
    Consistency.TIE_TRANSITION: TieSource.TRANSITION,
    Consistency.FLIP: TieSource.FLIP,
}


def check_systems(systems: Sequence[str]) -> dict[str, int]:
    """Give each system its place in the set's order; refuse repeats."""
    places = {name: place for place, name in enumerate(systems)}
    if len(places) != len(systems):
        msg = f"systems repeat: {', '.join(systems)}"
        raise ValueError(msg)
    return places


def check_rows(rows: Iterable[Row], places: Mapping[str, int]) -> None:
    """Check each row as :func:`check_row` does, what many have in common only once.

    By identity, not equality: a plain string equals a word of the vocabulary.
    """
    fine: set[tuple[int, ...]] = set()
    for row in rows:
        said = tuple(map(id, _SAID(row)))
        if said in fine:
            _refuse(row, _own_problem(row, places))
        else:
            check_row(row, places)
            fine.add(said)


def check_row(row: Row, places: Mapping[str, int]) -> None:
    """Raise ``ValueError``, naming the pair, when a row contradicts itself."""
    problem = (
        _type_problem(row)
        or _consistency_problem(row)
        or _verdict_problem(row)
        or _tie_problem(row)
        or _own_problem(row, places)
    )
    _refuse(row, problem)


def _own_problem(row: Row, places: Mapping[str, int]) -> str | None:
    """What a row may have wrong although others that said the same are fine."""
    return (
        _systems_problem(row, places)
        or _stranger(Outcome, *row.labels)
        or _calls_problem(row)
        or _reviewers_problem(row)
    )


def _refuse(row: Row, problem: str | None) -> None:
    if problem:
        msg = f"pair {row.pair!r}: {problem}"
        raise ValueError(msg)


def _systems_problem(row: Row, places: Mapping[str, int]) -> str | None:
    for name in row.systems:
        if name not in places:
            return f"unknown system {name!r}"
    baseline, candidate = row.systems
    if places[baseline] >= places[candidate]:
        return f"systems {baseline!r}, {candidate!r} are not in the set's order"
    return None


def _type_problem(row: Row) -> str | None:
    """Plain strings would compare unequal by identity further on: refuse them."""
    return (
        _stranger((Outcome, _NONE), row.gold)
        or _stranger((Split, _NONE), row.split)
        or _stranger(JudgeOutcome, row.baseline_first, row.candidate_first, row.verdict)
        or _stranger((TieSource, _NONE), row.tie_source)
        or None
    )


def _stranger(kind: type | tuple[type, ...], *values: object) -> str | None:
    for value in values:
        if not isinstance(value, kind):
            return f"{value!r} is not in the vocabulary"
    return None


def _consistency_problem(row: Row) -> str | None:
    expected = consistency_of(row.baseline_first, row.candidate_first)
    if row.consistency is not expected:
        return f"order outcomes are {expected}, not {row.consistency}"
    return None


def _verdict_problem(row: Row) -> str | None:
    orders = (row.baseline_first, row.candidate_first)
    invalid = JudgeOutcome.INVALID in orders
    if invalid != (row.verdict is JudgeOutcome.INVALID):
        return "the verdict is invalid exactly when an order is"
    if invalid:
        return None
    if JudgeOutcome.ABSTAIN in orders and row.verdict is not JudgeOutcome.ABSTAIN:
        return f"an order abstained, yet the verdict is {row.verdict}"
    if row.verdict.is_decisive and row.verdict not in orders:
        return f"no order said {row.verdict}"
    if row.consistency is Consistency.CONSISTENT and row.verdict is not orders[0]:
        return f"both orders said {orders[0]}, yet the verdict is {row.verdict}"
    return None


def _tie_problem(row: Row) -> str | None:
    if row.verdict is not JudgeOutcome.TIE:
        return "only a tie has a tie source" if row.tie_source else None
    expected = _TIE_SOURCES.get(row.consistency)
    if row.tie_source is not expected:
        return f"this tie comes from {expected}, not from {row.tie_source}"
    return None


def _calls_problem(row: Row) -> str | None:
    if not row.calls:
        return None
    if len({(call.order, call.repeat) for call in row.calls}) != len(row.calls):
        return "two calls have the same order and repeat"
    for call in row.calls:
        problem = _call_problem(call)
        if problem:
            return f"{call.order} call {call.repeat}: {problem}"
    return None


def _reviewers_problem(row: Row) -> str | None:
    if not row.reviewer_orders:
        return None
    unknown = sorted(set(row.reviewer_orders) - set(row.reviewers))
    return f"an order of {unknown[0]!r}, who said nothing" if unknown else None


def _call_problem(call: CallOutcome) -> str | None:
    if call.outcome is JudgeOutcome.INVALID:
        if call.reason is None or call.choice is not None:
            return "an invalid call has a reason and no choice"
        return None
    if call.reason is not None or call.choice is None:
        return "a valid call has a choice and no reason"
    if outcome_of(call.choice, call.order).value != call.outcome.value:
        return f"{call.choice} does not mean {call.outcome} in this order"
    return None
