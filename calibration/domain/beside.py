"""What a report knows of a pair beside gold and verdict, as far as texts tell it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from annotation.domain.outcomes import Outcome
from annotation.domain.quotes import Body, Quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from calibration.domain.samples import Row

FORMAT_SLICE = "response format"
FAMILY = "family"
SHORTEST = 24


def is_own(family: object, models: Iterable[str]) -> bool:
    """Whether a model's name, behind a vendor's with a slash, begins with a family."""
    if not isinstance(family, str) or not family.strip():
        return False
    wanted = family.strip().lower()
    return any(name.lower().split("/")[-1].startswith(wanted) for name in models)


def alone(baseline: bool, candidate: bool) -> Outcome | None:  # noqa: FBT001 - a pair of two sides
    """Give the side that alone has something."""
    if baseline == candidate:
        return None
    return Outcome.BASELINE if baseline else Outcome.CANDIDATE


def telling(rows: list[Row]) -> list[Row]:
    """Leave out the slice of forms where all pairs share one: it is the whole set."""
    if len({row.slices.get(FORMAT_SLICE) for row in rows}) > 1:
        return rows
    return [
        replace(row, slices={k: v for k, v in row.slices.items() if k != FORMAT_SLICE})
        for row in rows
    ]


def few_shot_json(
    specs: Iterable[object], cases: Iterable[tuple[str, Iterable[str]]]
) -> dict[str, Any]:
    """Search what judges are told for cases, each given with its texts.

    Gives the number of ``texts`` and of ``cases``, and the ids of cases of which a
    text occurs ``exact`` or ``near``.
    """
    told = sorted({text for spec in specs for text in _texts(spec)})
    body = Body(told)
    found: dict[Quoted, set[str]] = {Quoted.EXACT: set(), Quoted.NEAR: set()}
    names = set()
    for name, texts in cases:
        names.add(name)
        for text in texts if told else ():
            if how := body.holds(text):
                found[how].add(name)
    exact = found[Quoted.EXACT]
    return {
        "texts": len(told),
        "cases": len(names),
        "exact": sorted(exact),
        "near": sorted(found[Quoted.NEAR] - exact),
    }


def _texts(value: Any) -> Iterator[str]:
    """Every text of a specification that is long enough to hold a quotation."""
    if isinstance(value, str) and len(value) >= SHORTEST:
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)
