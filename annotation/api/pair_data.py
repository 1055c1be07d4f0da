"""Blinded pairs as plain data: what the page shows, and nothing else."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from django.utils import timezone

from annotation.api.doors import pair_doors
from annotation.domain.answers import AbstainReason
from annotation.domain.texts import text_from_json, text_to_json
from annotation.models import Assignment
from annotation.presenters import slots_of
from annotation.services.drafting import draft_of
from annotation.services.guidelines import (
    GuidelineChange,
    guideline_for,
    known_guideline,
    note_first_seen,
    questions_of,
)
from annotation.services.queue import AllDone, Closed, Next, NothingNow, shown_pair

if TYPE_CHECKING:
    from collections.abc import Callable

    from rest_framework.request import Request

    from annotation.models import GoldSet, Guideline


def pair_data(
    assignment: Assignment, request: Request, *, revision: int = 0
) -> dict[str, object]:
    """The blinded pair, what is asked of it, and the draft of an answer.

    ``revision`` is the number of the label that it was given, where it was.
    """
    pair = shown_pair(assignment)
    case = pair.case
    left, right = slots_of(pair, assignment.order)
    guideline = guideline_for(pair.gold_set_id, assignment.reviewer)
    return {
        "token": assignment.token,
        "question": pair.gold_set.question,
        "prompt": _plain(case.prompt),
        "context": _plain(case.context),
        "reference": _plain(case.reference),
        "left": _plain(left.text),
        "right": _plain(right.text),
        "revision": revision,
        "same_case_again": assignment.same_case_again,
        "asks": _asks(pair.gold_set, guideline),
        "guideline": guideline
        and {"version": guideline.version, "text": guideline.text},
        "draft": _draft(assignment),
        "doors": pair_doors(request, assignment.token, labelled=revision > 0),
    }


def _plain(stored: object) -> object:
    # Through the validated form, so that nothing but role and content gets out.
    return None if stored is None else text_to_json(text_from_json(stored))


def _asks(gold_set: GoldSet, guideline: Guideline | None) -> dict[str, object]:
    asked = questions_of(gold_set, guideline.criteria if guideline else ())
    reasons = [{"code": r.value, "label": r.label} for r in AbstainReason]
    return {**asdict(asked), "abstain_reasons": reasons}


def _draft(assignment: Assignment) -> dict[str, object] | None:
    draft = draft_of(assignment)
    if draft is None:
        return None
    return {
        **draft.content,
        "active_seconds": draft.active_seconds,
        "saved_at": draft.saved_at,
    }


def next_data(
    found: Next | Closed, request: Request, *, unsent: Callable[[], int]
) -> dict[str, object]:
    """The reply for what the queue gave; what is new in the guideline goes first.

    ``unsent`` counts the reviewer's drafts that did not become labels; it is asked
    only where there is no pair.
    """
    nothing: dict[str, object] = {
        "pair": None, "wait_until": None, "change": None, "unsent": 0,
    }  # fmt: skip
    if isinstance(found, Assignment):
        set_id, reviewer = found.round.gold_set_id, found.reviewer
        note_first_seen(gold_set_id=set_id, reviewer=reviewer, now=timezone.now())
        change = known_guideline(set_id, reviewer).change
        if change is not None:
            return nothing | {"state": "guideline", "change": _change(change)}
        return nothing | {"state": "pair", "pair": pair_data(found, request)}
    nothing["unsent"] = unsent()
    if isinstance(found, NothingNow):
        return nothing | {"state": "wait", "wait_until": found.until}
    return nothing | {"state": "done" if isinstance(found, AllDone) else "closed"}


def _change(change: GuidelineChange) -> dict[str, object]:
    return {
        "seen_version": change.seen.version,
        "version": change.now.version,
        "text": change.now.text,
        "lines": [asdict(line) for line in change.lines],
        "criteria_added": [asdict(one) for one in change.criteria_added],
        "criteria_removed": [asdict(one) for one in change.criteria_removed],
    }
