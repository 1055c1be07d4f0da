"""Held-out gold: every showing of it is told of, and splits stay as they are after it.

Looks are counted by a later app, which says here how it wants to be told of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import Q

from annotation.domain.outcomes import Split
from annotation.models import GoldItem, GoldSet, Pair
from annotation.services.seals import is_sealed, refuse_sealed_set, seals_nothing
from config.errors import Conflict

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from django.db.models import QuerySet

    from config.accounts.models import User


class LookNeeded(Conflict):
    """Nobody sees this by following a link: they ask for a look, and say why."""


class LooksSpent(LookNeeded):
    """The budget is used up: a further look needs a reason."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks: a signed-in user, or whoever ran a command; and through which door.

    ``asked`` is false for who merely opened an address: they are shown what they have
    seen already, and otherwise told what a look would cost (`LookNeeded`).
    """

    user: User | None
    door: str
    actor: str = ""
    reason: str = ""
    asked: bool = True


@dataclass(frozen=True, slots=True)
class Showing:
    """Held-out labels, rulings or gold that this app is about to show.

    ``state`` is a digest of what they tell: as long as it is the same, the same person
    learns nothing new.
    """

    gold_set: GoldSet
    what: str
    state: str
    viewer: Viewer


_listeners: list[Callable[[Showing, datetime], None]] = []


def tell_of_showings(listener: Callable[[Showing, datetime], None]) -> None:
    """Have ``listener`` called before anything held out is shown; it may refuse."""
    if listener not in _listeners:
        _listeners.append(listener)


def show_held_out(showing: Showing, *, now: datetime) -> None:
    """Refuse what is sealed, tell of what is not, and lock the splits.

    Every service of this app calls it before it gives out labels, rulings or gold of
    held-out pairs to somebody who does not label or rule on them (DESIGN rule 15).
    """
    refuse_sealed_set(showing.gold_set)
    for listener in _listeners:
        listener(showing, now)
    note_held_out_seen(gold_set_id=showing.gold_set.pk, now=now)


def note_held_out_seen(*, gold_set_id: int, now: datetime) -> None:
    """Note when held-out gold or results of a set were first seen; the first is kept.

    Every app calls this where it shows them.
    """
    GoldSet.objects.filter(pk=gold_set_id, held_out_seen_at__isnull=True).update(
        held_out_seen_at=now
    )


def splits_locked(gold_set: GoldSet) -> bool:
    """Whether :func:`refuse_if_seen` would refuse."""
    return gold_set.held_out_seen_at is not None or _sealed_in_place(gold_set)


def _sealed_in_place(gold_set: GoldSet) -> bool:
    """Whether a seal lies on pairs of the set; one on none keeps no split in place."""
    return is_sealed(gold_set) and not seals_nothing(gold_set)


def refuse_if_seen(gold_set: GoldSet) -> None:
    """Refuse to move splits of a set whose held-out pairs were looked at, or sealed."""
    if gold_set.held_out_seen_at is not None:
        when = f"{gold_set.held_out_seen_at:%Y-%m-%d %H:%M} UTC"
        raise Conflict(
            "splits_locked",
            f"Held-out results of {gold_set.name} were looked at on {when}: its splits "
            "stay as they are. New splits need a new gold set.",
            {"held_out_seen_at": gold_set.held_out_seen_at.isoformat()},
        )
    if _sealed_in_place(gold_set):
        raise Conflict(
            "splits_locked",
            f"{gold_set.name} is sealed: a pair that moved to dev would be shown. Its "
            "splits stay as they are.",
        )


def held_out_ever(**of: Any) -> QuerySet[Pair]:
    """Pairs that are held out, or were as gold was frozen: a look may be at either."""
    frozen = GoldItem.objects.filter(split=Split.HELD_OUT.value)
    frozen = frozen.filter(**{f"pair__{name}": value for name, value in of.items()})
    ever = Q(case__split=Split.HELD_OUT.value) | Q(pk__in=frozen.values("pair"))
    return Pair.objects.filter(ever, **of)


def held_out_anywhere(pair: Pair) -> bool:
    """Whether the texts of a pair are held out, here or under whatever name."""
    same = Pair.objects.filter(texts_digest=pair.texts_digest)
    return same.filter(case__split=Split.HELD_OUT.value).exists()


def sets_holding_out(pairs: QuerySet[Pair]) -> QuerySet[GoldSet]:
    """The sets that hold out any of these pairs' texts, under whatever names."""
    texts = pairs.order_by().values("texts_digest")
    same = Pair.objects.filter(texts_digest__in=texts)
    held_out = same.filter(case__split=Split.HELD_OUT.value)
    return GoldSet.objects.filter(pk__in=held_out.values("gold_set")).order_by("pk")


def seen_elsewhere(gold_set: GoldSet) -> int:
    """How many pairs were held out, and looked at, as pairs of another set.

    The same texts under other names are no fresh material.
    """
    seen = held_out_ever(gold_set__held_out_seen_at__isnull=False).exclude(
        gold_set=gold_set
    )
    texts = seen.values("texts_digest")
    return Pair.objects.filter(gold_set=gold_set, texts_digest__in=texts).count()
