"""Judges side by side, and two reports, as pages show them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from calibration.presenters.cells import Cell, number, points, share
from calibration.presenters.columns import DEV, HELD_OUT, NAMES, Column
from calibration.presenters.figures import count_text, p_text, rounded
from calibration.presenters.forest import Forest, forest_of_figures
from calibration.presenters.sections import Line, Section, sections_of
from judging.presenters.judges import label_of, shown_value

if TYPE_CHECKING:
    from calibration.presenters.columns import Payload
    from calibration.services.report_comparison import ReportComparison

LISTED = 50
HEADS = (
    "Exact agreement",
    "False candidate wins",
    "Flips",
    "IPI",
    "Most frequent answer of repeats",
    "Invalid",
)
FIGURES = {
    "exact_agreement": "Exact agreement",
    "coverage": "Coverage",
    "false_candidate_wins": "False candidate wins",
    "false_baseline_wins": "False baseline wins",
    "missed_ties": "Missed ties",
    "invented_ties": "Invented ties",
    "position.flip_rate": "Flips when slots swap",
    "invalid_rate": "Invalid pairs",
}
SECTIONS = ("agreement", "errors", "ties", "position", "stability", "coherence")


@dataclass(frozen=True, slots=True)
class Difference:
    """One part of the specification in which two judges differ."""

    label: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class VersusRow:
    """Two judges on the same pairs, in words and figures."""

    first: str
    second: str
    difference: Cell
    alone: str
    wrong: str
    test: str
    said: str
    differ: str


@dataclass(frozen=True, slots=True)
class JudgesPage:
    """What the template of a comparison of judges reads."""

    basis: str
    answer: str
    votes: str
    forest: Forest
    heads: tuple[str, ...]
    rows: tuple[Line, ...]
    versus: tuple[VersusRow, ...]
    single: tuple[VersusRow, ...]
    wrong: str
    wrong_pairs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReportsPage:
    """What the template of two reports reads."""

    differ: tuple[Difference, ...]
    answer: str
    moved: tuple[Section, ...]
    why_not: str
    sections: tuple[Section, ...]


def judges_page(payload: Payload) -> JudgesPage:
    """Put a comparison of judges on a page."""
    judges, gold = payload["judges"], payload["gold"]
    differ = {
        (one["first"], one["second"]): one["differ"] for one in payload["configs"]
    }
    versus = tuple(
        _versus(one, differ[one["first"], one["second"]]) for one in payload["versus"]
    )
    wrong = payload["shared_wrong"]
    return JudgesPage(
        basis=(
            f"{count_text(payload['pairs'], 'pair')} of {NAMES[payload['split']]} with "
            f"gold that all of them judged; gold version {gold['version']}."
        ),
        answer=_answer(payload),
        votes=_votes(payload["effective_votes"]),
        forest=forest_of_figures(
            "Exact agreement of each judge",
            [(row["judge"], row["exact_agreement"]) for row in judges],
        ),
        heads=HEADS,
        rows=tuple(map(_row, judges)),
        versus=versus,
        single=tuple(row for row in versus if len(differ[row.first, row.second]) == 1),
        wrong=f"{count_text(wrong, 'pair')} no judge got right.",
        wrong_pairs=tuple(wrong_names(payload)[:LISTED]),
    )


def wrong_names(payload: Payload) -> list[str]:
    """The pairs that no judge got right: by case, with several pairs a case by systems.

    As lists of pairs take them, so that they can be copied into one.
    """
    cases, systems = payload["all_wrong"], payload["all_wrong_systems"]
    if len(payload["gold"]["systems"]) == 2:  # noqa: PLR2004 - one pair a case
        return list(cases)
    return [f"{case} {'|'.join(two)}" for case, two in zip(cases, systems, strict=True)]


def _row(row: Payload) -> Line:
    near = ", ".join(row["not_separable"])
    cells = (
        share(row["exact_agreement"]),
        share(row["false_candidate_wins"]),
        share(row["flip_rate"]),
        number(row["ipi"]),
        share(row["modal_share"]),
        share(row["invalid_rate"]),
    )
    return Line(row["judge"], f"not separable from {near}" if near else "", cells)


def _answer(payload: Payload) -> str:
    """Whether there is a best one, in words."""
    best = payload["judges"][0]
    near = best["not_separable"]
    if not payload["pairs"]:
        return f"{payload['why_none']} So nothing can be said."
    if not near:
        return f"{best['judge']} agrees with gold more often than every other."
    others = ", ".join(near)
    return (
        f"{best['judge']} agrees most often, but these pairs do not tell it from "
        f"{others}: more pairs with gold are needed to say which is better."
    )


def _votes(found: Payload) -> str:
    if found.get("undefined"):
        return f"Effective votes: n/a ({found['undefined']})."
    worth, more = votes_worth(found)
    return (
        f"Together they are worth {worth} independent judges of {found['members']} "
        f"(mean correlation of their errors {rounded(found['rho'], 2)}).{more}"
    )


def votes_worth(found: Payload) -> tuple[str, str]:
    """Effective votes, at most one a judge, and a sentence where that cut them.

    The formula gives more than K votes where errors correlate below zero.
    """
    most = found["members"]
    if found["value"] <= most:
        return rounded(found["value"], 1), ""
    more = (
        f" The formula gives {rounded(found['value'], 1)}: errors on these pairs "
        f"happen to correlate below zero, and more than {most} of {most} is not "
        "claimed."
    )
    return rounded(most, 1), more


def _versus(one: Payload, differ: list[Payload]) -> VersusRow:
    first, second = one["first"], one["second"]
    better = first if one["first_only"] > one["second_only"] else second
    said = f"{better} is better" if one["separable"] else "not separable"
    if one["adjusted"] is None:
        said = f"n/a ({one['test']['undefined']})"
    return VersusRow(
        first=first,
        second=second,
        difference=points(one["difference"]),
        alone=f"{one['first_only']:,} and {one['second_only']:,}",
        wrong=f"{one['both_wrong']:,}, same verdict on {one['same_wrong']:,}",
        test=mcnemar_text(one),
        said=said,
        differ=_differ(differ),
    )


def mcnemar_text(one: Payload) -> str:
    """The exact test, the same with regard to clusters, and what Holm leaves of it."""
    exact, heeded = p_text(one["test"]["p_value"]), p_text(one["p_value"])
    clusters = one["difference"].get("design_effect", 1) != 1
    heeding = f", with regard to clusters {heeded}" if clusters else ""
    return f"{exact}{heeding}, after Holm {p_text(one['adjusted'])}"


def _differ(differ: list[Payload]) -> str:
    labels = [label_of(one["field"]) for one in differ]
    if not labels:
        return "nothing"
    if len(labels) > 3:  # noqa: PLR2004 - a long list says no more than its length
        return f"{len(labels)} parts"
    return "; ".join(labels)


def reports_page(found: ReportComparison) -> ReportsPage:
    """Put two reports side by side on a page."""
    return ReportsPage(
        differ=tuple(
            Difference(
                label_of(one.field), shown_value(one.before), shown_value(one.after)
            )
            for one in found.differ
        ),
        answer=_moved_text(found),
        moved=_moved_sections(found.moved or {}),
        why_not=found.why_not,
        sections=_side_by_side(found),
    )


def _moved_text(found: ReportComparison) -> str:
    """What moved for sure, and on how many pairs nothing could be told."""
    if found.moved is None:
        return ""
    moved = [
        f"{FIGURES[move['figure']].lower()} on {NAMES[split]}"
        for split, part in found.moved.items()
        if part
        for move in part["moves"]
        if move["shown"]
    ]
    if not moved:
        return "Nothing is shown to have moved on these pairs."
    return f"Shown to have moved: {', '.join(moved)}."


def _moved_sections(moved: Payload) -> tuple[Section, ...]:
    return tuple(
        Section(
            f"moved-{split}",
            f"What moved, {NAMES[split]}",
            f"The same {count_text(part['pairs'], 'pair')} before and after. The "
            "interval is Tango's, the test exact McNemar's, with regard to clusters; p "
            "after Holm over all rates.",
            ("Before", "After", "Difference", "Test"),
            tuple(map(_move, part["moves"])),
        )
        for split, part in moved.items()
        if part and part["pairs"]
    )


def _move(move: Payload) -> Line:
    test = Cell(
        p_text(move["adjusted"]) if move["test"]["p_value"] is not None else "p n/a",
        f"{move['gained']:,} gained, {move['lost']:,} lost",
    )
    cells = (share(move["before"]), share(move["after"]), points(move["difference"]))
    return Line(
        FIGURES[move["figure"]], "moved" if move["shown"] else "", (*cells, test)
    )


def _side_by_side(found: ReportComparison) -> tuple[Section, ...]:
    """The main sections with a column for each report and split that both show."""
    columns = tuple(
        Column(key, f"{NAMES[key]}, {when}", payload["splits"][key])
        for key in (DEV, HELD_OUT)
        for when, payload in (("before", found.before), ("after", found.after))
        if _both(found, key)
    )
    whole = columns or tuple(
        Column("all", f"all pairs, {when}", payload["splits"]["all"])
        for when, payload in (("before", found.before), ("after", found.after))
        if payload["splits"]["all"]
    )
    kept = [one for one in sections_of(whole) if one.anchor in SECTIONS]
    return tuple(kept) if whole else ()


def _both(found: ReportComparison, key: str) -> bool:
    blocks: list[Any] = [each["splits"][key] for each in (found.before, found.after)]
    return all(block and block["n"] for block in blocks)
