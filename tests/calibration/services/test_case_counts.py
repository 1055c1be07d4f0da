"""A list of cases holds as many pairs as the figure that leads to it counts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from calibration.presenters.case_links import OF_FIGURES, OF_SLICES
from calibration.services.report_cases import CaseFilter, cases
from tests.calibration.world import Told, make_world

if TYPE_CHECKING:
    from config.accounts.models import User

pytestmark = pytest.mark.django_db
ORDERS = ["BB", "CC", "TT", "BC", "CB", "BT", "AA", "IB", "CA"]
LABELLED = (
    ("B", "BBB"), ("B", "BBC"), ("C", "CCC"), ("C", "CCT"), ("T", "TT"), ("A", "AAB"),
)  # fmt: skip
# Their lists hold what is wrong or unanswered, not what the numerator counts.
OF_THE_REST = {
    "exact_agreement", "answered_agreement", "coverage",
    "by_consensus.unanimous.exact_agreement", "by_consensus.split.exact_agreement",
    *(f"per_class.{n}.{f}" for n in ("baseline", "candidate", "tie")
      for f in ("recall", "precision")),
}  # fmt: skip
# These count over answered pairs, or over stated ties: their lists are what went wrong.
NO_COUNT = {"kappa", "ac1", "balanced_accuracy", "stated_agreement"}
NO_COUNT |= {"preference.judge.net", "preference.gold.net"}


@pytest.fixture
def report() -> Any:
    told = [
        Told("dev", gold, there, back, {"language": "de"}, labels, gold == "B")
        for gold, labels in LABELLED
        for there, back in map(tuple, ORDERS)
    ]
    return make_world(told, name="counts").report()


def listed(report: Any, query: dict[str, str], lead: User, **more: str) -> int:
    asked: dict[str, Any] = {**query, **more}
    for flag in ("wrong", "critical"):
        asked[flag] = asked.get(flag) == "on"
    return cases(report, CaseFilter(split="dev", **asked), lead).count()


def counted(figure: Any, path: str) -> int:
    if isinstance(figure, int):
        return figure
    count, n = figure["numerator"], figure["denominator"]
    return int(n - count if path in OF_THE_REST else count)


def at(block: Any, path: str) -> Any:
    for key in path.split("."):
        block = block[key]
    return block


@pytest.mark.parametrize("path", sorted(set(OF_FIGURES) - NO_COUNT))
def test_figures(report: Any, lead: User, path: str) -> None:
    block = json.loads(report.payload)["splits"]["dev"]
    expected = counted(at(block, path), path)
    assert listed(report, OF_FIGURES[path], lead) == expected > 0


@pytest.mark.parametrize("path", sorted(OF_SLICES))
def test_slices(report: Any, lead: User, path: str) -> None:
    block = json.loads(report.payload)["splits"]["dev"]["slices"]["language"]["de"]
    expected = counted(block[path], path)
    assert listed(report, OF_SLICES[path], lead, slice="language=de") == expected > 0
