"""The fixture gold set as the demo reads it from fixtures/demo."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from django.conf import settings

from annotation.domain.outcomes import Outcome
from annotation.domain.rulings import RulingCategory

FOLDER = Path(settings.BASE_DIR) / "fixtures" / "demo"


@dataclass(frozen=True, slots=True)
class FixtureLabel:
    """What a simulated reviewer says of a case."""

    outcome: Outcome
    strength: int | None
    note: str
    seconds: float
    confidence: int | None = None
    abstain_reason: str = ""


@dataclass(frozen=True, slots=True)
class FixtureRuling:
    """What a simulated adjudicator rules on a case."""

    case_id: str
    adjudicator: str
    outcome: Outcome
    category: RulingCategory
    note: str


class Fixture:
    """The files of fixtures/demo, read when first asked for."""

    @cached_property
    def gold_set(self) -> dict[str, Any]:
        """Name, systems, guideline and rubric."""
        return self._json("gold_set.json")

    @cached_property
    def pairs(self) -> bytes:
        """The pairs file as it is imported."""
        return (FOLDER / "pairs.jsonl").read_bytes()

    @cached_property
    def release(self) -> dict[str, Any]:
        """Products and topics that the cases of the release are made of."""
        return self._json("release.json")

    @cached_property
    def reviewers(self) -> list[dict[str, str]]:
        """The simulated reviewers."""
        found: list[dict[str, str]] = self._json("labels.json")["reviewers"]
        return found

    @cached_property
    def adjudicators(self) -> list[dict[str, str]]:
        """The simulated adjudicators."""
        found: list[dict[str, str]] = self._json("adjudications.json")["adjudicators"]
        return found

    @cached_property
    def labels(self) -> dict[tuple[str, str], FixtureLabel]:
        """(reviewer, case id) to what they say."""
        return {
            (row["reviewer"], row["case_id"]): FixtureLabel(
                outcome=Outcome(row["outcome"]),
                strength=row.get("strength"),
                note=row.get("note") or "",
                seconds=float(row["seconds"]),
                confidence=row.get("confidence"),
                abstain_reason=row.get("abstain_reason", ""),
            )
            for row in self._json("labels.json")["labels"]
        }

    @cached_property
    def rulings(self) -> list[FixtureRuling]:
        """The rulings on cases that the labels leave open."""
        return [
            FixtureRuling(
                case_id=row["case_id"],
                adjudicator=row["adjudicator"],
                outcome=Outcome(row["outcome"]),
                category=RulingCategory(row["category"]),
                note=row["note"],
            )
            for row in self._json("adjudications.json")["adjudications"]
        ]

    @cached_property
    def unlabelled(self) -> frozenset[str]:
        """Cases that nobody has labelled yet: for whoever tries the demo."""
        return frozenset(self.gold_set["unlabelled"])

    @cached_property
    def outcomes(self) -> dict[str, Outcome]:
        """Case id to the outcome that its labels or its ruling come to."""
        votes: defaultdict[str, list[Outcome]] = defaultdict(list)
        for (_, case_id), label in self.labels.items():
            votes[case_id].append(label.outcome)
        settled = {
            case_id: outcome
            for case_id, said in votes.items()
            for outcome in set(said)
            if 2 * said.count(outcome) > len(said)
        }
        return settled | {ruling.case_id: ruling.outcome for ruling in self.rulings}

    def _json(self, name: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((FOLDER / name).read_text("utf-8"))
        return found
