"""Marks as they are shown and exported: of responses that are held out nowhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Q

from annotation.domain.estimates import Estimate
from annotation.domain.intervals import share
from annotation.models import Pair, Response
from config.errors import NotAllowed, NotFound
from judging.domain.marks import Abstained, Mark
from judging.presenters.calls import ShownCall, shown_call
from judging.presenters.messages import ShownRequest, mark_request_of
from judging.presenters.pairs import HELD_OUT, open_pairs
from judging.services.configuring import pointwise_spec_of
from judging.services.marks import (
    SystemMarks,
    mark_from,
    marks_by_system,
    readings_of,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from fractions import Fraction

    from django.db.models import QuerySet

    from judging.domain.marks import MarkReading, ResponseMark
    from judging.models import Call, Run

MARK_COLUMNS = (
    "case_id",
    "system",
    "split",
    "critical",
    "state",
    "score",
    "passed",
    "failed_gates",
    "marked",
    "abstained",
    "invalid",
    "invalid_reasons",
    "response_sha256",
)
PLACES = 2
PER_CENT = 100


@dataclass(frozen=True, slots=True)
class OpenResponses:
    """The responses of a run that may be shown, and how many others there are."""

    ids: frozenset[int]
    hidden: int


@dataclass(frozen=True, slots=True)
class ShownSystem:
    """One system's marks with rounded figures.

    ``share`` is the part of all its responses that passed, with its interval; empty
    where the scale has nothing to pass.
    """

    marks: SystemMarks
    share: str
    interval: str
    mean: str


@dataclass(frozen=True, slots=True)
class Counts:
    """How often something occurs, for each system in order."""

    name: str
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ShownMarks:
    """A finished run's marks by system, over what may be shown."""

    systems: tuple[ShownSystem, ...]
    hidden: int
    has_pass: bool
    gates: tuple[Counts, ...]
    scores: tuple[Counts, ...]


@dataclass(frozen=True, slots=True)
class ShownResponse:
    """What was asked about one response, and what came back."""

    response: Response
    request: ShownRequest
    calls: tuple[ShownCall, ...]


def open_responses(run: Run) -> OpenResponses:
    """Leave out every response that is part of a pair which is held out anywhere."""
    marked = set(run.calls.marks().values_list("response", flat=True))
    pairs = Pair.objects.filter(gold_set=run.gold_set)
    closed = pairs.exclude(pk__in=open_pairs(run.gold_set).values("pk"))
    rows = closed.values_list("baseline_id", "candidate_id")
    shut = {pk for row in rows for pk in row}
    return OpenResponses(frozenset(marked - shut), len(marked & shut))


def pairs_with(run: Run, responses: Collection[int]) -> list[int]:
    """The pairs whose texts or marks somebody sees with these responses."""
    either = Q(baseline__in=responses) | Q(candidate__in=responses)
    pairs = Pair.objects.filter(either, gold_set=run.gold_set)
    return list(pairs.values_list("pk", flat=True))


def shown_marks(run: Run) -> ShownMarks:
    """The marks of each system over the open responses of a finished run."""
    shown = open_responses(run)
    found = marks_by_system(run, shown.ids)
    names = sorted({name for each in found for name in each.failed_gates})
    scores = sorted({score for each in found for score in each.scores})
    return ShownMarks(
        systems=tuple(_system(each) for each in found),
        hidden=shown.hidden,
        has_pass=any(each.passed or each.failed for each in found),
        gates=tuple(
            Counts(name, tuple(each.failed_gates.get(name, 0) for each in found))
            for name in names
        ),
        scores=tuple(
            Counts(
                score_words(score), tuple(each.scores.get(score, 0) for each in found)
            )
            for score in scores
        ),
    )


