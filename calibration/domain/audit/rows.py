"""Joining judge and gold of a bundle into the rows that a report is computed from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from annotation.domain.aliases import names_of
from annotation.domain.outcomes import Order, Outcome
from annotation.domain.texts import plain_text, text_from_json
from calibration.domain.beside import FAMILY, FORMAT_SLICE, alone, is_own
from calibration.domain.formats import ResponseFormat, format_of, format_of_pair
from calibration.domain.samples import CallOutcome, Row
from judging.domain.marks import combine_marks
from judging.domain.verdicts import CallReading, CaseVerdict, Invalid, call_outcome

if TYPE_CHECKING:
    from collections.abc import Mapping

    from calibration.domain.audit.material import (
        ItemRow,
        Material,
        PairRow,
        ResponseRow,
        RunRow,
        VersionRow,
    )
    from judging.domain.marks import ResponseMark

Evidence = tuple[tuple[CallReading, ...], CaseVerdict]


@dataclass(frozen=True, slots=True)
class Own:
    """What tells whose family a system is of: the judge's models, and the systems'."""

    models: tuple[str, ...]
    families: Mapping[str, str]


def rows_of(
    material: Material,
    run: RunRow,
    gold: VersionRow,
    evidence: Mapping[int, Evidence],
    own: Own,
    marks: RunRow | None,
) -> list[Row]:
    """Give the pairs of a version that a run judged; raises ``ValueError`` for none."""
    joiner = _Joiner(material, gold, own, marks)
    rows = [
        joiner.row(item, *evidence[item.pair.number])
        for item in material.items[gold.number]
        if item.pair.number in evidence
    ]
    if not rows:
        raise ValueError(f"run {run.number} judged no pair of its gold version")
    return rows


class _Joiner:
    """Makes the rows of one report."""

    def __init__(
        self,
        material: Material,
        gold: VersionRow,
        own: Own,
        marks: RunRow | None,
    ) -> None:
        self.material, self.gold, self.own = material, gold, own
        self.formats: dict[int, ResponseFormat] = {}
        self.scores = {key: each.score for key, each in marks_of(marks).items()}
        self.aliases = names_of(material.draws[gold.gold_set.name])

    def row(
        self, item: ItemRow, calls: tuple[CallReading, ...], verdict: CaseVerdict
    ) -> Row:
        """One pair."""
        pair = item.pair
        forms = self._format(pair.baseline), self._format(pair.candidate)
        slices = {str(key): str(value) for key, value in pair.case.slices.items()}
        said = self._said(pair)
        return Row(
            pair=str(pair.number),
            case=pair.case.case_id,
            cluster=pair.case.cluster,
            systems=pair.systems,
            split=item.split,
            slices={FORMAT_SLICE: format_of_pair(*forms), **slices},
            critical=pair.case.critical,
            gold=item.outcome,
            gold_source=item.source,
            baseline_first=verdict.baseline_first,
            candidate_first=verdict.candidate_first,
            verdict=verdict.outcome,
            consistency=verdict.consistency,
            tie_source=verdict.tie_source,
            calls=tuple(_call(call) for call in calls),
            labels=tuple(Outcome(label) for label in item.labels),
            reviewers={name: outcome for name, (outcome, _) in said.items()},
            reviewer_orders={name: order for name, (_, order) in said.items() if order},
            lengths=(pair.baseline.length, pair.candidate.length),
            by_marks=self._by_marks(pair),
            formatted=alone(*(form is not ResponseFormat.PLAIN for form in forms)),
            own_family=alone(self._own(pair.baseline), self._own(pair.candidate)),
        )

    def _said(self, pair: PairRow) -> dict[str, tuple[Outcome, Order | None]]:
        """Who said what as the version was frozen; the newest of each counts."""
        return {
            self.aliases[label.author]: (
                label.outcome,
                Order(label.order) if label.order else None,
            )
            for label in self.material.labels.get(pair.number, ())
            if label.at <= self.gold.at
        }

    def _format(self, response: ResponseRow) -> ResponseFormat:
        if response.number not in self.formats:
            text = plain_text(text_from_json(response.text))
            self.formats[response.number] = format_of(text)
        return self.formats[response.number]

    def _own(self, response: ResponseRow) -> bool:
        named = response.meta.get(FAMILY) or self.own.families.get(response.system)
        return is_own(named, self.own.models)

    def _by_marks(self, pair: PairRow) -> Outcome | None:
        one = self.scores.get(pair.baseline.number)
        other = self.scores.get(pair.candidate.number)
        if one is None or other is None:
            return None
        if one == other:
            return Outcome.TIE
        return Outcome.BASELINE if one > other else Outcome.CANDIDATE


def marks_of(marks: RunRow | None) -> dict[int, ResponseMark]:
    """Give the mark of each response of a pointwise run, from its repeats."""
    if marks is None:
        return {}
    spec: Any = marks.judge.spec
    return {
        response: combine_marks(readings, rule=spec.repeat_rule, repeats=spec.repeats)
        for response, readings in marks.marks.items()
    }


def _call(call: CallReading) -> CallOutcome:
    reading = call.reading
    return CallOutcome(
        order=call.order,
        repeat=call.repeat,
        outcome=call_outcome(call),
        choice=None if isinstance(reading, Invalid) else reading.choice,
        reason=reading.reason if isinstance(reading, Invalid) else None,
    )
