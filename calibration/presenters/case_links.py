"""From figures to the cases behind them, as queries of the page of cases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from calibration.domain.behind import LISTS, PEOPLE
from calibration.presenters.columns import ALL

if TYPE_CHECKING:
    from collections.abc import Callable

    from calibration.presenters.columns import Column, Payload

DECIDED = "baseline,candidate,tie"
# Where a figure stands in a block: how its pairs, or those it lacks, are found.
OF_FIGURES: dict[str, dict[str, str]] = {
    **{path: {"figure": path} for path in LISTS},
    **{f"stability.{name}": {"figure": "stability.pairs"}
       for name in ("modal_share", "bound", "order_effect")},
    **{f"human.{name}": {"figure": "human.pairs"}
       for name in ("pairwise_agreement", "alpha", "judge_agreement")},
    "length.adjusted_share": {"figure": "length.coefficient"},
    "exact_agreement": {"wrong": "on"},
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
# Lists of what the numerator leaves out, and of all that a figure is of.
OTHERS = {
    "exact_agreement", "stated_agreement", "answered_agreement", "coverage",
    "position.order_accuracy.baseline_first", "position.order_accuracy.candidate_first",
    "by_consensus.unanimous.exact_agreement", "by_consensus.split.exact_agreement",
    "length.similar_agreement", "stability.unchanged",
    "marks.consistency", "marks.agreement",
    *(f"per_class.{name}.{figure}" for name in DECIDED.split(",")
      for figure in ("recall", "precision", "f1")),
    "kappa", "ac1", "balanced_accuracy",
}  # fmt: skip
WHOLE = {
    "length.coefficient", "length.adjusted_share", "human_orders.ipi.instability",
    "preference.judge.net", "preference.gold.net",
    "human.pairwise_agreement", "human.alpha", "human.judge_agreement",
    "stability.modal_share", "stability.bound", "stability.order_effect",
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


@dataclass(frozen=True, slots=True)
class CaseList:
    """A way to ``count`` pairs: its name, and the query of the page that lists them."""

    name: str
    query: str
    count: str


def case_query(split: str, **wanted: str) -> str:
    """The query for some pairs of a column; a report without splits is all open."""
    return urlencode({"split": "open" if split == ALL else split, **wanted})


def case_list(name: str, column: Column, count: int, **wanted: str) -> CaseList:
    """The list of so many pairs of a column; without a query where it is empty."""
    query = case_query(column.key, **wanted) if count else ""
    return CaseList(name, query, f"{count:,}")


def figure_lists(columns: tuple[Column, ...], path: str) -> tuple[CaseList, ...]:
    """The lists of a figure by column; none where it has none, or nothing is in it."""
    wanted = OF_FIGURES.get(path)
    if wanted is None:
        return ()
    counts = [count_of(column.block, path) for column in columns]
    return tuple(
        case_list(column.name, column, count, **wanted)
        for column, count in zip(columns, counts, strict=True)
        if count
    )


def words_of(figure: str, *reviewers: str) -> str:
    """Which pairs the list of a figure holds, in words; "" for no figure."""
    if figure in LISTS:
        return LISTS[figure].words
    if figure not in PEOPLE:
        return ""
    return f"{PEOPLE[figure][0]} {' and '.join(filter(None, reviewers))}"


def found_word(path: str) -> str:
    """What the lists of a figure are, beside it."""
    if path in OTHERS:
        return "others"
    return "of these" if path in WHOLE else "cases"


def count_of(block: Payload, path: str) -> int:
    """How many pairs the list of a figure holds; 0 where an older report can't tell."""
    try:
        return _OF_MORE[path](block) if path in _OF_MORE else counted(block, path)
    except KeyError:
        return 0


def counted(block: Payload, path: str) -> int:
    """A count, or what a share counts or leaves out."""
    found: Any = block
    for key in path.split("."):
        found = found[key]
    if isinstance(found, int):
        return found
    n, count = found["denominator"] or 0, found["numerator"] or 0
    if path in WHOLE:
        return int(n)
    return int(n - count if path in OTHERS else count)


def _sum(*paths: str) -> Callable[[Payload], int]:
    return lambda block: sum(counted(block, path) for path in paths)


# Figures that are no share, and such as count something else than pairs.
_OF_MORE: dict[str, Callable[[Payload], int]] = {
    "kappa": _sum("answered_agreement"),
    "ac1": _sum("answered_agreement"),
    "balanced_accuracy": _sum("exact_agreement"),
    "direction.difference": _sum("false_candidate_wins", "false_baseline_wins"),
    "invalid_call_rate": _sum("pairs_with_invalid_calls"),
    **{f"human.{name}": _sum("human.pairs")
       for name in ("pairwise_agreement", "alpha", "judge_agreement")},
    **{f"stability.{name}": _sum("stability.pairs")
       for name in ("modal_share", "bound", "order_effect")},
    **{f"{key}.difference": _sum(f"{key}.false_wins", f"{key}.false_losses")
       for key in ("formatting", "own_family")},
    **{f"per_class.{name}.f1":
       _sum(f"per_class.{name}.recall", f"per_class.{name}.precision")
       for name in DECIDED.split(",")},
    **{path: _sum(path.replace("invalid_calls", "invalid_pairs"))
       for path in LISTS if path.startswith("invalid_calls.")},
}  # fmt: skip
