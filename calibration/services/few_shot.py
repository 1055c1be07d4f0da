"""Whether a judge's own texts hold cases that it is measured on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from annotation.domain.outcomes import Split
from annotation.domain.quotes import Body, Quoted
from annotation.domain.texts import plain_text, text_from_json
from annotation.models import GoldItem, Pair

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from annotation.models import GoldVersion
    from judging.models import JudgeConfig

SHORTEST = 24
CHUNK = 2000


def few_shot(configs: Iterable[JudgeConfig], gold: GoldVersion) -> dict[str, Any]:
    """Search what judges are told for the held-out cases of a gold version.

    Gives the number of ``texts`` and of ``cases``, and the ids of cases of which a
    prompt, context, reference or response occurs ``exact`` or ``near``.
    """
    texts = sorted({text for one in configs for text in _texts(one.spec)})
    body = Body(texts)
    found: dict[Quoted, set[str]] = {Quoted.EXACT: set(), Quoted.NEAR: set()}
    cases = set()
    for pair in _held_out(gold):
        name = pair.case.external_id
        cases.add(name)
        for text in _of_pair(pair) if texts else ():
            if how := body.holds(text):
                found[how].add(name)
    exact = found[Quoted.EXACT]
    return {
        "texts": len(texts),
        "cases": len(cases),
        "exact": sorted(exact),
        "near": sorted(found[Quoted.NEAR] - exact),
    }


def _texts(value: Any) -> Iterator[str]:
    """Every text of a specification that is long enough to hold a quotation."""
    if isinstance(value, str) and len(value) >= SHORTEST:
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)


def _held_out(gold: GoldVersion) -> Iterator[Pair]:
    items = GoldItem.objects.filter(version=gold, split=Split.HELD_OUT.value)
    pairs = Pair.objects.filter(pk__in=items.values("pair")).with_texts()
    return pairs.order_by("pk").iterator(chunk_size=CHUNK)


def _of_pair(pair: Pair) -> Iterator[str]:
    case = pair.case
    for text in (
        case.prompt, case.context, case.reference, pair.baseline.text,
        pair.candidate.text,
    ):  # fmt: skip
        if text:
            yield plain_text(text_from_json(text))
