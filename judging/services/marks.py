"""Marks of a finished pointwise run: by response, by pair of a gold version, by system.

For reports: :func:`marks_for_version` joins the marks of a run with the pairs of a
frozen gold version, which is what the consistency of marks with verdicts is computed
from (METHODS 3.11), and what tells a critical FAIL that only the candidate has (DESIGN
rule 24). It returns held-out pairs too, so whoever shows what follows from it has to
count a look. The other functions take the responses that may be shown.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from annotation.domain.outcomes import Outcome, Split
from annotation.models import GoldItem, Response
from config.errors import Conflict
from judging.domain.marks import (
    Abstained,
    Mark,
    MarkReading,
    MarkState,
    ResponseMark,
    combine_marks,
)
from judging.domain.terms import InvalidReason, RepeatRule
from judging.domain.verdicts import Invalid
from judging.models import ConfigKind
from judging.services import worklist
from judging.services.controlling import how_to_go_on

if TYPE_CHECKING:
    from collections.abc import Iterable

    from annotation.models import GoldVersion
    from judging.models import Reply, Run


@dataclass(frozen=True, slots=True)
class PairMarks:
    """The marks of both responses of one pair, beside the pair's gold.

    ``gold`` is ``None`` for a pair that has none yet; ``split`` is empty for one in no
    split. A mark is ``None`` where the run did not ask about the response.
    """

    pair_id: int
    split: Split | None
    gold: Outcome | None
    critical: bool
    baseline: ResponseMark | None
    candidate: ResponseMark | None

    @property
    def preferred(self) -> Outcome | None:
        """The response with the higher score, tie for equal ones.

        ``None`` unless both are marked: abstains and invalid marks are left out of the
        consistency, and counted.
        """
        if self.baseline is None or self.candidate is None:
            return None
        one, other = self.baseline.score, self.candidate.score
        if one is None or other is None:
            return None
        if one == other:
            return Outcome.TIE
        return Outcome.BASELINE if one > other else Outcome.CANDIDATE

    @property
    def only_candidate_fails(self) -> bool | None:
        """Whether the candidate fails and the baseline passes; ``None`` if unknown."""
        if self.baseline is None or self.candidate is None:
            return None
        if self.baseline.passed is None or self.candidate.passed is None:
            return None
        return self.baseline.passed and not self.candidate.passed


@dataclass(frozen=True, slots=True)
class SystemMarks:
    """The marks of one system's responses.

    ``responses`` = ``marked`` + ``abstained`` + ``invalid``. ``passed`` and ``failed``
    are of the marked ones; both are 0 on a scale without a pass mark. ``total`` is the
    sum of the marked responses' scores, ``scores`` how often each of them occurs.
    ``failed_gates`` counts replies, by the name of the gate. ``clusters`` has (passed,
    responses) of each group of cases.
    """

    system: str
    responses: int
    marked: int
    abstained: int
    invalid: int
    passed: int
    failed: int
    critical_failed: int
    total: Fraction
    scores: dict[Fraction, int]
    failed_gates: dict[str, int]
    clusters: tuple[tuple[int, int], ...]

    @property
    def mean(self) -> Fraction | None:
        """The mean score of the marked responses."""
        return self.total / self.marked if self.marked else None


def reading_of_mark(reply: Reply) -> MarkReading:
    """The reading that a stored reply holds."""
    if reply.invalid_reason:
        return Invalid(InvalidReason(reply.invalid_reason), reply.detail)
    if reply.score is None:
        return Abstained()
    return Mark(
        reply.score,
        reply.passed,
        reply.stated,
        tuple(reply.failed_gates),
        tuple(reply.flags),
    )


def readings_of(
    run: Run, responses: Iterable[int] | None = None
) -> dict[int, list[MarkReading]]:
    """What every reply said, by response; all of the run, or some responses.

    Raises ``Conflict`` for a run that is no pointwise one, and while calls are missing.
    """
    _refuse_unfinished(run)
    calls = run.calls.marks().select_related("reply").order_by("response_id", "repeat")
    wanted = None if responses is None else set(responses)
    found: dict[int, list[MarkReading]] = defaultdict(list)
    for call in calls.defer("reply__raw", "reply__reasoning").iterator(chunk_size=2000):
        if call.response_id is None or (
            wanted is not None and call.response_id not in wanted
        ):
            continue
        found[call.response_id].append(reading_of_mark(call.reply))
    return dict(found)


def _refuse_unfinished(run: Run) -> None:
    if run.config.kind != ConfigKind.POINTWISE:
        raise Conflict("run_not_pointwise", f"Run {run.pk} judges pairs; no marks.")
    missing = worklist.unanswered(run.pk)
    if missing:
        raise Conflict(
            "run_incomplete",
            f"Run {run.pk} still lacks {missing} calls. {how_to_go_on(run)}",
        )


def marks_by_response(
    run: Run, responses: Iterable[int] | None = None
) -> dict[int, ResponseMark]:
    """The mark of each response, from its repeats by the judge's frozen rule."""
    return {
        response_id: mark_from(run, readings)
        for response_id, readings in readings_of(run, responses).items()
    }


