"""Whether a judge's own texts hold cases that it is measured on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from annotation.domain.outcomes import Split
from annotation.models import GoldItem, Pair
from judging.domain.few_shot import few_shot_json
from judging.services.few_shot import texts_of_pair

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from annotation.models import GoldVersion
    from judging.models import JudgeConfig

CHUNK = 2000


def few_shot(configs: Iterable[JudgeConfig], gold: GoldVersion) -> dict[str, Any]:
    """Search what judges are told for the held-out cases of a gold version."""
    cases = ((pair.case.external_id, texts_of_pair(pair)) for pair in _held_out(gold))
    return few_shot_json((config.spec for config in configs), cases)


def _held_out(gold: GoldVersion) -> Iterator[Pair]:
    items = GoldItem.objects.filter(version=gold, split=Split.HELD_OUT.value)
    pairs = Pair.objects.filter(pk__in=items.values("pair")).with_texts()
    return pairs.order_by("pk").iterator(chunk_size=CHUNK)
