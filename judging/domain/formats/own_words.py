"""A verdict beside words of the judge's own that decline or say something else."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from judging.domain.formats.against import (
    concludes_otherwise,
    is_taken_back,
    says_another,
)
from judging.domain.formats.declining import Declined, declined
from judging.domain.formats.hiding import hidden, small
from judging.domain.formats.json_scan import objects_in
from judging.domain.formats.marks_denied import says_contrary
from judging.domain.formats.scanning import (
    folded,
    heard,
    spoken,
    without_quotes,
)
from judging.domain.formats.sections import is_repeated
from judging.domain.terms import InvalidReason
from judging.domain.verdicts import Invalid

if TYPE_CHECKING:
    from collections.abc import Iterator

    from annotation.domain.outcomes import SlotChoice

_NOTHING = re.compile(r"(?!)")
_MOST_FIELDS = 50
_SHORTEST = 1  # a letter alone is the choice itself


def objection_beside(
    text: str,
    span: tuple[int, int] | None,
    *,
    is_json: bool,
    abstained: bool,
    choice: SlotChoice | None = None,
    mark: str = "",
) -> Invalid | None:
    """Say what a reply holds against the verdict that was read at ``span``.

    Heeded are the judge's own words: all but reasoning and quotations, and in a JSON
    answer the texts of its fields. That nothing can be judged agrees with an abstain.
    """
    low, high = span or (len(text), len(text))
    if is_json:
        own = _visible(text[:low] + hidden(text[low:high]) + text[high:])
    else:
        view = without_quotes(heard(text), _NOTHING)
        own = view[:low] + hidden(view[low:high]) + view[high:]
    views = [small(own)]
    if is_json:
        views += [small(_visible(each)) for each in _fields(text[low:high])]
    found = {declined(view, high if view is views[0] else None) for view in views}
    agreed = {None, Declined.TO_JUDGE} if abstained else {None}
    for how in Declined:
        if how in found - agreed:
            return Invalid(InvalidReason.REFUSED, str(how))
    if span is None:
        return None
    if mark and any(
        says_contrary(view, low if view is views[0] else len(view), mark)
        for view in views
    ):
        return Invalid(InvalidReason.CONFLICTING, "a sentence beside it says otherwise")
    return _against(views, span, choice)


def _against(
    views: list[str],
    span: tuple[int, int],
    choice: SlotChoice | None,
) -> Invalid | None:
    view = views[0]
    if is_taken_back(view, span[1]):
        return Invalid(InvalidReason.CONFLICTING, "the verdict is taken back")
    if choice is not None and (
        says_another(view, span, choice)
        or any(concludes_otherwise(each, choice) for each in views[1:])
    ):
        return Invalid(InvalidReason.CONFLICTING, "a sentence beside it says otherwise")
    if is_repeated(view, span):
        return Invalid(InvalidReason.UNPARSED, "it stands in a response repeated")
    return None


def _visible(text: str) -> str:
    return without_quotes(spoken(folded(text)), _NOTHING)


def _fields(text: str) -> Iterator[str]:
    for found in islice(objects_in(folded(text)), 1):
        for value in islice(found.value.values(), _MOST_FIELDS):
            if isinstance(value, str) and len(value) > _SHORTEST:
                yield value
