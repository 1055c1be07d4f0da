"""How often held-out results were looked at, also under another set's name.

Looks follow the texts: sets that hold the same ones held out are kin, whatever cases
and systems are called there, and a look at one of them is a look at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import Exists, F, Min, OuterRef, Q, QuerySet

from annotation.domain.outcomes import Split
from annotation.models import GoldItem, GoldSet, Pair, Unsealing
from annotation.services.held_out import held_out_ever
from annotation.services.look_plans import Terms, terms_of
from calibration.models import Look, Report
from judging.models import JudgeConfig

if TYPE_CHECKING:
    from datetime import datetime


def kin_of(gold_set: GoldSet) -> list[int]:
    """The set, and every other with looks that shares held-out texts with it."""
    return [gold_set.pk, *_sharing(gold_set, Look.objects.values("gold_set"))]


def _sharing(gold_set: GoldSet, sets: QuerySet[Any, Any]) -> list[int]:
    """Those of ``sets`` that hold texts held out which this one holds out as well."""
    mine = held_out_ever(gold_set=gold_set.pk).values("texts_digest")
    others = GoldSet.objects.filter(pk__in=sets).exclude(pk=gold_set.pk)
    return [
        other
        for other in others.order_by("pk").values_list("pk", flat=True)
        if held_out_ever(gold_set=other).filter(texts_digest__in=mine).exists()
    ]


def looks_at(gold_set: GoldSet) -> QuerySet[Look]:
    """All looks at a set's held-out pairs, also those taken under another name.

    Importing the same texts again as a new set does not bring the looks back.
    """
    return Look.objects.filter(gold_set__in=kin_of(gold_set))


def subjects_seen(gold_set: GoldSet) -> list[str]:
    """Digests of what was shown, in the order of their first look."""
    looks = looks_at(gold_set).order_by("looked_at", "pk")
    seen = looks.values_list("subject", "report__digest")
    return list(dict.fromkeys(subject or report or "" for subject, report in seen))


def looks_used(gold_set: GoldSet) -> int:
    """How many different results of a set were disclosed."""
    return len(subjects_seen(gold_set))


def budget_of(gold_set: GoldSet, terms: Terms | None = None) -> int:
    """The looks that were planned; of sets with the same texts, the fewest."""
    budget = (terms or terms_of(gold_set)).budget
    others = GoldSet.objects.filter(pk__in=kin_of(gold_set)).exclude(pk=gold_set.pk)
    return min([budget, *(terms_of(other).budget for other in others)])


def looks_before(gold_set: GoldSet, config: JudgeConfig) -> int:
    """How many different held-out results were seen before a judge was frozen.

    Such a judge may have been chosen or changed by what was seen. A judge frozen
    earlier under the same digest is the same judge. Words of sealed looks do not
    count: the plan allows for them.
    """
    made = _first_frozen(config)
    if made is None:
        return 0
    seen = looks_at(gold_set).filter(word="", looked_at__lt=made)
    subjects = seen.values_list("subject", "report__digest")
    return len({subject or report for subject, report in subjects})


def frozen_after_unsealing(gold_set: GoldSet, config: JudgeConfig) -> bool:
    """Whether a judge was made after everything held out had been shown.

    The split is used up by then: what it says of such a judge measures nothing.
    """
    made, unsealed = _first_frozen(config), unsealed_at(gold_set)
    return unsealed is not None and (made is None or made > unsealed)


def unsealed_at(gold_set: GoldSet) -> datetime | None:
    """When held-out texts of a set were first unsealed, here or under another name."""
    unsealed = Unsealing.objects.values("gold_set")
    sets = [gold_set.pk, *_sharing(gold_set, unsealed)]
    found = Unsealing.objects.filter(gold_set__in=sets)
    first: datetime | None = found.aggregate(first=Min("unsealed_at"))["first"]
    return first


def _first_frozen(config: JudgeConfig) -> datetime | None:
    same = JudgeConfig.objects.filter(
        Q(pk=config.pk) | Q(digest=config.digest, digest__gt="")
    )
    found: datetime | None = same.aggregate(first=Min("frozen_at"))["first"]
    return found


def splits_moved(report: Report) -> int:
    """Pairs of a report's gold that its set has in another split by now."""
    items = GoldItem.objects.filter(version_id=report.gold_version_id)
    return items.exclude(split=F("pair__case__split")).count()


def open_elsewhere(held_out: QuerySet[Pair]) -> int:
    """How many held-out pairs have texts that are judged where nothing holds them out.

    Results of those are open to all, in dev of another set or under another name here.
    So were those of a report on gold that was frozen before the splits changed.
    """
    same = Pair.objects.filter(texts_digest=OuterRef("texts_digest"))
    judged = same.filter(gold_set__judged_at__isnull=False)
    now = judged.exclude(case__split=Split.HELD_OUT.value)
    then = GoldItem.objects.filter(
        pair__texts_digest=OuterRef("texts_digest"),
        version__in=Report.objects.values("gold_version"),
    ).exclude(split=Split.HELD_OUT.value)
    return held_out.filter(Exists(now) | Exists(then)).count()
