"""What a release decision takes from a report: the counts of its held-out block."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from calibration.domain.gates import RATES

if TYPE_CHECKING:
    from collections.abc import Mapping

    Block = Mapping[str, Any]


def counts_json(block: Block, *, sealed: bool) -> dict[str, Any]:
    """Give the pairs, and unless they are sealed the rates and the confusion.

    ``block`` is that of the held-out pairs, as the report JSON has it.
    """
    return {
        "n": block["n"],
        "rates": None if sealed else _rates(block),
        "confusion": None if sealed else block["confusion"],
        "effect": None if sealed else _count(block["exact_agreement"])["effect"],
    }


def _rates(block: Block) -> dict[str, Any]:
    found = {}
    for name, (path, _) in RATES.items():
        figure: Any = block
        for key in path.split("."):
            figure = figure[key]
        found[name] = _count(figure)
    return found


def _count(figure: Block) -> dict[str, Any]:
    return {
        "hits": figure["numerator"] or 0,
        "cases": figure["denominator"] or 0,
        "effect": figure.get("design_effect") or 1.0,
    }
