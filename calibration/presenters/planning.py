"""A labelling plan as text."""

from __future__ import annotations

from math import isclose
from typing import TYPE_CHECKING

from calibration.presenters.figures import count_text, rounded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from calibration.domain.planning import Suggestion
    from calibration.presenters.columns import Payload
    from calibration.services.planning import KnownShape

MOST_DIGITS = 12


def plan_text(plan: Payload) -> str:
    """What the plan's numbers mean, then the cases to label next."""
    return "\n".join([*plan_sentences(plan), *_next(plan["next"])]) + "\n"


def plan_sentences(plan: Payload) -> Iterator[str]:
    """What the plan's numbers mean, a sentence each."""
    if width := plan["half_width"]:
        yield (
            f"A rate of {asked_number(100 * width['rate'])} % to within "
            f"{asked_number(100 * width['half_width'])} points either way: "
            f"{count_text(width['pairs'], 'pair')} with gold."
        )
    if gate := plan["gate"]:
        limit, true = (
            f"{asked_number(100 * gate[name])} %" for name in ("limit", "true")
        )
        yield (
            f"No failure at all shows a rate below {limit} with "
            f"{count_text(gate['spotless'], 'pair')}."
        )
        if gate["pairs"] is None:
            yield f"A true rate of {true} is too near to {limit}: over 200,000 pairs."
        else:
            yield (
                f"A true rate of {true} passes {limit} in {_percent(gate['power'])} of "
                f"cases ({count_text(gate['looks'], 'look')}) with "
                f"{count_text(gate['pairs'], 'pair')} that count; at most "
                f"{gate['allowed']} of these may fail."
            )
            yield f"To have that many, label {count_text(gate['drawn'], 'pair')}."
    if sign := plan["sign"]:
        least = sign["smallest_share"]
        shown = "no share" if least is None else f"a share of {_percent(least)} or more"
        yield f"{count_text(sign['decisive'], 'decisive pair')} find {shown}."


def _next(cases: list[Payload]) -> Iterator[str]:
    if cases:
        yield "To label next:"
    for one in cases:
        thin = f" ({', '.join(one['slices'])})" if one["slices"] else ""
        reasons = ", ".join(reason.replace("_", " ") for reason in one["reasons"])
        yield f"  {one['case']}: {reasons}{thin}"


def _percent(share: float) -> str:
    return f"{rounded(100 * share, 1)} %"


def asked_number(value: float) -> str:
    """What somebody asked for, in as many decimals as they gave, or one."""
    texts = (rounded(value, digits) for digits in range(1, MOST_DIGITS))
    return next((text for text in texts if isclose(float(text), value)), repr(value))


def suggestion_rows(found: Iterable[Suggestion]) -> list[tuple[str, str, str]]:
    """Each suggested case with its reasons and thin slices in words."""
    return [
        (
            one.case,
            ", ".join(reason.value.replace("_", " ") for reason in one.reasons),
            ", ".join(one.slices),
        )
        for one in found
    ]


def shape_text(known: KnownShape) -> str:
    """What the newest gold holds, in words."""
    if known.pairs_per_prompt is None:
        return "No gold is frozen yet."
    pairs = count_text(known.pairs, "pair")
    found = (
        f"Without held-out pairs the newest gold has {pairs}, {known.scored:,} scored"
    )
    if known.baseline_share is not None:
        found += (
            f"; {_percent(known.baseline_share)} of these are gold baseline, of which "
            "false candidate wins are a share"
        )
    prompt = rounded(known.pairs_per_prompt, 1)
    return f"{found}. A prompt has {prompt} pairs on average."
