"""What an answer may come too late for, and the words in which that is said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotation.services.queue import ROUND_CLOSED
from config.errors import Conflict, InvalidInput, NotAllowed

if TYPE_CHECKING:
    from annotation.models import Assignment, Label
    from annotation.services.places import Before

NEWER = "label_changed"
SKIPPED = "pair_skipped"


def refuse_what_is_over(
    assignment: Assignment, before: Before, earlier: Label | None
) -> None:
    """Refuse an answer to a pair or a round that takes none from this person now."""
    if not assignment.round.is_open:
        raise Conflict(ROUND_CLOSED, "This round was closed meanwhile.")
    if before.exposed:
        raise NotAllowed(
            "pair_exposed", "You have seen results of this pair, so you can't label it."
        )
    if earlier is not None:
        return
    if before.skipped:
        raise Conflict(
            SKIPPED,
            "You gave this pair back before, so somebody else will label it. This "
            "answer was not counted.",
        )
    if before.elsewhere and assignment.seat.retest_of_id is None:
        raise Conflict(
            "labelled_elsewhere",
            "You labelled this pair in another round meanwhile, and one person has one "
            "vote on a pair. This answer was not counted.",
        )


def refuse_stale(earlier: Label | None, revision: int | None) -> None:
    """Two tabs, or an answer sent again otherwise: neither overwrites the other."""
    if earlier is None:
        if revision:
            raise InvalidInput(
                "label_invalid",
                "revision: there is no label of yours to change; a first one has 0",
            )
        return
    if revision in (None, earlier.revision):
        return
    raise Conflict(
        NEWER,
        "Your label of this pair is in already, given elsewhere or before its "
        "reply arrived, and says something else. This answer was not counted. Open "
        "the label to look at it and change it.",
        {"revision": earlier.revision},
    )
