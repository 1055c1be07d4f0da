"""Which version of our own rules made a report or a decision.

What is stored stays as it is; the rules that it was worked out by may get better. So
each document says under ``rules`` by which version it was made, and only what was made
by this one is worked out again and compared: anything else is neither verified nor
tampered. A change to a figure, a condition or what they rest on needs a new number: a
test pins what fixed inputs come to by each.

Decisions: 1 names its rules, counts pairs that were not judged, and takes cases with
the same input as one; 2 says of each gap in the judge's report what would fill it, and
tells when a waiver was revoked; 3 takes clusters as reports of 4 do; 4 has the net
preference by PPI++ and by gold alone beside the corrected one; 5 post-stratifies by
each verdict's own pairs, however few; 6 asks for every pair of the set, for held-out
pairs that were not open elsewhere and, of abstained pairs, for a verdict, and lets a
waiver lift cases for the systems alone that it names; 7 passes no rate of pairs that
count as one case, as those of one prompt do. Reports: 1 names its rules; 2
bootstraps means over cases and compares every two reviewers; 3 has pairs of similar
length, two slices at once and lists of all pairs behind figures; 4 takes each cluster
as one case where all or none count; 5 has aliases of reviewers that stay; 6 gives no
interval where only the last digits of floats vary; 7 says of a slice's flag whether it
heeds clusters. Points of sentinels: 1 names its rules; 2 raises a second alarm once a
series was well again or has a new reference, and one where a model comes back.
Documents without a number are older.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

REPORT_RULES = 7
DECISION_RULES = 7
SENTINEL_RULES = 2
RULES = "rules"


def rules_of(document: Mapping[str, object]) -> int:
    """Give the version of a document's rules; 0 of one that names none.

    Raises ``ValueError`` for what is no version.
    """
    if RULES not in document:
        return 0
    found = document[RULES]
    if isinstance(found, int) and not isinstance(found, bool) and found > 0:
        return found
    msg = f"its rules are {found!r}, which is no version"
    raise ValueError(msg)


def other_rules(what: str, made_by: int, ours: int) -> str:
    """Say that a document was not worked out again, in words."""
    if not made_by:
        by = "an older rule version that it does not name"
    else:
        by = f"{'an older' if made_by < ours else 'a newer'} rule version {made_by}"
    return f"{what} was made by {by} (here is {ours}): not recomputed"