def _system(marks: SystemMarks) -> ShownSystem:
    part, interval = "", ""
    if marks.passed or marks.failed:
        figure = share(marks.passed, marks.responses, hits_by_cluster=marks.clusters)
        if isinstance(figure, Estimate):
            part = f"{figure.value * PER_CENT:.1f} %"
            interval = _interval(figure)
    return ShownSystem(
        marks=marks,
        share=part,
        interval=interval,
        mean="" if marks.mean is None else score_words(marks.mean),
    )


def _interval(figure: Estimate) -> str:
    if figure.low is None or figure.high is None:
        return ""
    low, high = figure.low * PER_CENT, figure.high * PER_CENT
    return f"{low:.1f} to {high:.1f} % ({figure.method})"


def score_words(score: Fraction) -> str:
    """A score as text: whole ones whole, means of repeats to two places."""
    if score.denominator == 1:
        return str(score.numerator)
    return f"{float(score):.{PLACES}f}"


def mark_words(call: Call) -> str:
    """What a call of a pointwise run came to, in words."""
    reply = getattr(call, "reply", None)
    if reply is None:
        return "not answered yet"
    if reply.invalid_reason:
        return f"invalid: {reply.invalid_reason}"
    if reply.score is None:
        return "abstain"
    passed = {True: ", passes", False: ", fails", None: ""}[reply.passed]
    words = f"score {reply.score}{passed}"
    if reply.stated is not None and reply.stated != reply.score:
        words += f", capped from {reply.stated}"
    if reply.failed_gates:
        words += f", failed: {', '.join(reply.failed_gates)}"
    return words


def mark_rows(run: Run, responses: Collection[int]) -> Iterator[tuple[object, ...]]:
    """One row for each response, by case and system; raises at once, not later."""
    return _rows(run, readings_of(run, responses))


def _rows(
    run: Run, readings: dict[int, list[MarkReading]]
) -> Iterator[tuple[object, ...]]:
    rows = Response.objects.filter(pk__in=readings).select_related("case", "system")
    for each in rows.order_by("case_id", "system__position").iterator(chunk_size=2000):
        said = readings[each.pk]
        yield _row(each, mark_from(run, said), said)


def _row(
    response: Response, mark: ResponseMark, readings: list[MarkReading]
) -> tuple[object, ...]:
    gates = {
        gate: sum(
            gate in each.failed_gates for each in readings if isinstance(each, Mark)
        )
        for reading in readings
        if isinstance(reading, Mark)
        for gate in reading.failed_gates
    }
    reasons = [
        each.reason.value for each in readings if not isinstance(each, Mark | Abstained)
    ]
    return (
        response.case.external_id,
        response.system.name,
        response.case.split,
        response.case.critical,
        mark.state.value,
        None if mark.score is None else float(mark.score),
        mark.passed,
        gates,
        mark.marked,
        mark.abstained,
        mark.invalid,
        reasons,
        response.sha256,
    )


def open_mark_calls(run: Run) -> QuerySet[Call]:
    """The calls of a pointwise run that may be read."""
    calls = run.calls.marks().filter(response__in=open_responses(run).ids)
    return calls.select_related("response__case", "response__system", "reply")


def shown_response(run: Run, response_id: int) -> ShownResponse:
    """One response with its calls; raises ``NotFound`` and ``NotAllowed``."""
    calls = run.calls.marks().filter(response=response_id)
    response = (
        Response.objects.select_related("case", "system")
        .filter(pk__in=calls.values("response"))
        .first()
    )
    if response is None:
        raise NotFound(
            "response_unknown", f"Run {run.pk} did not mark response {response_id}."
        )
    if response.pk not in open_responses(run).ids:
        raise NotAllowed("held_out", HELD_OUT)
    asked = calls.select_related("reply").prefetch_related("attempts")
    return ShownResponse(
        response=response,
        request=mark_request_of(pointwise_spec_of(run.config), response),
        calls=tuple(
            shown_call(call, mark_words(call)) for call in asked.order_by("repeat")
        ),
    )
