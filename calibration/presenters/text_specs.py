"""Which figures the text report shows, and how each is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from calibration.presenters.base_rates import of_gold, of_judge
from calibration.presenters.figures import (
    compact_number,
    compact_text,
    p_text,
    points_text,
    signed_points,
)

Payload = Mapping[str, Any]
Cell = Callable[[Payload], str]
Row = tuple[str, Cell]
_COLUMN = 34


def _share(*path: str) -> Cell:
    return lambda block: _short(compact_text(_at(block, path)))


def _count(*path: str) -> Cell:
    return lambda block: f"{_at(block, path):,}"


def _number(*path: str) -> Cell:
    return lambda block: _short(compact_number(_at(block, path)))


def _short(text: str) -> str:
    """Leave the end of a long reason to the page: a column holds 34 characters."""
    if len(text) < _COLUMN or not text.startswith("n/a ("):
        return text
    head, colon, _ = text.partition(": ")
    return f"{head})" if colon else "n/a"


def _p_value(*path: str) -> Cell:
    return lambda block: p_text(_at(block, path)["p_value"])


def _at(block: Payload, path: tuple[str, ...]) -> Any:
    found: Any = block
    for key in path:
        found = found[key]
    return found


def _gap(block: Payload) -> str:
    text = points_text(block["direction"]["difference"])
    return text.split(" (")[0] if text[0] in "+-" else text


def _gap_limits(block: Payload) -> str:
    gap = block["direction"]["difference"]
    if gap["low"] is None:
        return "-"
    return f"{signed_points(gap['low'])} to {signed_points(gap['high'])} points"


SECTIONS: tuple[tuple[str, tuple[Row, ...]], ...] = (
    (
        "Agreement",
        (
            ("pairs", _count("n")),
            ("without gold (left out)", _count("no_gold")),
            ("exact agreement", _share("exact_agreement")),
            ("with stated ties only", _share("stated_agreement")),
            ("coverage", _share("coverage")),
            ("agreement when it answers", _share("answered_agreement")),
            ("kappa", _number("kappa")),
            ("  gold: base./cand./tie", lambda b: of_gold(b["confusion"]).value),
            ("  verdicts: the same", lambda b: of_judge(b["confusion"]).value),
            ("Gwet's AC1", _number("ac1")),
            ("balanced accuracy", _share("balanced_accuracy")),
            ("reviewers: pairwise", _share("human", "pairwise_agreement")),
            ("reviewers: alpha", _number("human", "alpha")),
            ("judge with reviewers", _share("human", "judge_agreement")),
            *(
                (f"  {key}: {label}", _share("by_consensus", key, field))
                for key in ("unanimous", "split")
                for label, field in (
                    ("agreement", "exact_agreement"),
                    ("false cand.", "false_candidate_wins"),
                    ("false base.", "false_baseline_wins"),
                    ("flips", "flip_rate"),
                )
            ),
        ),
    ),
    (
        "Errors",
        (
            ("false candidate wins", _share("false_candidate_wins")),
            ("false baseline wins", _share("false_baseline_wins")),
            ("unearned candidate wins", _share("unearned_candidate_wins")),
            ("wrong candidate verdicts", _share("wrong_candidate_verdicts")),
            ("direction of errors", _gap),
            ("  interval", _gap_limits),
            ("  Fisher exact", _p_value("direction", "test")),
            ("critical: false cand. wins", _share("critical", "false_candidate_wins")),
        ),
    ),
    (
        "Ties and abstains",
        (
            ("missed ties", _share("missed_ties")),
            ("  called candidate", _share("missed_ties_to_candidate")),
            ("  called baseline", _share("missed_ties_to_baseline")),
            ("invented ties", _share("invented_ties")),
            ("tie verdicts: stated", _count("ties", "stated")),
            ("  from tie transitions", _count("ties", "transition")),
            ("  from flips", _count("ties", "flip")),
            ("missed abstains", _share("missed_abstains")),
            ("invented abstains", _share("invented_abstains")),
        ),
    ),
    (
        "Position",
        (
            ("consistent pairs", _count("position", "consistent")),
            ("flips", _count("position", "flip")),
            ("tie transitions", _count("position", "tie_transition")),
            ("abstain transitions", _count("position", "abstain_transition")),
            ("invalid pairs", _count("position", "invalid")),
            ("flip rate", _share("position", "flip_rate")),
            ("consistency rate", _share("position", "consistency_rate")),
            ("first-slot flips", _count("position", "first_slot_flips")),
            ("second-slot flips", _count("position", "second_slot_flips")),
            ("  sign test", _p_value("position", "slot_test")),
            ("first slot, decisive calls", _share("position", "first_slot_choices")),
        ),
    ),
    (
        "Stability (repeats)",
        (
            ("repeated pairs", _count("stability", "pairs")),
            ("most frequent answer", _share("stability", "modal_share")),
            ("pairs that never changed", _share("stability", "unchanged")),
            ("bound of instability", _share("stability", "bound")),
            ("order beyond repetition", _number("stability", "order_effect")),
        ),
    ),
    (
        "Length (pairs whose lengths differ)",
        (
            ("longer wins, judge", _share("length", "judge_longer")),
            ("longer wins, gold", _share("length", "gold_longer")),
            ("longer wins on gold ties", _share("length", "ties_longer")),
            ("  sign test", _p_value("length", "ties_test")),
            ("longer among wrong verdicts", _share("length", "wrong_longer")),
            ("  sign test", _p_value("length", "wrong_test")),
            ("length beyond gold (logit)", _number("length", "coefficient")),
            ("candidate at equal length", _share("length", "adjusted_share")),
            ("pairs of similar length", _share("length", "similar_pairs")),
            ("  agreement on these", _share("length", "similar_agreement")),
        ),
    ),
    *(
        (
            f"Leaning: {title}",
            (
                ("pairs with it on one side", _count(key, "pairs")),
                ("wins, judge", _share(key, "judge_wins")),
                ("wins, gold", _share(key, "gold_wins")),
                ("wins on gold ties", _share(key, "ties_wins")),
                ("direction of errors", _number(key, "difference")),
                ("  Fisher exact", _p_value(key, "test")),
            ),
        )
        for key, title in (
            ("formatting", "lists, code, markdown"),
            ("own_family", "the judge's own family"),
        )
    ),
    (
        "Marks and verdicts",
        (
            ("pairs with both", _count("marks", "pairs")),
            ("marks and verdict agree", _share("marks", "consistency")),
            ("marks agree with gold", _share("marks", "agreement")),
        ),
    ),
    (
        "Preference of the judge",
        (
            (
                "decisive share, candidate",
                _share("preference", "judge", "decisive_share"),
            ),
            ("  sign test", _p_value("preference", "judge", "sign_test")),
            ("net", _number("preference", "judge", "net")),
        ),
    ),
    (
        "Coherence",
        (
            ("complete cases", _count("coherence", "cases")),
            ("incomplete cases", _count("coherence", "incomplete")),
            ("IPI", _number("coherence", "ipi")),
            ("TOV", _number("coherence", "tov")),
            ("excess after order flips", _number("coherence", "excess")),
            ("human IPI", _number("human_orders", "ipi", "instability")),
            ("  same order", _number("human_orders", "ipi", "same_order_disagreement")),
            ("people: complete cases", _count("human_orders", "coherence", "cases")),
            ("  TOV, leading labels", _number("human_orders", "coherence", "tov")),
        ),
    ),
)