def mark_from(run: Run, readings: list[MarkReading]) -> ResponseMark:
    """Combine the repeats on one response by the rule that the run's judge froze."""
    config = run.config
    rule = RepeatRule(config.repeat_rule)
    return combine_marks(readings, rule=rule, repeats=config.repeats)


def marks_for_version(run: Run, version: GoldVersion) -> tuple[PairMarks, ...]:
    """Both marks of every pair of a gold version, held-out pairs included.

    Raises ``Conflict`` for a run on another set, one that is not pointwise, and one
    that lacks calls.
    """
    if version.gold_set_id != run.gold_set_id:
        raise Conflict("other_gold_set", f"Run {run.pk} is on another gold set.")
    marks = marks_by_response(run)
    items = GoldItem.objects.filter(version=version).select_related("pair__case")
    return tuple(
        PairMarks(
            pair_id=item.pair_id,
            split=Split(item.split) if item.split else None,
            gold=Outcome(item.outcome) if item.outcome else None,
            critical=item.pair.case.critical,
            baseline=marks.get(item.pair.baseline_id),
            candidate=marks.get(item.pair.candidate_id),
        )
        for item in items.order_by("pair_id")
    )


def marks_by_system(run: Run, responses: Iterable[int]) -> tuple[SystemMarks, ...]:
    """Add up the marks of some responses by system, in the set's order."""
    readings = readings_of(run, responses)
    rows = Response.objects.filter(pk__in=readings).select_related("case", "system")
    groups: dict[str, list[_Marked]] = defaultdict(list)
    for response in rows.order_by("system__position", "pk").iterator(chunk_size=2000):
        said = readings[response.pk]
        case, mark = response.case, mark_from(run, said)
        groups[response.system.name].append(
            _Marked(case.cluster, case.critical, mark, said)
        )
    return tuple(_system(name, group) for name, group in groups.items())


@dataclass(frozen=True, slots=True)
class _Marked:
    cluster: str
    critical: bool
    mark: ResponseMark
    readings: list[MarkReading]


def _system(name: str, group: list[_Marked]) -> SystemMarks:
    marks = [each.mark for each in group]
    states = Counter(mark.state for mark in marks)
    passed = Counter(mark.passed for mark in marks if mark.passed is not None)
    scores = Counter(mark.score for mark in marks if mark.score is not None)
    gates = Counter(
        gate
        for each in group
        for reading in each.readings
        if isinstance(reading, Mark)
        for gate in reading.failed_gates
    )
    return SystemMarks(
        system=name,
        responses=len(marks),
        marked=states[MarkState.MARKED],
        abstained=states[MarkState.ABSTAIN],
        invalid=states[MarkState.INVALID],
        passed=passed[True],
        failed=passed[False],
        critical_failed=sum(
            each.critical and each.mark.passed is False for each in group
        ),
        total=sum((s * n for s, n in scores.items()), Fraction(0)),
        scores=dict(sorted(scores.items())),
        failed_gates=dict(sorted(gates.items())),
        clusters=_clusters(group),
    )


def _clusters(group: list[_Marked]) -> tuple[tuple[int, int], ...]:
    found: dict[str, list[bool]] = defaultdict(list)
    for each in group:
        found[each.cluster].append(each.mark.passed is True)
    return tuple((sum(hits), len(hits)) for hits in found.values())
