"""What is sealed: held-out pairs whose results nobody sees until they are unsealed.

The seal lies on the texts themselves: wherever they stand once more, they are under it
too, whatever set, split, case id or system name they have there (DESIGN rule 15).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import Q

from annotation.domain.outcomes import Split
from annotation.models import GoldSet, LookPlan, Pair
from config.errors import NotAllowed

if TYPE_CHECKING:
    from django.db.models import QuerySet


class Sealed(NotAllowed):
    """These results are sealed."""


def sealed_pairs() -> QuerySet[Pair]:
    """The held-out pairs of the sets that are sealed now."""
    sealed = LookPlan.objects.sealing().values("gold_set")
    return Pair.objects.filter(gold_set__in=sealed, case__split=Split.HELD_OUT.value)


def any_seal() -> bool:
    """Whether anything is sealed at all: the short way out for everybody else."""
    return LookPlan.objects.sealing().exists()


def under_seal(pairs: QuerySet[Pair]) -> QuerySet[Pair]:
    """Those of ``pairs`` that are sealed, here or as the same texts elsewhere."""
    return pairs.filter(texts_digest__in=sealed_pairs().values("texts_digest"))


def sealed_of(gold_set: GoldSet) -> set[int]:
    """Rows of a set's pairs that are under a seal: in no split of it are they shown."""
    if not any_seal():
        return set()
    mine = under_seal(Pair.objects.filter(gold_set=gold_set))
    return set(mine.values_list("pk", flat=True))


def not_under_seal(path: str = "") -> Q:
    """The condition that a pair, or the one at ``path``, is not sealed."""
    if not any_seal():
        return Q()
    sealed = sealed_pairs().values("texts_digest")
    name = f"{path}__texts_digest" if path else "texts_digest"
    return ~Q(**{f"{name}__in": sealed})


def is_sealed(gold_set: GoldSet) -> bool:
    """Whether the set's own plan seals its held-out results."""
    return LookPlan.objects.sealing().filter(gold_set=gold_set).exists()


def seals_nothing(gold_set: GoldSet) -> bool:
    """Whether a set is sealed though nothing of it is held out.

    No set is sealed so any more; one that was hides nothing, and none of its reports
    has a held-out pair to look at. So its splits may be assigned, which ends this.
    """
    held_out = gold_set.cases.filter(split=Split.HELD_OUT.value)
    return is_sealed(gold_set) and not held_out.exists()


def refuse_sealed(pairs: QuerySet[Pair]) -> None:
    """Raise ``Sealed`` where any of ``pairs`` is under a seal."""
    if not any_seal():
        return
    found = under_seal(pairs).values_list("texts_digest", flat=True).first()
    if found is None:
        return
    by = GoldSet.objects.filter(pk__in=_sets_of(found)).order_by("pk").first()
    raise Sealed("held_out_sealed", _words(by), {"gold_set": by.name if by else ""})


def refuse_sealed_set(gold_set: GoldSet) -> None:
    """Raise ``Sealed`` where any held-out pair of a set is under a seal."""
    held_out = Pair.objects.filter(gold_set=gold_set, case__split=Split.HELD_OUT.value)
    refuse_sealed(held_out)


def _sets_of(texts: str) -> QuerySet[Pair, Any]:
    return sealed_pairs().filter(texts_digest=texts).values("gold_set")


def _words(by: GoldSet | None) -> str:
    name = by.name if by else "another set"
    return (
        f"The held-out results of {name} are sealed: their gold, labels, verdicts, "
        "replies and exports are not shown to anybody. A look at a report says only "
        "whether the judge passed; unsealing shows everything and uses the split up."
    )
