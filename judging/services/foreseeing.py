"""The requests of a run before it is started: each as it would be sent."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from django.db.models import Q

from annotation.domain.outcomes import Order
from annotation.models import Case, Response
from judging.domain.verdicts import Invalid
from judging.models import Call, CallState, ConfigKind, Reply
from judging.services.askers import asker_of
from judging.services.asking import Asking
from judging.services.reusing import earlier_replies

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from django.db.models import Model, QuerySet

    from annotation.models.cases import PairQuerySet
    from judging.models import JudgeConfig, Run
    from judging.services.asker import Question

    Row = TypeVar("Row", bound=Model)

# What a call is about, by which it is the same in any run.
Subject = tuple[int | None, int | None, int | None, str, int]
GROUP = 500
_NOTHING_SENT = 1.0


@dataclass(frozen=True, slots=True)
class Foreseen:
    """A call of a run to come: its request, or why it would not be sent.

    ``answer`` is what an earlier run was answered, if that would be copied, or what the
    run itself has.
    """

    call: Call
    question: Question | Invalid
    answer: Reply | None = None

    @property
    def follows(self) -> bool:
        """Whether the answer is known without a request, since a rubric failed."""
        written = self.call.written
        return written is not None and bool(written.invalid_reason)


@dataclass(frozen=True, slots=True)
class _Known:
    """What is answered already: by any run with a digest, and by the run gone on with.

    ``of_run`` has all its calls, with ``None`` for those that are open still.
    """

    digest: str
    of_run: Mapping[Subject, Reply | None] | None

    def asks(self, call: Call) -> bool:
        """Whether a call belongs to the run; all belong to a new one."""
        return self.of_run is None or _subject(call) in self.of_run

    def answers(
        self, asked: list[tuple[Call, Question | Invalid]]
    ) -> Iterator[Reply | None]:
        """The answer of each call that has one and could be sent."""
        wanted = [
            (question.request_hash, call.repeat)
            for call, question in asked
            if not isinstance(question, Invalid)
        ]
        earlier = (
            earlier_replies(digest=self.digest, wanted=wanted) if self.digest else {}
        )
        of_run = self.of_run or {}
        for call, question in asked:
            if isinstance(question, Invalid):
                yield None
                continue
            own = of_run.get(_subject(call))
            yield own or earlier.get((question.request_hash, call.repeat))


def foresee(
    config: JudgeConfig, pairs: PairQuerySet, *, reuse: bool, run: Run | None = None
) -> Iterator[Foreseen]:
    """Render every request of a run over some pairs; rubrics come first.

    Of a ``run`` that is there already only its own calls are, and those that have their
    answers, even as invalid, are not asked again.

    A verdict whose rubric is still to be written is rendered with a rubric of the
    greatest length that the first step allows.
    """
    asker = asker_of(config, total_timeout=_NOTHING_SENT)
    known = _Known(
        config.digest if reuse else "", None if run is None else _calls_of(run)
    )
    written: dict[int, Reply] = {}
    if isinstance(asker, Asking) and asker.step is not None:
        longest = Reply(rubric="-" * asker.step.max_chars)
        cases = Case.objects.filter(pk__in=pairs.values("case_id"))
        calls = (Call(case=case, repeat=1) for case in _some(cases.order_by("pk")))
        for each in _with_answers(asker.prepare, calls, known):
            assert each.call.case_id is not None  # noqa: S101 - made so above
            if isinstance(each.question, Invalid):
                failed = Reply(invalid_reason=each.question.reason.value)
                written[each.call.case_id] = failed
            else:
                written[each.call.case_id] = each.answer or longest
            yield each
    yield from _with_answers(asker.prepare, _main_calls(config, pairs, written), known)


def _main_calls(
    config: JudgeConfig, pairs: PairQuerySet, written: Mapping[int, Reply]
) -> Iterator[Call]:
    repeats = range(1, config.repeats + 1)
    if config.kind == ConfigKind.POINTWISE:
        mine = Q(pk__in=pairs.values("baseline")) | Q(pk__in=pairs.values("candidate"))
        responses = Response.objects.filter(mine).select_related("case").order_by("pk")
        for response in _some(responses):
            for repeat in repeats:
                yield Call(response=response, repeat=repeat)
        return
    for pair in _some(pairs.with_texts()):
        for order in Order:
            for repeat in repeats:
                call = Call(pair=pair, order=order.value, repeat=repeat)
                call.written = written.get(pair.case_id)
                yield call


def _with_answers(
    prepare: Callable[[Call], Question | Invalid], calls: Iterable[Call], known: _Known
) -> Iterator[Foreseen]:
    for group in _groups(call for call in calls if known.asks(call)):
        asked = [(call, prepare(call)) for call in group]
        for (call, question), answer in zip(asked, known.answers(asked), strict=True):
            yield Foreseen(call, question, answer)


def _calls_of(run: Run) -> dict[Subject, Reply | None]:
    rows = run.calls.values_list(
        "pair_id", "response_id", "case_id", "order", "repeat",
        "state", "reply__invalid_reason", "reply__rubric",
    )  # fmt: skip
    return {
        (pair, response, case, order, repeat): Reply(
            invalid_reason=reason, rubric=rubric
        )
        if state == CallState.DONE
        else None
        for pair, response, case, order, repeat, state, reason, rubric in rows
    }


def _subject(call: Call) -> Subject:
    return call.pair_id, call.response_id, call.case_id, call.order, call.repeat


def _some(rows: QuerySet[Row]) -> Iterator[Row]:
    return rows.iterator(chunk_size=GROUP)


def _groups(calls: Iterable[Call]) -> Iterator[list[Call]]:
    """Cut into lists (``itertools.batched`` came with Python 3.12)."""
    left = iter(calls)
    while group := list(islice(left, GROUP)):
        yield group
