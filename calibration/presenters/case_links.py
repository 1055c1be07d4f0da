"""From figures to the cases behind them, as queries of the page of cases."""

from __future__ import annotations

from urllib.parse import urlencode

from calibration.presenters.columns import ALL

# Where a figure stands in a block: which pairs its errors are.
OF_FIGURES: dict[str, dict[str, str]] = {
    "exact_agreement": {"wrong": "on"},
    "false_candidate_wins": {"gold": "baseline", "verdict": "candidate"},
    "false_baseline_wins": {"gold": "candidate", "verdict": "baseline"},
    "missed_ties_to_candidate": {"gold": "tie", "verdict": "candidate"},
    "missed_ties_to_baseline": {"gold": "tie", "verdict": "baseline"},
    "critical.false_candidate_wins": {
        "gold": "baseline", "verdict": "candidate", "critical": "on",
    },
    "position.flip_rate": {"consistency": "flip"},
    "position.flip": {"consistency": "flip"},
    "position.consistent": {"consistency": "consistent"},
    "position.tie_transition": {"consistency": "tie_transition"},
    "position.tie_transition_rate": {"consistency": "tie_transition"},
    "position.abstain_transition": {"consistency": "abstain_transition"},
    "position.invalid": {"consistency": "invalid"},
    "invalid_rate": {"verdict": "invalid"},
}  # fmt: skip


def case_query(split: str, **wanted: str) -> str:
    """The query for some pairs of a column; a report without splits is all open."""
    return urlencode({"split": "open" if split == ALL else split, **wanted})


def figure_query(split: str, path: str) -> str:
    """The query for the pairs of a figure, or "" where there is no such list."""
    wanted = OF_FIGURES.get(path)
    return case_query(split, **wanted) if wanted else ""
