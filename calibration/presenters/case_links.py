"""From figures to the cases behind them, as queries of the page of cases."""

from __future__ import annotations

from urllib.parse import urlencode

from calibration.presenters.columns import ALL

DECIDED = "baseline,candidate,tie"
# Where a figure stands in a block: which pairs its errors are.
OF_FIGURES: dict[str, dict[str, str]] = {
    "exact_agreement": {"wrong": "on"},
    "stated_agreement": {"wrong": "on"},
    "answered_agreement": {"wrong": "on", "verdict": DECIDED},
    "kappa": {"wrong": "on", "verdict": DECIDED},
    "ac1": {"wrong": "on", "verdict": DECIDED},
    "balanced_accuracy": {"wrong": "on"},
    "coverage": {"gold": DECIDED, "verdict": "abstain,invalid"},
    "false_candidate_wins": {"gold": "baseline", "verdict": "candidate"},
    "false_baseline_wins": {"gold": "candidate", "verdict": "baseline"},
    "unearned_candidate_wins": {"gold": "baseline,tie", "verdict": "candidate"},
    "wrong_candidate_verdicts": {"gold": "baseline,tie", "verdict": "candidate"},
    "missed_ties": {"gold": "tie", "verdict": "baseline,candidate"},
    "missed_ties_to_candidate": {"gold": "tie", "verdict": "candidate"},
    "missed_ties_to_baseline": {"gold": "tie", "verdict": "baseline"},
    "invented_ties": {"gold": "baseline,candidate", "verdict": "tie"},
    "ties.stated": {"verdict": "tie", "consistency": "consistent"},
    "ties.transition": {"verdict": "tie", "consistency": "tie_transition"},
    "ties.flip": {"verdict": "tie", "consistency": "flip"},
    "missed_abstains": {"gold": "abstain", "verdict": DECIDED},
    "invented_abstains": {"gold": DECIDED, "verdict": "abstain"},
    "gold_abstain.decided": {"gold": "abstain", "verdict": DECIDED},
    "gold_abstain.abstained": {"gold": "abstain", "verdict": "abstain"},
    "gold_abstain.invalid": {"gold": "abstain", "verdict": "invalid"},
    "critical.false_candidate_wins": {
        "gold": "baseline", "verdict": "candidate", "critical": "on",
    },
    "human.unanimous": {"labels": "unanimous"},
    "position.flip_rate": {"consistency": "flip"},
    "position.decisive_flip_rate": {"consistency": "flip"},
    "position.flip": {"consistency": "flip"},
    "position.consistent": {"consistency": "consistent"},
    "position.consistency_rate": {"consistency": "consistent"},
    "position.tie_transition": {"consistency": "tie_transition"},
    "position.tie_transition_rate": {"consistency": "tie_transition"},
    "position.abstain_transition": {"consistency": "abstain_transition"},
    "position.invalid": {"consistency": "invalid"},
    "invalid_rate": {"verdict": "invalid"},
    "invalid_verdicts": {"gold": DECIDED, "verdict": "invalid"},
    "preference.judge.decisive_share": {"verdict": "candidate"},
    "preference.judge.net": {"verdict": DECIDED},
    "preference.gold.decisive_share": {"gold": "candidate"},
    "preference.gold.net": {"gold": DECIDED},
    **{
        f"per_class.{name}.{figure}": query
        for name in DECIDED.split(",")
        for figure, query in (
            ("recall", {"gold": name, "wrong": "on"}),
            ("precision", {"gold": DECIDED, "verdict": name, "wrong": "on"}),
        )
    },
    **{
        f"by_consensus.{how}.{figure}": {"labels": how, **query}
        for how in ("unanimous", "split")
        for figure, query in (
            ("n", {}),
            ("exact_agreement", {"wrong": "on"}),
            ("false_candidate_wins", {"gold": "baseline", "verdict": "candidate"}),
            ("false_baseline_wins", {"gold": "candidate", "verdict": "baseline"}),
            ("flip_rate", {"consistency": "flip"}),
        )
    },
}  # fmt: skip
# The same for the rates of a slice.
OF_SLICES: dict[str, dict[str, str]] = {
    **{
        name: OF_FIGURES[name]
        for name in (
            "exact_agreement", "false_candidate_wins", "false_baseline_wins",
            "invalid_rate",
        )
    },
    "flip_rate": {"consistency": "flip"},
}  # fmt: skip


def case_query(split: str, **wanted: str) -> str:
    """The query for some pairs of a column; a report without splits is all open."""
    return urlencode({"split": "open" if split == ALL else split, **wanted})


def figure_query(split: str, path: str) -> str:
    """The query for the pairs of a figure, or "" where there is no such list."""
    wanted = OF_FIGURES.get(path)
    return case_query(split, **wanted) if wanted else ""
