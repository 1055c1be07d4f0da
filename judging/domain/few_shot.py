"""Whether what judges are told holds cases that they are to be measured on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from annotation.domain.quotes import Body, Quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SHORTEST = 24


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
