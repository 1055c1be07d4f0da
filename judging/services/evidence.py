"""A finished run as case verdicts: the one way in which stored replies are read."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from annotation.domain.outcomes import Order, SlotChoice
from config.errors import Conflict
from judging.domain.panels import panel_verdict
from judging.domain.terms import CombiningRule, InvalidReason, RepeatRule
from judging.domain.verdicts import (
    CallReading,
    CaseVerdict,
    Invalid,
    Reading,
    Strength,
    Verdict,
    combine,
)
from judging.models import ConfigKind
from judging.services import worklist
from judging.services.controlling import how_to_go_on
from judging.services.panels import (
    by_pair,
    is_panel,
    order_calls,
    panel_spec_of,
    runs_behind,
)
from judging.services.served import served_by

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from judging.domain.panels import PanelSpec
    from judging.domain.terms import JudgeOutcome
    from judging.models import JudgeConfig, Run


@dataclass(frozen=True, slots=True)
class PairEvidence:
    """The calls of one pair and what they came to together."""

    calls: tuple[CallReading, ...]
    verdict: CaseVerdict


def reading_of_row(row: Mapping[str, object]) -> Reading:
    """The reading that a stored reply holds."""
    reason = str(row["reply__invalid_reason"])
    if reason:
        return Invalid(InvalidReason(reason), str(row["reply__detail"]))
    strength = cast("Strength | None", row["reply__strength"])
    return Verdict(SlotChoice(str(row["reply__choice"])), strength)


def pair_evidence(run: Run) -> dict[int, PairEvidence]:
    """Every pair of a complete run; raises ``Conflict`` while calls are missing.

    And for a pointwise run, which has marks: see ``judging.services.marks``.
    """
    if is_panel(run):
        return _panel_evidence(run)
    if run.config.kind == ConfigKind.POINTWISE:
        raise Conflict(
            "run_pointwise", f"Run {run.pk} marks single responses; it has no verdicts."
        )
    missing = worklist.unanswered(run.pk)
    if missing:
        raise Conflict(
            "run_incomplete",
            f"Run {run.pk} still lacks {missing} calls. {how_to_go_on(run)}",
        )
    return {
        pair_id: PairEvidence(calls, verdict_of(run.config, calls))
        for pair_id, calls in _calls(run)
    }


def _panel_evidence(run: Run) -> dict[int, PairEvidence]:
    """The panel's vote on every pair that all its members have judged."""
    spec = panel_spec_of(run.config)
    seats = by_pair(
        [
            {
                pair_id: (each.verdict.baseline_first, each.verdict.candidate_first)
                for pair_id, each in pair_evidence(member).items()
            }
            for member in runs_behind(run)
        ]
    )
    return {pair_id: _voted(seats[pair_id], spec) for pair_id in sorted(seats)}


def _voted(
    outcomes: list[tuple[JudgeOutcome, JudgeOutcome]], spec: PanelSpec
) -> PairEvidence:
    found = panel_verdict(outcomes, spec=spec)
    votes = {
        Order.BASELINE_FIRST: found.baseline_first,
        Order.CANDIDATE_FIRST: found.candidate_first,
    }
    return PairEvidence(order_calls(votes), found.verdict)


def verdict_of(config: JudgeConfig, calls: tuple[CallReading, ...]) -> CaseVerdict:
    """Combine calls by the rules frozen in a config."""
    return combine(
        calls,
        rule=CombiningRule(config.combining_rule),
        repeat_rule=RepeatRule(config.repeat_rule),
        repeats=config.repeats,
    )


def _calls(run: Run) -> Iterator[tuple[int, tuple[CallReading, ...]]]:
    found: dict[int, list[CallReading]] = defaultdict(list)
    rows = (
        run.calls.verdicts()
        .order_by("pair_id", "order", "repeat")
        .values(
            "pair_id",
            "order",
            "repeat",
            "reply__choice",
            "reply__strength",
            "reply__invalid_reason",
            "reply__detail",
        )
    )
    for row in rows.iterator(chunk_size=5000):
        found[row["pair_id"]].append(
            CallReading(Order(row["order"]), row["repeat"], reading_of_row(row))
        )
    for pair_id, calls in found.items():
        yield pair_id, tuple(calls)


def served_models(run: Run) -> list[dict[str, object]]:
    """Which models and fingerprints answered, and how often."""
    return [
        {"model": each.model, "fingerprint": each.fingerprint, "calls": each.calls}
        for behind in runs_behind(run)
        for each in served_by(behind)
    ]
