"""A sentinel panel as its page shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from calibration.presenters.cells import Cell, number, p_value, share
from calibration.presenters.sentinel_answers import evidence_text, sentinel_answer
from calibration.presenters.time_charts import Given, TimeChart, time_chart

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from calibration.services.sentinels.reading import (
        PointView,
        SentinelView,
        SeriesView,
    )

NOTHING = Cell("\N{EN DASH}")
HEADS = (
    "Agreement with gold", "Invalid", "Changed since the first", "Changed in a rerun",
    "Exact test", "Shares of verdicts", "Evidence so far", "Evidence of invalid",
)  # fmt: skip
MARK_HEADS = (
    "Changed since the first",
    "Sign test",
    "Evidence so far",
    "Evidence of invalid",
)


@dataclass(frozen=True, slots=True)
class PointRow:
    """One check in a table."""

    point: PointView
    what: str
    cells: tuple[Cell, ...]
    served: str


@dataclass(frozen=True, slots=True)
class SeriesShown:
    """One series with its tables."""

    view: SeriesView
    title: str
    heads: tuple[str, ...]
    rows: tuple[PointRow, ...]


@dataclass(frozen=True, slots=True)
class SentinelShown:
    """The whole page: an answer first, then pictures, then series by series."""

    answer: str
    basis: str
    caution: bool
    charts: tuple[TimeChart, ...]
    series: tuple[SeriesShown, ...]
    simulated: bool
    limits: tuple[tuple[str, str], ...]


def sentinel_page(view: SentinelView) -> SentinelShown:
    """What is to be read of a panel, newest series first."""
    said = sentinel_answer(view)
    return SentinelShown(
        answer=said.answer,
        basis=said.basis,
        caution=said.caution,
        charts=tuple(chart for chart in _charts(view) if chart is not None),
        series=tuple(_series(one) for one in reversed(view.series)),
        simulated=any(_simulated(one) for one in view.series),
        limits=tuple(_limits(view)),
    )


def _limits(view: SentinelView) -> Iterator[tuple[str, str]]:
    """What the panel was defined with, as shares are read: "at most 5 %"."""
    least, most = view.panel.least_agreement, view.panel.most_invalid
    if least is not None:
        yield "Agreement with gold", f"at least {100 * float(least):.4g} %"
    if most is not None:
        yield "Invalid verdicts", f"at most {100 * float(most):.4g} %"


def _simulated(one: SeriesView) -> bool:
    return one.series.config.simulated


def _charts(view: SentinelView) -> Iterator[TimeChart | None]:
    pairs = [one for one in view.series if not one.pointwise]
    about = (
        "One dot a check with its 95 % interval, hollow for a reference. Each judge or "
        "rubric has a line of its own. The same figures stand in the tables below."
    )
    named = [(_name(one), one.points) for one in pairs]
    times = [p.check.started_at for one in view.series for p in one.points]
    ends = (min(times), max(times)) if times else None
    yield time_chart(
        "Agreement with gold",
        [(name, _figures(points, "agreement")) for name, points in named],
        about,
        ends,
    )
    fresh = [(name, _figures(p, "agreement", "fresh")) for name, p in named]
    yield time_chart(
        "Agreement on newly adjudicated production cases",
        fresh,
        "Other cases at each check, so that the line also moves with the cases.",
        ends,
    )
    yield time_chart(
        "Verdicts changed since the first reference",
        [(name, _changes(points)) for name, points in named],
        ends=ends,
    )
    for one in view.series:
        if one.pointwise:
            yield _marks_chart(one, ends)


def _name(one: SeriesView) -> str:
    return f"{one.series.config} ({one.series.judge_digest[:8]})"


def _figures(points: Sequence[PointView], key: str, only: str = "") -> list[Given]:
    return [
        Given(one.check.started_at, one.payload[key], one.check.kind == "reference")
        for one in points
        if (one.check.kind == only if only else one.check.kind != "fresh")
    ]


def _changes(points: Sequence[PointView]) -> list[Given]:
    return [
        Given(
            one.check.started_at,
            one.payload["against_first"]["change_rate"],
            one.check.kind == "reference",
        )
        for one in points
        if one.payload["against_first"]
    ]


def _marks_chart(
    one: SeriesView, ends: tuple[datetime, datetime] | None
) -> TimeChart | None:
    """Pass rates by system; a scale without a pass mark has its means in the table."""
    found: dict[str, list[Given]] = {}
    for point in one.points:
        for system in point.payload["systems"]:
            if system["pass_rate"]:
                given = Given(
                    point.check.started_at,
                    system["pass_rate"],
                    point.check.kind == "reference",
                )
                found.setdefault(system["system"], []).append(given)
    title = f"Responses passed by {_name(one)}"
    return time_chart(title, list(found.items()), ends=ends)


def _series(one: SeriesView) -> SeriesShown:
    heads: tuple[str, ...] = HEADS
    if one.pointwise:
        systems = _systems(one)
        heads = (*(f"{name}: passed, or mean" for name in systems), *MARK_HEADS)
    rows = tuple(_row(point, one) for point in reversed(one.points))
    return SeriesShown(one, _name(one), heads, rows)


def _systems(one: SeriesView) -> list[str]:
    names = (s["system"] for p in one.points for s in p.payload["systems"])
    return list(dict.fromkeys(names))


def _row(point: PointView, one: SeriesView) -> PointRow:
    payload = point.payload
    cells = _mark_cells(payload, one) if one.pointwise else _pair_cells(payload)
    served = ", ".join(map(_served, payload["served_models"]))
    return PointRow(point, check_words(point.check), cells, served)


def _served(served: dict[str, Any]) -> str:
    build = f" ({served['fingerprint']})" if served["fingerprint"] else ""
    return f"{served['model'] or 'unnamed'}{build}"


def check_words(check: Any) -> str:
    """What a check judged."""
    if check.kind == "fresh":
        return "newly adjudicated cases"
    if check.kind == "reference":
        return f"reference {check.cycle}, all pairs"
    return f"part {check.part}, against reference {check.cycle}"


def _pair_cells(payload: dict[str, Any]) -> tuple[Cell, ...]:
    first = payload["against_first"]
    return (
        share(payload["agreement"]),
        share(payload["invalid_rate"]),
        share(first["change_rate"]) if first else NOTHING,
        share(payload["rerun"]) if payload.get("rerun") else NOTHING,
        p_value(first["test"]) if first else NOTHING,
        p_value(first["shares"]) if first else NOTHING,
        _evidence_cell(payload["monitor"]),
        _evidence_cell(payload.get("usable"), "invalid", "no more"),
    )


def _mark_cells(payload: dict[str, Any], one: SeriesView) -> tuple[Cell, ...]:
    by_name = {s["system"]: s for s in payload["systems"]}
    first = payload["against_first"]
    return (
        *(_mark_cell(by_name.get(name)) for name in _systems(one)),
        share(first["change_rate"]) if first else NOTHING,
        p_value(first["test"]) if first else NOTHING,
        _evidence_cell(payload["monitor"], "lower", "higher"),
        _evidence_cell(payload.get("usable"), "invalid", "no more"),
    )


def _mark_cell(system: dict[str, Any] | None) -> Cell:
    if system is None:
        return NOTHING
    if system["pass_rate"]:
        return share(system["pass_rate"])
    return number(system["mean"])


def _evidence_cell(
    monitor: dict[str, Any] | None, worse: str = "worse", better: str = "better"
) -> Cell:
    if not monitor:
        return NOTHING
    detail = f"{monitor['worse']} groups {worse}, {monitor['better']} {better}"
    return Cell(evidence_text(monitor), detail)
