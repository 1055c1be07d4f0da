"""A list of cases holds as many pairs as the figure that leads to it counts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from calibration.domain.behind import LISTS
from calibration.presenters.case_links import (
    OF_FIGURES,
    OF_SLICES,
    count_of,
    counted,
)
from calibration.services.report_cases import CaseFilter, cases
from tests.calibration.world import Told, make_world

if TYPE_CHECKING:
    from config.accounts.models import User

pytestmark = pytest.mark.django_db
ORDERS = ["BB", "CC", "TT", "BC", "CB", "BT", "AA", "IB", "CA"]
LABELLED = (
    ("B", "BBB"), ("B", "BBC"), ("C", "CCC"), ("C", "CCT"), ("T", "TT"), ("A", "AAB"),
)  # fmt: skip
# Nothing is repeated here, and the lengths do not differ.
NOT_HERE = {f"stability.{name}" for name in ("modal_share", "bound", "order_effect")}


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


@pytest.mark.parametrize("path", sorted(set(OF_FIGURES) - set(LISTS)))
def test_figures(report: Any, lead: User, path: str) -> None:
    block = json.loads(report.payload)["splits"]["dev"]
    expected = count_of(block, path)
    assert listed(report, OF_FIGURES[path], lead) == expected
    assert (expected > 0) is (path not in NOT_HERE)


@pytest.mark.parametrize("path", sorted(OF_SLICES))
def test_slices(report: Any, lead: User, path: str) -> None:
    block = json.loads(report.payload)["splits"]["dev"]["slices"]["language"]["de"]
    expected = counted(block, path)
    assert listed(report, OF_SLICES[path], lead, slice="language=de") == expected > 0
