"""What one field changes, as a page shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from calibration.presenters.cells import number, points, share
from calibration.presenters.columns import NAMES
from calibration.presenters.comparisons import mcnemar_text
from calibration.presenters.figures import count_text
from calibration.presenters.forest import Forest, Given, rates_forest
from calibration.presenters.sections import Line
from judging.presenters.judges import label_of, shown_value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from calibration.presenters.columns import Payload

LONGEST = 60
HEADS = (
    "Exact agreement",
    "False candidate wins",
    "Flips",
    "IPI",
    "TOV",
    "Most frequent answer of repeats",
    "Invalid",
)
SERIES = ("agreement", "flips")


@dataclass(frozen=True, slots=True)
class AblationRow:
    """One value of the field; ``whole`` is its text where ``line`` cuts it short."""

    line: Line
    judge: str
    name: str
    version: int
    whole: str


@dataclass(frozen=True, slots=True)
class AblationView:
    """All judges that differ in one field."""

    anchor: str
    title: str
    answer: str
    basis: str
    heads: tuple[str, ...]
    rows: tuple[AblationRow, ...]
    forest: Forest | None
    versus: tuple[str, ...]


def ablation_views(payload: Payload) -> tuple[AblationView, ...]:
    """One view for each field in which judges differ alone."""
    return tuple(
        _view(place, group, NAMES[payload["split"]])
        for place, group in enumerate(payload["groups"], start=1)
    )


def _view(place: int, group: Payload, split: str) -> AblationView:
    figures = {row["judge"]: row for row in group["judges"]}
    values = [one for one in group["values"] if one["judge"] in figures]
    short = {one["judge"]: _short(shown_value(one["value"])) for one in values}
    title = label_of(group["field"])
    forest = rates_forest(
        f"Agreement and flips by {title[0].lower()}{title[1:]}",
        SERIES,
        [
            Given(
                short[one["judge"]],
                (
                    figures[one["judge"]]["exact_agreement"],
                    figures[one["judge"]]["flip_rate"],
                ),
            )
            for one in values
        ],
    )
    return AblationView(
        anchor=f"field-{place}",
        title=title,
        answer=_answer(group),
        basis=(
            f"{count_text(group['pairs'], 'pair')} of {split} with gold that all of "
            "these judges judged."
        ),
        heads=HEADS,
        rows=tuple(_row(one, figures[one["judge"]], short) for one in values),
        forest=forest if values else None,
        versus=tuple(_versus(one, short) for one in group["versus"]),
    )


def _row(one: Payload, row: Payload, short: Mapping[str, str]) -> AblationRow:
    name, _, version = one["judge"].rpartition(" v")
    cells = (
        share(row["exact_agreement"]),
        share(row["false_candidate_wins"]),
        share(row["flip_rate"]),
        number(row["ipi"]),
        number(row["tov"]),
        share(row["modal_share"]),
        share(row["invalid_rate"]),
    )
    text, cut = shown_value(one["value"]), short[one["judge"]]
    line = Line(cut, one["judge"], cells)
    whole = text if text != cut else ""
    return AblationRow(line, one["judge"], name, int(version), whole)


def _answer(group: Payload) -> str:
    """Whether the field is shown to change agreement at all."""
    if not group["pairs"]:
        why = group["why_none"] or "Fewer than two of them judged pairs of this gold."
        return f"{why} So nothing can be said."
    told = [one for one in group["versus"] if one["separable"]]
    if not told:
        return "No difference in agreement is shown."
    many = len(group["versus"])
    return f"A difference in agreement is shown for {len(told)} of {many} twos."


def _versus(one: Payload, short: Mapping[str, str]) -> str:
    first, second = short[one["first"]], short[one["second"]]
    gap = points(one["difference"])
    detail = f" ({gap.detail})" if gap.detail else ""
    said = "shown" if one["separable"] else "not shown"
    if one["adjusted"] is None:
        said = one["test"]["undefined"]
    return (
        f"{first} less {second}: {gap.value}{detail}; exact McNemar "
        f"{mcnemar_text(one)}: {said}."
    )


def _short(text: str) -> str:
    line = " ".join(text.split())
    return (
        line
        if len(line) <= LONGEST
        else f"{line[: LONGEST - 1]}\N{HORIZONTAL ELLIPSIS}"
    )
