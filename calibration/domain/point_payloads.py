"""The documents that are the points of sentinels: what a check came to.

Of a check they hold what it came to by itself, and beside its references. Pages, alarms
and audits read them as they were stored; an audit makes them again from the replies
(``rules`` says by which version of this).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from annotation.domain.digests import digest_of
from calibration.domain.drift import Twice, compare_runs
from calibration.domain.jsonable import jsonable
from calibration.domain.rules import RULES, SENTINEL_RULES
from calibration.domain.sentinel_points import (
    Given,
    Judged,
    Marked,
    compare_marks,
    mark_block,
    system_blocks,
    verdict_block,
)
from calibration.domain.watched import (
    DRIFT,
    MARKS,
    USABLE,
    jsonable_fields,
    monitored,
    watched_agreement,
    watched_invalid,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from annotation.domain.estimates import Figure
    from calibration.domain.sentinel_points import MarkDrift
    from calibration.domain.sentinels import Step
    from judging.domain.terms import JudgeOutcome

    Payload = Mapping[str, Any]
    Verdicts = Mapping[str, JudgeOutcome]
    Marks = Mapping[str, Given]

Said_co = TypeVar("Said_co", covariant=True)

SCHEMA = "evenhand.sentinel_point/1"
RUBRIC_FIELDS = ("rubric", "rubric_version", "rubric_step")


def rubric_digest_of(spec: Mapping[str, Any]) -> str:
    """The digest of what a judge's specification says of its rubric."""
    return digest_of({name: spec.get(name) for name in RUBRIC_FIELDS})


@dataclass(frozen=True, slots=True)
class About:
    """Which check a point is of, and who answered."""

    sentinel: str
    series: int
    judge: Mapping[str, Any]
    gold: Mapping[str, Any]
    step: Step
    run: int
    served_models: Sequence[Mapping[str, object]]


def point_payload(about: About, body: Payload) -> dict[str, Any]:
    """The whole document."""
    return {
        "schema": SCHEMA,
        RULES: SENTINEL_RULES,
        "sentinel": about.sentinel,
        "series": about.series,
        "judge": dict(about.judge),
        "gold": dict(about.gold),
        "kind": about.step.kind.value,
        "cycle": about.step.cycle,
        "part": about.step.part,
        "run": about.run,
        "served_models": [dict(each) for each in about.served_models],
        **body,
    }


@dataclass(frozen=True, slots=True)
class Before(Generic[Said_co]):
    """What a check is compared with: the series' first reference, and its cycle's.

    ``first`` and ``reference`` are a run and what it said; ``points`` are those of
    parts of the series before it, in order.
    """

    points: tuple[Payload, ...] = ()
    first: tuple[int, Said_co] | None = None
    reference: tuple[int, Said_co] | None = None

    @property
    def runs(self) -> dict[str, int | None]:
        """The runs by their names in the document."""
        return {
            "first_run": self.first[0] if self.first else None,
            "reference_run": self.reference[0] if self.reference else None,
        }


def verdicts_body(
    step: Step,
    judged: Sequence[Judged],
    before: Before[Verdicts],
    earlier: Sequence[Judged],
    rerun: Figure | None,
) -> dict[str, Any]:
    """What a check of a judge of pairs came to.

    ``earlier`` are the parts before it of the same cycle; ``rerun`` is how many of
    these verdicts change between two usual runs.
    """
    block = verdict_block(judged)
    first = _twice(judged, before.first)
    drift = compare_runs(first) if before.first else None
    own = _twice(judged, before.reference)
    part = compare_runs(own) if before.reference else None
    seen = _twice(earlier, before.reference)
    points = before.points
    return {
        **jsonable_fields(block),
        **before.runs,
        "against_first": jsonable(drift),
        "against_reference": jsonable(part),
        "since_reference": jsonable(compare_runs([*seen, *own])) if part else None,
        "monitor": monitored(step, points, part, DRIFT),
        "usable": monitored(step, points, part, USABLE),
        "watched_agreement": watched_agreement(step, points, block) if part else None,
        "watched_invalid": watched_invalid(step, points, block),
        "rerun": jsonable(rerun),
        "changed": _changed_verdicts(judged, first),
    }


def _twice(judged: Iterable[Judged], run: tuple[int, Verdicts] | None) -> list[Twice]:
    said: Verdicts = run[1] if run else {}
    return [
        Twice(one.pair, one.cluster, said[one.pair], one.verdict, one.gold)
        for one in judged
        if one.pair in said
    ]


def rerun_rate(judged: Iterable[Judged], usual: Verdicts, again: Verdicts) -> Figure:
    """How many of these pairs' verdicts differ between two runs of the same judge."""
    pairs = [
        Twice(one.pair, one.cluster, usual[one.pair], again[one.pair], one.gold)
        for one in judged
        if one.pair in usual and one.pair in again
    ]
    return compare_runs(pairs).change_rate


def _changed_verdicts(
    judged: Iterable[Judged], first: Iterable[Twice]
) -> list[dict[str, Any]]:
    cases = {one.pair: one.case for one in judged}
    return [
        {
            "pair": int(one.pair),
            "case": cases[one.pair],
            "gold": one.gold.value if one.gold else None,
            "before": one.reference.value,
            "now": one.verdict.value,
            "change": one.change.value,
        }
        for one in first
        if one.reference is not one.verdict
    ]


def marks_body(
    step: Step,
    marked: Sequence[Marked],
    before: Before[Marks],
    earlier: Sequence[Marked],
) -> dict[str, Any]:
    """What a pointwise check came to; ``earlier`` as in :func:`verdicts_body`."""
    block, points = mark_block(marked), before.points
    part = _compared(marked, before.reference)
    return {
        "systems": jsonable(system_blocks(marked)),
        **jsonable_fields(block),
        **before.runs,
        "against_first": jsonable(_compared(marked, before.first)),
        "against_reference": jsonable(part),
        "since_reference": jsonable(_compared([*earlier, *marked], before.reference)),
        # Two-sided: neither higher nor lower marks are right by themselves.
        "monitor": monitored(step, points, part, MARKS, two_sided=True),
        "usable": monitored(step, points, part, USABLE),
        "watched_invalid": watched_invalid(step, points, block),
        "changed": _changed_marks(marked, before.first),
    }


def _compared(
    marked: Sequence[Marked], run: tuple[int, Marks] | None
) -> MarkDrift | None:
    return None if run is None else compare_marks(run[1], marked)


def _changed_marks(
    marked: Iterable[Marked], run: tuple[int, Marks] | None
) -> list[dict[str, Any]]:
    before = {key: _said(mark) for key, mark in run[1].items()} if run else {}
    return [
        {
            "response": int(one.response),
            "case": one.case,
            "system": one.system,
            "before": before[one.response],
            "now": _said(one),
        }
        for one in marked
        if one.response in before and before[one.response] != _said(one)
    ]


def _said(one: Given | Marked) -> str:
    """The score, or why there is none."""
    return one.state.value if one.score is None else str(one.score)
