"""Waivers of critical cases: asked for, confirmed by another person, revoked."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction

from annotation.domain.texts import says_something
from annotation.models import Case, Pair
from calibration.domain.waivers import Standing, WaiverState, state_of
from calibration.models import Waiver, WaiverConfirmation, WaiverRevocation
from config.errors import Conflict, InvalidInput, NotAllowed, NotFound

if TYPE_CHECKING:
    from datetime import datetime

    from annotation.models import GoldSet
    from config.accounts.models import User

MOST_CASES = 100
LONGEST_TEXT = 4000
LONGEST_OWNER = 200
LONGEST = timedelta(days=366)  # an exception that never ends would be a rule


@dataclass(frozen=True, slots=True)
class WaiverWish:
    """What a waiver says: which cases, what it may cost, whose it is, why, how long.

    ``systems`` are the baseline and the candidate that it is for; they may be left out
    where the set compares no others.
    """

    case_ids: tuple[str, ...]
    impact: str
    owner: str
    reason: str
    expires_at: datetime
    systems: tuple[str, ...] = ()


def waiver_by_id(waiver_id: int) -> Waiver:
    """One waiver; raises ``NotFound``."""
    found = Waiver.objects.with_people().filter(pk=waiver_id).first()
    if found is None:
        raise NotFound("waiver_unknown", f"There is no waiver {waiver_id}.")
    return found


def standing_of(waiver: Waiver) -> Standing:
    """What has happened to a waiver."""
    confirmation = getattr(waiver, "confirmation", None)
    return Standing(
        asked_by=waiver.asked_by.username,
        expires_at=waiver.expires_at,
        confirmed_by=confirmation.confirmed_by.username if confirmation else None,
        revoked=hasattr(waiver, "revocation"),
    )


def waiver_state(waiver: Waiver, now: datetime) -> WaiverState:
    """Whether a waiver counts now."""
    return state_of(standing_of(waiver), now)


@transaction.atomic
def ask_waiver(
    *, gold_set: GoldSet, wish: WaiverWish, by: User, now: datetime
) -> Waiver:
    """Ask for a waiver of named critical cases; it counts once it is confirmed."""
    cases = tuple(dict.fromkeys(case.strip() for case in wish.case_ids if case.strip()))
    texts = [wish.impact.strip(), wish.owner.strip(), wish.reason.strip()]
    _refuse_texts(*texts)
    _refuse_cases(gold_set, cases)
    systems = _systems(gold_set, wish.systems, cases)
    if wish.expires_at <= now:
        raise InvalidInput("waiver_invalid", "expires_at: must lie in the future")
    if wish.expires_at > now + LONGEST:
        last = now + LONGEST
        raise InvalidInput(
            "waiver_invalid",
            f"expires_at: a waiver lasts {LONGEST.days} days at most, now until "
            f"{last:%Y-%m-%d}; ask again when it ends",
        )
    impact, owner, reason = texts
    return Waiver.objects.create(
        gold_set=gold_set,
        case_ids=list(cases),
        systems=list(systems),
        impact=impact,
        owner=owner,
        reason=reason,
        expires_at=wish.expires_at,
        asked_at=now,
        asked_by=by,
    )


@transaction.atomic
def confirm_waiver(*, waiver: Waiver, by: User, now: datetime) -> WaiverConfirmation:
    """Stand for a waiver that somebody else asked for."""
    found = Waiver.objects.select_for_update(of=("self",)).get(pk=waiver.pk)
    if found.asked_by_id == by.pk:
        raise NotAllowed(
            "waiver_needs_another",
            "A waiver is confirmed by somebody other than who asked for it.",
        )
    state = waiver_state(found, now)
    if state is not WaiverState.UNCONFIRMED:
        raise Conflict("waiver_settled", f"This waiver is {_word(state)} already.")
    return WaiverConfirmation.objects.create(
        waiver=found, asked_by=found.asked_by, confirmed_at=now, confirmed_by=by
    )


@transaction.atomic
def revoke_waiver(
    *, waiver: Waiver, reason: str, by: User, now: datetime
) -> WaiverRevocation:
    """End a waiver; decisions that used it stay as they are."""
    reason = reason.strip()
    if not says_something(reason) or len(reason) > LONGEST_TEXT:
        message = f"reason: 1 to {LONGEST_TEXT} characters are needed, and visible ones"
        raise InvalidInput("waiver_invalid", message)
    try:
        with transaction.atomic():
            return WaiverRevocation.objects.create(
                waiver=waiver, reason=reason, revoked_at=now, revoked_by=by
            )
    except IntegrityError as error:
        message = "This waiver is revoked already."
        raise Conflict("waiver_settled", message) from error


def _word(state: WaiverState) -> str:
    return {"in_force": "confirmed"}.get(state.value, state.value)


def _refuse_texts(impact: str, owner: str, reason: str) -> None:
    limits = (
        ("impact", impact, LONGEST_TEXT),
        ("owner", owner, LONGEST_OWNER),
        ("reason", reason, LONGEST_TEXT),
    )
    for name, text, most in limits:
        if not says_something(text) or len(text) > most:
            message = f"{name}: 1 to {most} characters are needed, and visible ones"
            raise InvalidInput("waiver_invalid", message)


def _refuse_cases(gold_set: GoldSet, cases: tuple[str, ...]) -> None:
    if not 1 <= len(cases) <= MOST_CASES:
        message = f"case_ids: name 1 to {MOST_CASES} cases"
        raise InvalidInput("waiver_invalid", message)
    known = dict(
        Case.objects.filter(gold_set=gold_set, external_id__in=cases).values_list(
            "external_id", "critical"
        )
    )
    for case in cases:
        if case not in known:
            message = f"case_ids: {gold_set.name} has no case {case!r}"
            raise InvalidInput("waiver_invalid", message, {"case_id": case})
        if not known[case]:
            message = f"case_ids: {case!r} is not critical, so nothing is to be lifted"
            raise InvalidInput("waiver_invalid", message, {"case_id": case})


def _systems(
    gold_set: GoldSet, wanted: tuple[str, ...], cases: tuple[str, ...]
) -> tuple[str, str]:
    """The baseline and the candidate that a waiver is for."""
    of_cases = Pair.objects.filter(gold_set=gold_set, case__external_id__in=cases)
    found: dict[tuple[str, str], set[str]] = {}
    names = ("baseline__system__name", "candidate__system__name", "case__external_id")
    for baseline, candidate, case in of_cases.order_by("pk").values_list(*names):
        found.setdefault((baseline, candidate), set()).add(case)
    if not wanted and len(gold_set.system_names()) == len(("baseline", "candidate")):
        wanted = next(iter(found), ())
    if wanted not in found:
        message = (
            "systems: name the baseline and the candidate that the waiver is for, as "
            f"these cases have them: {', '.join('|'.join(each) for each in found)}"
        )
        raise InvalidInput("waiver_invalid", message)
    baseline, candidate = wanted
    for case in cases:
        if case not in found[baseline, candidate]:
            message = f"case_ids: {case!r} has no pair of {baseline} and {candidate}"
            raise InvalidInput("waiver_invalid", message, {"case_id": case})
    return baseline, candidate
