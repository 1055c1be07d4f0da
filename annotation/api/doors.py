"""Addresses below a round, a pair or a hearing, so that no client makes them up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.urls import reverse

from config.api_index import doors_for

if TYPE_CHECKING:
    import uuid

    from rest_framework.request import Request

Doors = list[dict[str, object]]

# What only takes something of a person who labels in the round, as long as it is open.
AT_WORK = {"next", "guideline"}
OWN_LABELS = "labels"


def round_url(request: Request, round_id: int) -> str:
    """Where leads and auditors read a round."""
    return request.build_absolute_uri(reverse("api-round", args=[round_id]))


def member_url(request: Request, round_id: int, username: str) -> str:
    """Where a lead takes somebody out of a round."""
    path = reverse("api-round-member", args=[round_id, username])
    return request.build_absolute_uri(path)


def round_doors(
    request: Request, round_id: int, *, member: bool, at_work: bool
) -> Doors:
    """What of a round the caller may open.

    ``member``: they label in it or did; ``at_work``: it takes labels from them now.
    """
    closed: set[str] = set() if at_work else AT_WORK
    if not member:
        closed = closed | {OWN_LABELS}
    found = doors_for(request, "rounds/<int:round_id>/", round_id=round_id)
    return [door for door in found if _last(door) not in closed]


def pair_doors(request: Request, token: uuid.UUID, *, labelled: bool = False) -> Doors:
    """What can be done with a pair that its reviewer holds, or has labelled."""
    found = doors_for(request, "assignments/<uuid:token>/", token=token)
    return [door for door in found if not (labelled and _last(door) == "skip")]


def pair_url(request: Request, token: uuid.UUID) -> str:
    """Where a pair of one's own is given again."""
    path = reverse("api-labelled-pair", args=[token])
    return request.build_absolute_uri(path)


def hearing_doors(request: Request, token: uuid.UUID, *, revealed: bool) -> Doors:
    """What can be done with a pair before an adjudicator, who may rule blind first."""
    found = doors_for(request, "adjudications/<uuid:token>/", token=token)
    wanted = {"ruling" if revealed else "first", "back"}
    return [door for door in found if _last(door) in wanted]


def _last(door: dict[str, object]) -> str:
    return str(door["url"]).rsplit("/", 1)[-1]
