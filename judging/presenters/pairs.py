"""Which pairs the judge pages may show: never one that is held out anywhere.

A held-out reply read here would be a look that nobody counts (DESIGN rule 15), and so
would the same texts once more, in another set or under other names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotation.domain.outcomes import Split
from annotation.models import GoldSet, Pair
from annotation.services.held_out import held_out_anywhere
from config.errors import NotAllowed

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from annotation.models.cases import PairQuerySet

HELD_OUT = (
    "This pair is held out, here or where the same texts stand once more. Its "
    "replies are not shown: a look at held-out results is made through a report, where "
    "it is counted."
)


def held_out_pairs() -> PairQuerySet:
    """Every pair that is held out in its set."""
    return Pair.objects.filter(case__split=Split.HELD_OUT.value)


def open_pairs(gold_set: GoldSet) -> PairQuerySet:
    """The pairs of a set that may be shown with what a judge said of them."""
    return (
        Pair.objects.filter(gold_set=gold_set)
        .exclude(case__split=Split.HELD_OUT.value)
        .exclude(texts_digest__in=held_out_pairs().values("texts_digest"))
    )


def refuse_held_out(pair: Pair) -> None:
    """Raise ``NotAllowed`` for a pair that is held out anywhere."""
    if held_out_anywhere(pair):
        raise NotAllowed("held_out", HELD_OUT)


def dev_pairs(gold_set: GoldSet) -> PairQuerySet:
    """The pairs that a draft may be tried on."""
    return open_pairs(gold_set).filter(case__split=Split.DEV.value).usable().in_order()


def sets_with_dev() -> QuerySet[GoldSet]:
    """Gold sets that have pairs to try a draft on."""
    dev = Pair.objects.filter(case__split=Split.DEV.value)
    return GoldSet.objects.filter(pk__in=dev.values("gold_set")).order_by("name")
