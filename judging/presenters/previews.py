"""A draft tried on one pair, before it is saved or frozen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from config.errors import InvalidInput
from judging.domain.findings import Severity
from judging.domain.kinds import asked_to_json
from judging.domain.pointwise import PointwiseSpec
from judging.models import JudgeConfig
from judging.presenters.messages import (
    mark_request_of,
    requests_of,
    rubric_request_of,
)
from judging.presenters.pairs import dev_pairs
from judging.services.configuring import findings_for, quick_findings

if TYPE_CHECKING:
    from annotation.models import GoldSet, Pair
    from judging.domain.findings import Finding
    from judging.domain.kinds import AskedSpec
    from judging.presenters.messages import ShownRequest


@dataclass(frozen=True, slots=True)
class Findings:
    """What the lint says, errors apart from warnings."""

    errors: tuple[Finding, ...]
    warnings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Chosen:
    """The pair that a draft is shown on: the n-th of a set's dev pairs."""

    pair: Pair
    number: int
    pairs: int


@dataclass(frozen=True, slots=True)
class Preview:
    """Every request as it would be sent, and what the lint says.

    A first step's comes before the two orders; a pointwise judge has one for each
    response, or one for an example.
    """

    requests: tuple[ShownRequest, ...]
    findings: Findings
    chosen: Chosen | None


def chosen_pair(gold_set: GoldSet | None, number: int) -> Chosen | None:
    """The n-th dev pair of a set, counted from 1; raises ``InvalidInput`` past it.

    Without a set there is only the built-in example, and so no number but the first.
    """
    if gold_set is None and number != 1:
        raise InvalidInput(
            "pair_number_invalid",
            "number: counts the dev pairs of a set, and no set is named",
            {"field": "number"},
        )
    if gold_set is None:
        return None
    pairs = dev_pairs(gold_set)
    count = pairs.count()
    if not count:
        return None
    if not 1 <= number <= count:
        raise InvalidInput(
            "pair_number_invalid",
            f"number: must be 1 to {count}, the dev pairs of {gold_set.name}",
            {"field": "number"},
        )
    return Chosen(pairs.with_texts()[number - 1], number, count)


def preview_of(spec: AskedSpec, chosen: Chosen | None) -> Preview:
    """Render and lint a judge of either kind that need not be stored."""
    pair = None if chosen is None else chosen.pair
    if isinstance(spec, PointwiseSpec):
        requests = _of_marks(spec, pair)
    else:
        requests = requests_of(spec, pair)
        first = rubric_request_of(spec, None if pair is None else pair.case)
        requests = requests if first is None else (first, *requests)
    return Preview(requests, lint_of(spec), chosen)


def _of_marks(spec: PointwiseSpec, pair: Pair | None) -> tuple[ShownRequest, ...]:
    if pair is None:
        return (mark_request_of(spec, None, "One response"),)
    return (
        mark_request_of(spec, pair.baseline, "Baseline response"),
        mark_request_of(spec, pair.candidate, "Candidate response"),
    )


def lint_of(spec: AskedSpec) -> Findings:
    """Lint a specification as its draft would be, leaving out the held-out cases."""
    return _sorted(quick_findings(JudgeConfig(spec=asked_to_json(spec))))


def sorted_findings(config: JudgeConfig) -> Findings:
    """Lint a draft, errors first. Of a frozen judge its reports name held-out cases."""
    lint = quick_findings if config.frozen_at else findings_for
    return _sorted(lint(config))


def _sorted(found: tuple[Finding, ...]) -> Findings:
    errors = tuple(each for each in found if each.severity is Severity.ERROR)
    warnings = tuple(each for each in found if each.severity is not Severity.ERROR)
    return Findings(errors, warnings)
