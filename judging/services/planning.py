"""Which calls a run consists of: verdicts on pairs, marks of responses, rubrics."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from annotation.domain.outcomes import Order
from judging.models import Call, ConfigKind, Run

if TYPE_CHECKING:
    from collections.abc import Iterable

    from annotation.models.cases import PairQuerySet
    from judging.models import JudgeConfig


def writes_rubrics(config: JudgeConfig) -> bool:
    """Whether a judge has a first step that writes a rubric for each case."""
    return config.kind == ConfigKind.PAIRWISE and bool(config.spec.get("rubric_step"))


def calls_for(run: Run, pairs: PairQuerySet) -> list[Call]:
    """Every call of a new run over some pairs of its set, not stored yet.

    Rubrics come first: verdicts wait for them.
    """
    repeats = range(1, run.config.repeats + 1)
    if run.config.kind == ConfigKind.POINTWISE:
        wanted = product(responses_of(pairs), repeats)
        return [Call(run=run, response_id=pk, repeat=repeat) for pk, repeat in wanted]
    calls = []
    if run.rubric_step:
        calls = [Call(run=run, case_id=pk, repeat=1) for pk in cases_of(pairs)]
    ids = pairs.in_order().values_list("pk", flat=True)
    calls += [
        Call(run=run, pair_id=pk, order=order.value, repeat=repeat)
        for pk, order, repeat in product(ids, Order, repeats)
    ]
    return calls


def responses_of(pairs: PairQuerySet) -> list[int]:
    """Each response of some pairs once, in the set's own order."""
    rows = pairs.in_order().values_list("baseline_id", "candidate_id")
    return _once(pk for row in rows for pk in row)


def cases_of(pairs: PairQuerySet) -> list[int]:
    """Each case of some pairs once, in the set's own order."""
    return _once(pairs.in_order().values_list("case_id", flat=True))


def _once(ids: Iterable[int]) -> list[int]:
    return list(dict.fromkeys(ids))
