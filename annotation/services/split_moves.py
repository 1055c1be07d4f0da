"""What has to be said, or refused, about cases that change their split."""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotation.domain.outcomes import Split
from annotation.models import Exposure, ExposureKind, GoldSet, Pair, Round
from annotation.services.held_out import seen_elsewhere
from config.errors import Conflict

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from annotation.models import Case

RESULTS = (ExposureKind.LABELS, ExposureKind.VERDICTS)


def seen_before(
    gold_set: GoldSet, cases: Sequence[Case], assigned: Mapping[int, Split]
) -> int:
    """Pairs that become held out although their results were open before.

    Those of dev and of no split once a judge has run on the set, since only what is
    held out is closed; and those of which somebody was shown labels or verdicts.
    Either counts wherever the same texts stand, under whatever names.
    """
    moving = {
        case.pk
        for case in cases
        if assigned[case.pk] is Split.HELD_OUT and case.split != Split.HELD_OUT.value
    }
    if not moving:
        return 0
    seen = _texts_seen(gold_set)
    rows = Pair.objects.filter(gold_set=gold_set).values_list("case_id", "texts_digest")
    return sum(case in moving and texts in seen for case, texts in rows.iterator())


def _texts_seen(gold_set: GoldSet) -> set[str]:
    """Digests of those of a set's texts of which results could be seen anywhere."""
    mine = Pair.objects.filter(gold_set=gold_set).values("texts_digest")
    same = Pair.objects.filter(texts_digest__in=mine)
    shown = Exposure.objects.filter(kind__in=RESULTS, pair__in=same.values("pk"))
    judged = same.filter(gold_set__judged_at__isnull=False)
    open_ = judged.exclude(case__split=Split.HELD_OUT.value)
    found = shown.values_list("pair__texts_digest", flat=True).distinct()
    return {*found, *open_.values_list("texts_digest", flat=True).distinct()}


def refuse_seen(gold_set: GoldSet, seen: int, *, accept: bool) -> None:
    """Refuse such pairs where looks are planned, unless they are accepted by name."""
    if not seen or accept or not gold_set.look_plans.exists():
        return
    raise Conflict(
        "splits_seen",
        f"{_pairs(seen)} would become held out although results of "
        f"{'it' if seen == 1 else 'them'} could be seen, and looks at this set are "
        "planned: the held-out split would be no fresh material. Say that you accept "
        "that (--accept-seen) to go on.",
        {"seen": seen},
    )


def notices_of(gold_set: GoldSet, *, moved: int, torn: int, seen: int) -> Iterator[str]:
    """What a lead should know before splits are written."""
    if torn:
        yield (
            f"Near-duplicate prompts lie in both splits already, in {torn} groups: "
            "only reassigning all cases brings them together."
        )
    if moved and Round.objects.filter(gold_set=gold_set, closed_at=None).exists():
        yield "A round is open: its left and right were balanced over the old splits."
    if moved and gold_set.versions.exists():
        yield (
            "Frozen gold, and reports under it, keep the old splits until gold is "
            "frozen again."
        )
    if seen:
        yield (
            f"{_pairs(seen)} become{'s' if seen == 1 else ''} held out although "
            f"results of {'it' if seen == 1 else 'them'} could be seen before: a judge "
            "that was tuned on them is flattered."
        )
    if (elsewhere := seen_elsewhere(gold_set)) > 0:
        yield (
            f"{_pairs(elsewhere)} {'was' if elsewhere == 1 else 'were'} held out in "
            "another set, under whatever names, and looked at there: as held-out pairs "
            "of this set they are no fresh material."
        )


def _pairs(count: int) -> str:
    return "1 pair" if count == 1 else f"{count} pairs"
