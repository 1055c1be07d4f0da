"""The held-out cases that a judge's own texts quote."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from annotation.domain.outcomes import Split
from annotation.domain.texts import plain_text, text_from_json
from annotation.models import Pair
from judging.domain.few_shot import few_shot_json
from judging.domain.findings import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

CHUNK = 2000
NAMED = 5
HOW = {"exact": "word for word", "near": "nearly"}


def held_out_findings(spec: dict[str, Any]) -> tuple[Finding, ...]:
    """Warn of held-out cases, of any gold set, that a specification quotes.

    A warning and no error: a text may be in every case of a set, and in the judge's
    instructions with good reason. Reports on such a judge name its cases as well.
    """
    found = few_shot_json([spec], ((_name(p), texts_of_pair(p)) for p in _held_out()))
    return tuple(_finding(how, found[how]) for how in HOW if found[how])


def texts_of_pair(pair: Pair) -> Iterator[str]:
    """What a prompt could quote of a pair: its case's texts and both responses."""
    case = pair.case
    for text in (
        case.prompt, case.context, case.reference, pair.baseline.text,
        pair.candidate.text,
    ):  # fmt: skip
        if text:
            yield plain_text(text_from_json(text))


def _name(pair: Pair) -> str:
    return f"{pair.case.external_id} of {pair.gold_set.name}"


def _held_out() -> Iterator[Pair]:
    pairs = Pair.objects.filter(case__split=Split.HELD_OUT.value).with_texts()
    return pairs.order_by("pk").iterator(chunk_size=CHUNK)


def _finding(how: str, names: list[str]) -> Finding:
    more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
    cases = "case" if len(names) == 1 else "cases"
    return Finding(
        code=f"held_out_{how}",
        field="spec",
        message=(
            f"quotes {len(names):,} held-out {cases} {HOW[how]}: "
            f"{', '.join(names[:NAMED])}{more}. A judge must not be told what it is "
            "measured on; take examples from dev."
        ),
        severity=Severity.WARNING,
    )
