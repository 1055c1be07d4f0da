"""Rows for tests, written as letters: B, C, T, A, I, and U for no gold."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from annotation.domain.outcomes import Order, Outcome, choice_for
from calibration.domain.blocks import block, calibrate
from calibration.domain.parts import Part
from calibration.domain.samples import CallOutcome, Row, Sample
from judging.domain.terms import InvalidReason, JudgeOutcome, TieSource
from judging.domain.verdicts import consistency_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from calibration.domain.blocks import Calibration
    from calibration.domain.results import Block

JUDGED = dict(zip("BCTAI", JudgeOutcome, strict=True))
GOLD: dict[str, Outcome | None] = {**dict(zip("BCTA", Outcome, strict=True)), "U": None}
SYSTEMS = ("old", "new")


def call(outcome: str, order: Order, repeat: int = 1) -> CallOutcome:
    """One call that came to a lettered outcome."""
    if outcome == "I":
        return CallOutcome(order, repeat, JUDGED["I"], reason=InvalidReason.UNPARSED)
    choice = choice_for(Outcome(JUDGED[outcome].value), order)
    return CallOutcome(order, repeat, JUDGED[outcome], choice)


def verdict_of(there: str, back: str) -> str:
    """agree_else_tie, by hand."""
    if "I" in there + back:
        return "I"
    if "A" in there + back:
        return "A"
    return there if there == back else "T"


def row(gold: str, there: str, back: str | None = None, **changes: object) -> Row:
    """A pair whose orders said ``there`` (baseline first) and ``back``."""
    back = there if back is None else back
    verdict = verdict_of(there, back)
    consistency = consistency_of(JUDGED[there], JUDGED[back])
    sources = {
        "consistent": TieSource.STATED,
        "flip": TieSource.FLIP,
        "tie_transition": TieSource.TRANSITION,
    }
    fields: dict[str, Any] = {
        "pair": "p",
        "case": "c",
        "systems": SYSTEMS,
        "split": None,
        "slices": {},
        "critical": False,
        "gold": GOLD[gold],
        "gold_source": "consensus",
        "baseline_first": JUDGED[there],
        "candidate_first": JUDGED[back],
        "verdict": JUDGED[verdict],
        "consistency": consistency,
        "tie_source": sources[consistency] if verdict == "T" else None,
        "calls": (
            call(there, Order.BASELINE_FIRST),
            call(back, Order.CANDIDATE_FIRST),
        ),
    }
    fields |= changes
    fields.setdefault("cluster", fields["case"])
    return Row(**fields)


def rows(triples: Iterable[str | tuple[str, ...]], **changes: object) -> list[Row]:
    """One pair a case from (gold, there[, back]) letters."""
    return [
        row(*letters, pair=f"p{i}", case=f"c{i}", **changes)  # type: ignore[arg-type]
        for i, letters in enumerate(triples)
    ]


def sample(triples: Iterable[str | tuple[str, ...]], **changes: object) -> Sample:
    return Sample.build(rows(triples, **changes), SYSTEMS)


def tournament(names: str, said: dict[str, tuple[str, str]], case: str) -> list[Row]:
    """All pairs of one case: ``said["ab"]`` are the letters of both orders."""
    return [
        row("U", *said[a + b], pair=f"{case}-{a}{b}", case=case, systems=(a, b))
        for a, b in combinations(names, 2)
    ]


def part_of(built: Sample, level: float = 0.95) -> Part:
    return Part.of(built, np.random.default_rng(1), level)


def block_of(built: Sample, level: float = 0.95) -> Block:
    return block(part_of(built, level))


def calibration_of(built: Sample, level: float = 0.95) -> Calibration:
    return calibrate(built, np.random.default_rng(1), level)
