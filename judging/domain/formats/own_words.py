"""A verdict beside words that decline: not read, whichever of the two comes first."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from judging.domain.formats.declining import Declined, declined
from judging.domain.formats.hiding import hidden
from judging.domain.formats.json_scan import objects_in
from judging.domain.formats.scanning import folded, spoken, without_quotes
from judging.domain.terms import InvalidReason
from judging.domain.verdicts import Invalid

if TYPE_CHECKING:
    from collections.abc import Iterator

_NOTHING = re.compile(r"(?!)")
_MOST_FIELDS = 50


def refusal_beside(
    text: str, span: tuple[int, int] | None, *, is_json: bool, abstained: bool
) -> Invalid | None:
    """Say that a reply declines beside what was read at ``span``.

    Heeded are the judge's own words: all but reasoning and quotations, and in a JSON
    answer the texts of its fields. That nothing can be judged agrees with an abstain.
    """
    low, high = span or (len(text), len(text))
    own = text[:low] + hidden(text[low:high]) + text[high:]
    found = {declined(_visible(own), after=high)}
    if is_json:
        found |= {declined(_visible(each)) for each in _fields(text[low:high])}
    agreed = {None, Declined.TO_JUDGE} if abstained else {None}
    for how in Declined:
        if how in found - agreed:
            return Invalid(InvalidReason.REFUSED, str(how))
    return None


def _visible(text: str) -> str:
    return without_quotes(spoken(folded(text)), _NOTHING)


def _fields(text: str) -> Iterator[str]:
    for found in islice(objects_in(folded(text)), 1):
        for value in islice(found.value.values(), _MOST_FIELDS):
            if isinstance(value, str):
                yield value
