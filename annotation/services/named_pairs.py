"""Pairs of a set that somebody names: whole cases, or one pair of several."""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotation.domain.pair_lines import NamedPair
from config.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterable

    from annotation.models import Pair

EXAMPLES = 5


def name_of(pair: Pair) -> str:
    """How one pair is named, by its case and systems."""
    return str(NamedPair(pair.case.external_id, systems_of(pair)))


def systems_of(pair: Pair) -> tuple[str, str]:
    """The systems of a pair, the baseline first."""
    return pair.baseline.system.name, pair.candidate.system.name


def named_in(pairs: Iterable[Pair], names: Iterable[str]) -> set[int]:
    """The keys of the pairs that ``names`` name.

    A name is a case id, for all pairs of the case, or a case id, a space and
    ``baseline|candidate`` for one. Names are looked up and not taken apart, since ids
    and systems may hold spaces and bars. Raises ``InvalidInput`` for names of no pair,
    and for one that names both a case and a pair of another.
    """
    cases: dict[str, set[int]] = {}
    single: dict[str, set[int]] = {}
    for pair in pairs:
        cases.setdefault(pair.case.external_id, set()).add(pair.pk)
        single.setdefault(name_of(pair), set()).add(pair.pk)
    asked = {name.strip() for name in names}
    if both := sorted(n for n in asked if n in cases and n in single):
        raise InvalidInput("pair_ambiguous", _both_ways(both[0]))
    if missing := sorted(asked - cases.keys() - single.keys()):
        shown = ", ".join(missing[:EXAMPLES])
        more = f" and {len(missing) - EXAMPLES} more" if missing[EXAMPLES:] else ""
        raise InvalidInput(
            "round_unknown_case", f"case_ids: the set has no pair of {shown}{more}"
        )
    return {key for name in asked for key in cases.get(name) or single[name]}


def _both_ways(name: str) -> str:
    return (
        f"case_ids: {name!r} is the id of a case, and names a pair of another. Name "
        "the pairs of that case one by one, or the other case as a whole."
    )
