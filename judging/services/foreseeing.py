"""The requests of a run before it is started: each as it would be sent."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from django.db.models import Q

from annotation.domain.outcomes import Order
from annotation.models import Case, Response
from judging.domain.verdicts import Invalid
from judging.models import Call, ConfigKind, Reply
from judging.services.askers import asker_of
from judging.services.asking import Asking
from judging.services.reusing import earlier_replies

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from django.db.models import Model, QuerySet

    from annotation.models.cases import PairQuerySet
    from judging.models import JudgeConfig
    from judging.services.asker import Question

    Row = TypeVar("Row", bound=Model)

GROUP = 500
_NOTHING_SENT = 1.0


@dataclass(frozen=True, slots=True)
class Foreseen:
    """A call of a run to come: its request, or why it would not be sent.

    ``answer`` is what an earlier run was answered, if that would be copied.
    """

    call: Call
    question: Question | Invalid
    answer: Reply | None = None

    @property
    def follows(self) -> bool:
        """Whether the answer is known without a request, since a rubric failed."""
        written = self.call.written
        return written is not None and bool(written.invalid_reason)


def foresee(
    config: JudgeConfig, pairs: PairQuerySet, *, reuse: bool
) -> Iterator[Foreseen]:
    """Render every request of a run over some pairs; rubrics come first.

    A verdict whose rubric is still to be written is rendered with a rubric of the
    greatest length that the first step allows.
    """
    asker = asker_of(config, total_timeout=_NOTHING_SENT)
    digest = config.digest if reuse else ""
    written: dict[int, Reply] = {}
    if isinstance(asker, Asking) and asker.step is not None:
        longest = Reply(rubric="-" * asker.step.max_chars)
        cases = Case.objects.filter(pk__in=pairs.values("case_id"))
        calls = (Call(case=case, repeat=1) for case in _some(cases.order_by("pk")))
        for each in _with_answers(asker.prepare, calls, digest):
            assert each.call.case_id is not None  # noqa: S101 - made so above
            if isinstance(each.question, Invalid):
                failed = Reply(invalid_reason=each.question.reason.value)
                written[each.call.case_id] = failed
            else:
                written[each.call.case_id] = each.answer or longest
            yield each
    yield from _with_answers(asker.prepare, _main_calls(config, pairs, written), digest)


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
    prepare: Callable[[Call], Question | Invalid], calls: Iterable[Call], digest: str
) -> Iterator[Foreseen]:
    for group in _groups(calls):
        asked = [(call, prepare(call)) for call in group]
        known = {}
        if digest:
            wanted = [
                (question.request_hash, call.repeat)
                for call, question in asked
                if not isinstance(question, Invalid)
            ]
            known = earlier_replies(digest=digest, wanted=wanted)
        for call, question in asked:
            answer = None
            if not isinstance(question, Invalid):
                answer = known.get((question.request_hash, call.repeat))
            yield Foreseen(call, question, answer)


def _some(rows: QuerySet[Row]) -> Iterator[Row]:
    return rows.iterator(chunk_size=GROUP)


def _groups(calls: Iterable[Call]) -> Iterator[list[Call]]:
    """Cut into lists (``itertools.batched`` came with Python 3.12)."""
    left = iter(calls)
    while group := list(islice(left, GROUP)):
        yield group
