"""Who labels in a round: only people with the role, and never without a warning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q

from annotation.models import Assignment, Exposure, Round, RoundMember, Seat
from config.accounts.models import User
from config.accounts.permissions import has_role
from config.accounts.roles import LABELLERS, READERS
from config.errors import Conflict, InvalidInput, NotFound

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime


@dataclass(frozen=True, slots=True)
class Warned:
    """What a lead should know about a member: how blind they are, what they can't get.

    ``spoilt`` pairs of the round they have seen results of; ``elsewhere`` they labelled
    in another round.
    """

    reads_all: bool
    spoilt: int
    elsewhere: int = 0

    def words(self) -> str:
        """In a sentence, or empty."""
        parts = []
        if self.reads_all:
            parts.append(
                "Not blind: leads and auditors can see systems and results. Their "
                "labels in it are marked."
            )
        if self.spoilt:
            pairs = "1 pair" if self.spoilt == 1 else f"{self.spoilt:,} pairs"
            parts.append(
                f"Has seen something of {pairs} of this round, and is not given them."
            )
        if self.elsewhere:
            pairs = "1 pair" if self.elsewhere == 1 else f"{self.elsewhere:,} pairs"
            parts.append(
                f"Has labelled {pairs} of this round in another round, and is not "
                "given them again."
            )
        return " ".join(parts)


def labeller_named(username: str) -> User:
    """An active person who may label; raises ``InvalidInput``."""
    user = User.objects.filter(username=username, is_active=True).first()
    if user is None or not has_role(user, *LABELLERS):
        raise _no_labeller(username)
    return user


def _no_labeller(username: str) -> InvalidInput:
    return InvalidInput(
        "member_no_labeller",
        f"reviewers: {username!r} is nobody who holds the role reviewer or "
        "adjudicator.",
    )


def member_named(*, round_: Round, username: str) -> User:
    """Somebody who is in a round; raises ``NotFound``."""
    members = RoundMember.objects.active().select_related("reviewer")
    found = members.filter(round=round_, reviewer__username=username).first()
    if found is None:
        raise _no_member(username)
    return found.reviewer


def _no_member(username: str) -> NotFound:
    return NotFound("member_unknown", f"{username!r} is no member of this round.")


def labellers() -> list[User]:
    """Everyone who may be added to a round."""
    names = [role.value for role in LABELLERS]
    found = User.objects.filter(is_active=True, groups__name__in=names)
    return list(found.distinct().order_by("username"))


@transaction.atomic
def add_members(*, round_: Round, reviewers: Iterable[User], now: datetime) -> None:
    """Let reviewers into a round; adding one twice changes nothing.

    Raises ``InvalidInput`` for people who hold neither labelling role, and ``Conflict``
    for a round that takes no labels any more, now or later.
    """
    if not round_.is_open and round_.disclosed_at is not None:
        raise Conflict(
            "round_disclosed",
            "This round is closed and its labels were shown, so it can't be reopened: "
            "nobody would label in it. Open a new round for them.",
        )
    users = list(reviewers)
    for user in users:
        if not has_role(user, *LABELLERS):
            raise _no_labeller(user.get_username())
    # What was exhausted may not be so any more: what they held was given back.
    RoundMember.objects.filter(
        round=round_, reviewer__in=users, removed_at__isnull=False
    ).update(removed_at=None, added_at=now, exhausted=0, waiting_at=None)
    RoundMember.objects.bulk_create(
        [RoundMember(round=round_, reviewer=user, added_at=now) for user in users],
        ignore_conflicts=True,
    )


@transaction.atomic
def remove_member(*, round_: Round, reviewer: User, now: datetime) -> None:
    """Take a reviewer out of a round: labels stay, the pair they hold goes back."""
    members = RoundMember.objects.active().filter(round=round_, reviewer=reviewer)
    member = members.select_for_update().first()
    if member is None:
        raise _no_member(reviewer.get_username())
    member.removed_at = now
    member.save(update_fields=["removed_at"])
    Seat.objects.filter(
        round=round_, reviewer=reviewer, available_at__isnull=False
    ).update(reviewer=None, available_at=now)
    Assignment.objects.filter(
        round=round_, reviewer=reviewer, ended_at__isnull=True
    ).update(ended_at=now)


def warnings(*, round_: Round, users: Iterable[User]) -> dict[int, Warned]:
    """What to know about each person before their labels are relied on."""
    users = list(users)
    of_round = Seat.objects.filter(round=round_, pair=OuterRef("pair_id"))
    spoilt = dict(
        Exposure.objects.filter(Exists(of_round), user__in=users)
        .order_by()
        .values_list("user")
        .annotate(n=Count("pair", distinct=True))
    )
    here = Seat.objects.filter(round=round_, pair=OuterRef("pair"), pass_no=1)
    elsewhere = dict(
        Seat.objects.filter(Exists(here), reviewer__in=users)
        .filter(available_at__isnull=True, retest_of__isnull=True)
        .exclude(round=round_)
        .order_by()
        .values_list("reviewer")
        .annotate(n=Count("pair", distinct=True))
    )
    readers = {role.value for role in READERS}
    reading = set(
        User.objects.filter(
            Q(groups__name__in=readers) | Q(is_superuser=True),
            pk__in=[user.pk for user in users],
        ).values_list("pk", flat=True)
    )
    return {
        user.pk: Warned(
            user.pk in reading, spoilt.get(user.pk, 0), elsewhere.get(user.pk, 0)
        )
        for user in users
    }
