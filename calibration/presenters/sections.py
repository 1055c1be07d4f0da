"""The figures of a report, section by section, each split in a column."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from calibration.presenters.figures import (
    estimate_text,
    exact_test_text,
    number_text,
    points_text,
)

if TYPE_CHECKING:
    from calibration.presenters.columns import Column, Payload


@dataclass(frozen=True, slots=True)
class Cell:
    """A figure as shown: its value, then n, interval and method."""

    value: str
    detail: str = ""
    undefined: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """One figure across the columns, with what it is a share of."""

    label: str
    about: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A table of figures under a heading."""

    anchor: str
    title: str
    about: str
    lines: tuple[Line, ...]


Draw = Callable[[Any], Cell]
Spec = tuple[str, str, Draw, str]


def cell_of(text: str) -> Cell:
    """Split "34.1 % (46 of 135; ...)" into the figure and what stands behind it."""
    value, _, rest = text.partition(" (")
    return Cell(value, rest.removesuffix(")"), value.endswith("n/a"))


def share(figure: Any) -> Cell:
    """A share in percent."""
    return cell_of(estimate_text(figure))


def number(figure: Any) -> Cell:
    """A figure that is no share."""
    return cell_of(number_text(figure))


def points(figure: Any) -> Cell:
    """A difference of shares."""
    return cell_of(points_text(figure))


def p_value(test: Any) -> Cell:
    """An exact test."""
    return cell_of(exact_test_text(test))


def count(value: Any) -> Cell:
    """A plain count."""
    return Cell(f"{value:,}")


def sections_of(columns: tuple[Column, ...]) -> tuple[Section, ...]:
    """All sections in the order of METHODS 4: what matters first."""
    blocks = [column.block for column in columns]
    found = []
    for anchor, title, about, specs in SECTIONS:
        lines = [_line(spec, blocks) for spec in specs]
        if anchor == "invalid":
            lines += _reasons(blocks)
        found.append(Section(anchor, title, about, tuple(lines)))
    return tuple(found)


def _line(spec: Spec, blocks: list[Payload]) -> Line:
    label, about, draw, path = spec
    return Line(label, about, tuple(draw(_at(block, path)) for block in blocks))


def _at(block: Payload, path: str) -> Any:
    found: Any = block
    for key in path.split("."):
        found = found[key]
    return found


def _reasons(blocks: list[Payload]) -> list[Line]:
    """Calls by reason; reasons that never occurred share one line."""
    reasons = list(blocks[0]["invalid_calls"]) if blocks else []
    occurred = [r for r in reasons if any(b["invalid_calls"][r] for b in blocks)]
    never = [_words(reason) for reason in reasons if reason not in occurred]
    lines = [
        Line(_words(r), "calls", tuple(count(b["invalid_calls"][r]) for b in blocks))
        for r in occurred
    ]
    if never:
        zeros = tuple(Cell("0") for _ in blocks)
        lines.append(Line("other reasons", f"calls: {', '.join(never)}", zeros))
    return lines


def _words(reason: str) -> str:
    return reason.replace("_", " ")


