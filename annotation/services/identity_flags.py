"""Which pairs hold a response that names a system; kept true when aliases change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotation.domain.digests import digest_of
from annotation.domain.identity import NameScanner
from annotation.domain.texts import plain_text
from annotation.models import Pair, Response
from annotation.services.stored_texts import read_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from annotation.models import GoldSet

IDENTITY_LEAK = "identity_leak"
AT_ONCE = 500


def names_of(gold_set: GoldSet) -> list[str]:
    """Every name and alias of the set's systems."""
    return [n for s in gold_set.systems.all() for n in (s.name, *s.aliases)]


def names_digest(gold_set: GoldSet) -> str:
    """What a scan for names looked for; another digest means that it is out of date."""
    return digest_of(["names", sorted(names_of(gold_set))])


def rescan(gold_set: GoldSet) -> int:
    """Flag the pairs whose responses name a system now, and unflag the others.

    Returns how many pairs are flagged. All texts are read, a few at a time; nothing is
    locked meanwhile.
    """
    leaking = _leaking(gold_set)
    rows = Pair.objects.filter(gold_set=gold_set).order_by()
    changed: list[Pair] = []
    flagged = 0
    for pk, one, two, flags in rows.values_list(
        "pk", "baseline_id", "candidate_id", "flags"
    ).iterator(chunk_size=AT_ONCE):
        leaks = not leaking.isdisjoint((one, two))
        flagged += leaks
        if leaks != (IDENTITY_LEAK in flags):
            kept = [flag for flag in flags if flag != IDENTITY_LEAK]
            changed.append(Pair(pk=pk, flags=kept + [IDENTITY_LEAK] * leaks))
    Pair.objects.bulk_update(changed, ["flags"], batch_size=AT_ONCE)
    return flagged


def _leaking(gold_set: GoldSet) -> set[int]:
    scanner = NameScanner(names_of(gold_set))
    rows: Iterable[tuple[int, object]] = (
        Response.objects.filter(case__gold_set=gold_set)
        .order_by()
        .values_list("pk", "text")
        .iterator(chunk_size=AT_ONCE)
    )
    return {pk for pk, text in rows if scanner.scan(plain_text(read_text(text)))}
