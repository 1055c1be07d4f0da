"""A ranking of systems, as page and as text."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from calibration.presenters.cells import Cell, count, number, share
from calibration.presenters.figures import (
    count_text,
    estimate_text,
    number_text,
    p_text,
)
from calibration.presenters.forest import Forest, Given, rates_forest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from calibration.presenters.columns import Payload

HEADS = (
    "Preferred over an average one", "Strength (log-odds)", "Wins", "Losses", "Ties",
    "Cases",
)  # fmt: skip
SIMULATED = "SIMULATED JUDGE: these figures say nothing about a real model."


@dataclass(frozen=True, slots=True)
class RankRow:
    """One system; ``open_ranks`` are those that nothing here rules out."""

    open_ranks: str
    system: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class TwoRow:
    """Two systems, the stronger first."""

    first: str
    second: str
    difference: Cell
    adjusted: str
    said: str


@dataclass(frozen=True, slots=True)
class RankingShown:
    """One ranking: an answer, a picture, and tables."""

    answer: str
    basis: str
    forest: Forest | None
    rows: tuple[RankRow, ...]
    versus: tuple[TwoRow, ...]
    groups: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RankingPage:
    """By the judge, by gold beside it, and how coherent the judge is."""

    judged: RankingShown
    by_gold: RankingShown | None
    coherence: tuple[tuple[str, Cell], ...]
    incomplete: str


def ranking_page(payload: Payload) -> RankingPage:
    """What is to be read of a ranking."""
    found = payload["coherence"]
    judge = f"{payload['judge']['name']} v{payload['judge']['version']}"
    return RankingPage(
        judged=_shown(payload["judged"], f"by {judge}"),
        by_gold=_shown(payload["by_gold"], "by gold") if payload["by_gold"] else None,
        coherence=(
            ("IPI: pairs whose orders disagree", share(found["ipi"])),
            ("TOV: disagreements with the best order, a case", number(found["tov"])),
            ("Excess: what is left after order flips", number(found["excess"])),
        ),
        incomplete=(
            f"{count_text(found['cases'], 'case')} with all pairs judged, "
            f"{found['incomplete']:,} incomplete and left out."
        ),
    )


def ranking_text(payload: Payload) -> str:
    """The same as text."""
    gold, judge = payload["gold"], payload["judge"]
    title = (
        f"Systems of {gold['set']} by {judge['name']} v{judge['version']}, run "
        f"{payload['run']['id']}, {payload['part'].replace('_', '-')} pairs"
    )
    lines = [
        title,
        *([SIMULATED] if judge["simulated"] else []),
        *_lines(payload["judged"]),
    ]
    if payload["by_gold"]:
        lines += ["", f"By gold v{gold['version']}", *_lines(payload["by_gold"])]
    found = payload["coherence"]
    lines += [
        "",
        f"IPI of the judge: {estimate_text(found['ipi'])}",
        f"TOV: {number_text(found['tov'])}; excess {number_text(found['excess'])}",
    ]
    return "\n".join(lines) + "\n"


def _lines(ranking: Payload) -> Iterator[str]:
    yield f"  {_basis(ranking)}"
    if ranking["undefined"]:
        yield f"  No ranking: {ranking['undefined']}."
    for row in ranking["systems"]:
        yield (
            f"  {_ranks(row)} {row['system']}: {number_text(row['strength'])}; won "
            f"{row['wins']:,}, lost {row['losses']:,}, tied {row['ties']:,}"
        )
    for group in ranking["groups"]:
        yield f"  Not separable: {', '.join(group)}"


def _shown(ranking: Payload, how: str) -> RankingShown:
    return RankingShown(
        answer=_answer(ranking),
        basis=_basis(ranking),
        forest=_forest(ranking, how),
        rows=tuple(map(_row, ranking["systems"])),
        versus=tuple(map(_two, ranking["versus"])),
        groups=tuple(", ".join(group) for group in ranking["groups"]),
    )


def _answer(ranking: Payload) -> str:
    if ranking["undefined"]:
        return f"No ranking: {ranking['undefined']}."
    first = ranking["systems"][0]
    if first["worst"] is None:
        return "A ranking without intervals: too many resamples have none."
    if first["worst"] == 1:
        return f"{first['system']} comes first."
    level = [row["system"] for row in ranking["systems"] if row["best"] == 1]
    if len(level) == len(ranking["systems"]):
        return "These systems can't be told apart."
    return f"{' and '.join(level)} can't be told apart at the top."


def _basis(ranking: Payload) -> str:
    left = ranking["left_out"]
    dropped = ranking["dropped"]
    said = (
        f"{count_text(ranking['pairs'], 'pair')} of "
        f"{count_text(ranking['cases'], 'case or group')} with an outcome; "
        f"{left:,} abstained, invalid or without gold."
    ).replace("case or groups", "cases or groups")
    if dropped:
        have = "has" if dropped == 1 else "have"
        said += f" {dropped:,} of {ranking['resamples']:,} resamples {have} no ranking."
    return said


def _forest(ranking: Payload, how: str) -> Forest | None:
    if ranking["undefined"]:
        return None
    given = [Given(row["system"], (row["preferred"],)) for row in ranking["systems"]]
    made = rates_forest(f"Preferred over an average one, {how}", ("",), given)
    return replace(made, about="Where one of the two is preferred.")


def _row(row: Payload) -> RankRow:
    cells = (
        share(row["preferred"]),
        number(row["strength"]),
        *(count(row[key]) for key in ("wins", "losses", "ties", "cases")),
    )
    return RankRow(_ranks(row), row["system"], cells)


def _ranks(row: Payload) -> str:
    best, worst = row["best"], row["worst"]
    if best is None:
        return "\N{EN DASH}"
    return f"{best}" if best == worst else f"{best} to {worst}"


def _two(row: Payload) -> TwoRow:
    adjusted: Any = row["adjusted"]
    said = "separable" if row["separable"] else "not separable"
    if adjusted is None:
        said = "open: no interval"
    return TwoRow(
        row["first"],
        row["second"],
        number(row["difference"]),
        p_text(adjusted) if adjusted is not None else "n/a",
        said,
    )