SECTIONS: tuple[tuple[str, str, str, tuple[Spec, ...]], ...] = (
    (
        "agreement",
        "Agreement",
        "A judge's abstain or invalid counts as not agreeing. Pairs without gold, and "
        "pairs that reviewers abstained on, are left out.",
        (
            ("Exact agreement", "verdict = gold", share, "exact_agreement"),
            (
                "… counting stated ties only",
                "a tie counts if both orders said tie",
                share,
                "stated_agreement",
            ),
            ("Coverage", "judge gave a verdict", share, "coverage"),
            (
                "Agreement when it answers",
                "secondary: leaves out what it did not answer",
                share,
                "answered_agreement",
            ),
            ("Kappa", "agreement beyond chance, answered pairs", number, "kappa"),
            (
                "Balanced accuracy",
                "mean recall of the gold classes present",
                share,
                "balanced_accuracy",
            ),
        ),
    ),
    (
        "reviewers",
        "Reviewers",
        "Over pairs with two or more labels: how far people agree among themselves is "
        "the ceiling for any judge.",
        (
            ("Pairs with two or more labels", "", count, "human.pairs"),
            (
                "Reviewers with each other",
                "pairwise",
                share,
                "human.pairwise_agreement",
            ),
            ("Judge with a reviewer", "mean share", share, "human.judge_agreement"),
            ("Unanimous pairs", "", share, "human.unanimous"),
            ("Krippendorff's alpha", "nominal", number, "human.alpha"),
        ),
    ),
    (
        "errors",
        "Errors",
        "Wins that reviewers did not give.",
        (
            (
                "False candidate wins",
                "of gold baseline",
                share,
                "false_candidate_wins",
            ),
            ("False baseline wins", "of gold candidate", share, "false_baseline_wins"),
            (
                "Unearned candidate wins",
                "of gold baseline and tie",
                share,
                "unearned_candidate_wins",
            ),
            (
                "Wrong candidate verdicts",
                "of candidate verdicts",
                share,
                "wrong_candidate_verdicts",
            ),
            (
                "Direction of errors",
                "false candidate less false baseline wins; above 0 favours the "
                "candidate",
                points,
                "direction.difference",
            ),
            ("… test", "are the two rates equal?", p_value, "direction.test"),
            (
                "Critical pairs: false candidate wins",
                "of gold baseline among critical pairs",
                share,
                "critical.false_candidate_wins",
            ),
        ),
    ),
    (
        "classes",
        "By gold outcome",
        "Recall is of the gold row, precision of the judge's column.",
        tuple(
            (f"{outcome.capitalize()}: {name}", "", share, f"per_class.{outcome}.{name}")
            for outcome in ("baseline", "candidate", "tie")
            for name in ("recall", "precision", "f1")
        ),
    ),
    (
        "ties",
        "Ties and abstains",
        "A tie verdict is stated by both orders, or comes from orders that disagree.",
        (
            ("Missed ties", "of gold ties", share, "missed_ties"),
            ("… called candidate", "", share, "missed_ties_to_candidate"),
            ("… called baseline", "", share, "missed_ties_to_baseline"),
            (
                "Invented ties",
                "of gold baseline and candidate",
                share,
                "invented_ties",
            ),
            ("Tie verdicts: stated", "all pairs", count, "ties.stated"),
            ("… from a tie in one order", "all pairs", count, "ties.transition"),
            ("… from a flip", "all pairs", count, "ties.flip"),
            ("Missed abstains", "of gold abstains", share, "missed_abstains"),
            (
                "Invented abstains",
                "of gold baseline, candidate and tie",
                share,
                "invented_abstains",
            ),
        ),
    ),
    (
        "invalid",
        "Invalid by reason",
        "A reply that gave no outcome. Never a tie, never dropped.",
        (
            ("Invalid pairs", "of all pairs", share, "invalid_rate"),
            ("Invalid among scored pairs", "", share, "invalid_verdicts"),
            ("Invalid calls", "of all calls", share, "invalid_call_rate"),
        ),
    ),
    (
        "position",
        "Position",
        "Each pair was judged in both orders. Needs no gold.",
        (
            ("Consistent pairs", "same outcome in both", count, "position.consistent"),
            ("Flips", "opposite winners", count, "position.flip"),
            ("Tie transitions", "", count, "position.tie_transition"),
            ("Abstain transitions", "", count, "position.abstain_transition"),
            ("Invalid pairs", "", count, "position.invalid"),
            (
                "Flip rate",
                "of pairs usable in both orders",
                share,
                "position.flip_rate",
            ),
            (
                "Flips among decisive",
                "of pairs decisive in both orders",
                share,
                "position.decisive_flip_rate",
            ),
            ("Consistency", "of valid pairs", share, "position.consistency_rate"),
            ("First-slot flips", "", count, "position.first_slot_flips"),
            ("Second-slot flips", "", count, "position.second_slot_flips"),
            ("… test", "are the two equally likely?", p_value, "position.slot_test"),
            (
                "First slot chosen",
                "of decisive calls",
                share,
                "position.first_slot_choices",
            ),
            (
                "Agreement, baseline first",
                "that order alone",
                share,
                "position.order_accuracy.baseline_first",
            ),
            (
                "Agreement, candidate first",
                "that order alone",
                share,
                "position.order_accuracy.candidate_first",
            ),
            (
                "Pairs asked unequally often",
                "design check",
                count,
                "position.slot_balance.unequal_pairs",
            ),
            (
                "Repeat instability",
                "two calls of one order differ",
                share,
                "position.repeat_instability",
            ),
        ),
    ),
    (
        "preference",
        "Preference",
        "Which system wins, by the judge and by gold. A tie is no evidence of equality.",
        tuple(
            (label.format(who), about, draw, f"preference.{who}.{path}")
            for who in ("judge", "gold")
            for label, about, draw, path in (
                (
                    "Candidate's share of wins, {}",
                    "of decisive outcomes",
                    share,
                    "decisive_share",
                ),
                ("… test", "are wins equally likely?", p_value, "sign_test"),
                ("Net preference, {}", "(wins - losses) of all", points, "net"),
            )
        ),
    ),
    (
        "coherence",
        "Coherence",
        "Contradictions between the pairs of one case, as means over complete cases.",
        (
            ("Complete cases", "", count, "coherence.cases"),
            ("Incomplete cases", "left out", count, "coherence.incomplete"),
            ("IPI", "share of pairs whose orders disagree", number, "coherence.ipi"),
            ("TOV", "answers to change for one ranking", number, "coherence.tov"),
            ("Excess", "TOV beyond order flips", number, "coherence.excess"),
        ),
    ),
)
