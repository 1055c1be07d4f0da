"""What a check of a sentinel came to once more, from the replies of a bundle."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from calibration.domain.audit.results import evidence_of, runs_behind
from calibration.domain.audit.rows import marks_of
from calibration.domain.audit.watched import POINTWISE
from calibration.domain.point_payloads import (
    About,
    Before,
    marks_body,
    point_payload,
    rerun_rate,
    verdicts_body,
)
from calibration.domain.sentinel_points import Given, Judged, Marked
from calibration.domain.sentinels import CheckKind

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from annotation.domain.estimates import Figure
    from annotation.domain.outcomes import Outcome
    from calibration.domain.audit.material import Material, RunRow
    from calibration.domain.audit.sentinel_material import CheckRow, PointRow
    from judging.domain.marks import ResponseMark
    from judging.domain.terms import JudgeOutcome


@dataclass(slots=True)
class Again:
    """Makes points again; what a run said is worked out once."""

    material: Material
    _verdicts: dict[int, dict[str, JudgeOutcome]] = field(default_factory=dict)
    _marks: dict[int, dict[int, ResponseMark]] = field(default_factory=dict)

    def payload(self, point: PointRow) -> dict[str, Any]:
        """The document that a point has to be."""
        check = point.check
        series, version = check.series, check.series.sentinel.version
        about = About(
            sentinel=series.sentinel.name,
            series=series.number,
            judge={
                "name": series.judge.name,
                "version": series.judge.version,
                "digest": series.judge.digest,
                "rubric_digest": series.rubric_digest,
            },
            gold={
                "set": version.gold_set.name,
                "version": version.version,
                "digest": version.digest,
            },
            step=check.step,
            run=check.run.number,
            served_models=[
                {"model": model, "fingerprint": build, "calls": count}
                for run in runs_behind(self.material, check.run)
                for (model, build), count in sorted(run.served.items())
            ],
        )
        pointwise = series.judge.kind == POINTWISE
        body = self._marked(point) if pointwise else self._judged(point)
        return point_payload(about, body)

    def _judged(self, point: PointRow) -> dict[str, Any]:
        first, reference, parts = self._earlier(point)
        judged = self._pairs(point.check, point.at)
        before = Before(
            tuple(one.payload for one in parts),
            self._said(first.run) if first else None,
            self._said(reference.run) if reference else None,
        )
        earlier = [
            one
            for each in self._same_cycle(point, parts)
            for one in self._pairs(each.check, each.at)
        ]
        rerun = self._rerun(point, judged)
        return verdicts_body(point.check.step, judged, before, earlier, rerun)

    def _marked(self, point: PointRow) -> dict[str, Any]:
        first, reference, parts = self._earlier(point)
        before = Before(
            tuple(one.payload for one in parts),
            self._given(first.run) if first else None,
            self._given(reference.run) if reference else None,
        )
        earlier = [
            one
            for each in self._same_cycle(point, parts)
            for one in self._responses(each.check.run)
        ]
        marked = self._responses(point.check.run)
        return marks_body(point.check.step, marked, before, earlier)

    def _earlier(
        self, point: PointRow
    ) -> tuple[CheckRow | None, CheckRow | None, list[PointRow]]:
        """The series' first reference, the cycle's, and the parts before it."""
        step = point.check.step
        if step.kind is CheckKind.FRESH:
            return None, None, []
        before = self.material.watched.before(point)
        references = [
            one.check for one in before if one.check.step.kind is CheckKind.REFERENCE
        ]
        own = [one for one in references if one.step.cycle == step.cycle]
        is_part = step.kind is CheckKind.PART
        return (
            references[0] if references else None,
            own[-1] if own and is_part else None,
            [one for one in before if one.check.step.kind is CheckKind.PART],
        )

    def _same_cycle(self, point: PointRow, parts: list[PointRow]) -> list[PointRow]:
        step = point.check.step
        if step.kind is not CheckKind.PART:
            return []
        return [one for one in parts if one.check.step.cycle == step.cycle]

    def verdicts(self, run: RunRow) -> dict[str, JudgeOutcome]:
        """What a run came to, by pair."""
        if run.number not in self._verdicts:
            found = evidence_of(self.material, run)
            self._verdicts[run.number] = {
                str(pair): verdict.outcome for pair, (_, verdict) in found.items()
            }
        return self._verdicts[run.number]

    def marks(self, run: RunRow) -> dict[int, ResponseMark]:
        """What a pointwise run came to, by response."""
        if run.number not in self._marks:
            self._marks[run.number] = marks_of(run)
        return self._marks[run.number]

    def _said(self, run: RunRow) -> tuple[int, dict[str, JudgeOutcome]]:
        return run.number, self.verdicts(run)

    def _given(self, run: RunRow) -> tuple[int, dict[str, Given]]:
        marks = self.marks(run)
        return run.number, {
            str(key): Given(mark.state, mark.score) for key, mark in marks.items()
        }

    def _pairs(self, check: CheckRow, at: datetime) -> list[Judged]:
        verdicts = self.verdicts(check.run)
        pairs = [self.material.pairs[number] for number in sorted(map(int, verdicts))]
        return [
            Judged(
                pair=str(pair.number),
                case=pair.case.case_id,
                cluster=pair.case.cluster,
                gold=self._gold(check, pair.number, at),
                verdict=verdicts[str(pair.number)],
            )
            for pair in pairs
        ]

    def _gold(self, check: CheckRow, pair: int, at: datetime) -> Outcome | None:
        """That of the panel's version; of cases beside it, what was ruled last."""
        if check.step.kind is not CheckKind.FRESH:
            return check.series.sentinel.gold.get(pair)
        ruled = [one for one in self.material.rulings.get(pair, ()) if one.at <= at]
        return ruled[-1].outcome if ruled else None

    def _responses(self, run: RunRow) -> list[Marked]:
        marks, places = self.marks(run), run.gold_set.systems
        found = [self.material.responses[number] for number in marks]
        return [
            Marked(
                response=str(one.number),
                system=one.system,
                case=one.case.case_id,
                cluster=one.case.cluster,
                state=marks[one.number].state,
                score=marks[one.number].score,
                passed=marks[one.number].passed,
            )
            for one in sorted(
                found, key=lambda one: (places.index(one.system), one.number)
            )
        ]

    def _rerun(self, point: PointRow, judged: list[Judged]) -> Figure | None:
        runs = [self._newest(point, purpose) for purpose in ("calibration", "noise")]
        usual, again = runs
        if usual is None or again is None:
            return None
        return rerun_rate(judged, self.verdicts(usual), self.verdicts(again))

    def _newest(self, point: PointRow, purpose: str) -> RunRow | None:
        return max(
            self._fitting(point, purpose), key=lambda run: run.number, default=None
        )

    def _fitting(self, point: PointRow, purpose: str) -> Iterator[RunRow]:
        own = point.check.run
        for run in self.material.runs.values():
            done = run.status == "done" and run.finished is not None
            if (
                done and run.purpose == purpose and run.number < own.number
                and run.judge is own.judge and run.gold_set is own.gold_set
                and run.finished is not None and run.finished <= point.at
            ):  # fmt: skip
                yield run
