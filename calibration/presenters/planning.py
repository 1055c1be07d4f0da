"""A labelling plan as text."""

from __future__ import annotations

from math import isclose
from typing import TYPE_CHECKING

from calibration.presenters.figures import count_text, rounded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from calibration.presenters.columns import Payload
    from calibration.services.planning import KnownShape

MOST_DIGITS = 12


def plan_text(plan: Payload) -> str:
    """What the plan's numbers mean, then the pairs to label next."""
    return "\n".join([*plan_sentences(plan), *_next(plan["next"])]) + "\n"


def plan_sentences(plan: Payload) -> Iterator[str]:
    """What the plan's numbers mean, a sentence each."""
    if width := plan["half_width"]:
        yield (
            f"A rate of {asked_number(100 * width['rate'])} % to within "
            f"{asked_number(100 * width['half_width'])} points either way: "
            f"{count_text(width['pairs'], 'pair')} with gold{_of_cases(width)}."
        )
    if gate := plan["gate"]:
        yield from _gate(gate)
    if sign := plan["sign"]:
        least = sign["smallest_share"]
        shown = "no share" if least is None else f"a share of {_percent(least)} or more"
        worth = _worth(sign, "decisive")
        yield f"{count_text(sign['decisive'], 'decisive pair')}{worth} find {shown}."
    if wanted := plan["preference"]:
        yield _preference(wanted)
    if judges := plan["judges"]:
        yield _judges(judges)
    if gap := plan["gap"]:
        yield _gap(gap)
    if plan["clustering"]:
        yield clustering_text(plan["clustering"])


def _gate(gate: Payload) -> Iterator[str]:
    limit, true = (f"{asked_number(100 * gate[name])} %" for name in ("limit", "true"))
    yield (
        f"No failure at all shows a rate below {limit} with "
        f"{count_text(gate['spotless'], 'pair')}."
    )
    if gate["pairs"] is None:
        yield f"A true rate of {true} is too near to {limit}: over 200,000 pairs."
        return
    failures = "none" if gate["allowed"] is None else f"at most {gate['allowed']:,}"
    yield (
        f"A true rate of {true} passes {limit} in {_percent(gate['power'])} of "
        f"cases ({count_text(gate['looks'], 'look')}) with "
        f"{count_text(gate['pairs'], 'pair')} that count{_worth(gate)}; "
        f"{failures} of these may fail."
    )
    cases = count_text(gate["cases"], "case")
    yield f"To have that many, label {count_text(gate['drawn'], 'pair')} of {cases}."


def _preference(wanted: Payload) -> str:
    share = f"{asked_number(100 * wanted['share'])} %"
    if wanted["pairs"] is None:
        return f"A share of {share} is too near to half: over 200,000 decisive pairs."
    return (
        f"A true share of {share} of wins is found in {_percent(wanted['power'])} of "
        f"cases with {count_text(wanted['pairs'], 'decisive pair')}{_of_cases(wanted)}."
    )


def _judges(asked: Payload) -> str:
    told = (
        f"A difference of {asked_number(100 * asked['difference'])} points between two "
        f"judges, where one alone has {asked_number(100 * asked['discordant'])} % of "
        "pairs right,"
    )
    if asked["pairs"] is None:
        return f"{told} is too small: over 200,000 pairs."
    return (
        f"{told} is found in {_percent(asked['power'])} of cases with "
        f"{count_text(asked['pairs'], 'pair')} with gold{_of_cases(asked)}."
    )


def _gap(asked: Payload) -> str:
    rate, gap = asked["dev_rate"], asked["gap"]
    told = (
        f"A rate of {asked_number(100 * rate)} % on dev and "
        f"{asked_number(100 * (rate - gap))} % on held-out"
    )
    if asked["pairs"] is None:
        return f"{told} are too near to each other: over 200,000 pairs."
    return (
        f"{told} are told apart in {_percent(asked['power'])} of cases with "
        f"{count_text(asked['dev'], 'dev pair')} and "
        f"{count_text(asked['held_out'], 'held-out pair')} with gold"
        f"{_of_cases(asked)}."
    )


def _of_cases(sizes: Payload) -> str:
    return f" of {count_text(sizes['cases'], 'case')}{_worth(sizes)}"


def _worth(sizes: Payload, name: str = "pairs") -> str:
    """As how many independent pairs they count, where that is another number."""
    if sizes["independent"] == sizes[name]:
        return ""
    return f" (worth {sizes['independent']:,} that stand alone)"


def clustering_text(found: Payload) -> str:
    """The design effect of a plan, and where it comes from."""
    return f"Design effect {rounded(found['design_effect'], 2)}: {_source(found)}"


def _source(found: Payload) -> str:
    prompt = f"a prompt has {_pairs(found['pairs_per_prompt'])}"
    alike = "" if found["correlation"] is None else rounded(found["correlation"], 2)
    match found["source"]:
        case "assumed":
            return "taken as 1, since every pair is thought of as standing alone."
        case "single":
            return "every prompt of the set has one pair."
        case "report":
            return (
                f"that of exact agreement in report {found['report']}, without its "
                f"held-out pairs and over {found['prompts']:,} prompts of several; "
                f"pairs of one prompt correlate by {alike}, and {prompt}."
            )
        case "worst":
            return (
                "the worst case, pairs of one prompt fully alike, since no report over "
                f"20 prompts of several pairs tells how alike they are; {prompt}."
            )
        case _:
            return f"as asked, correlation {alike or 'none'}; {prompt}."


def _pairs(mean: float) -> str:
    whole = float(mean).is_integer()
    return count_text(int(mean), "pair") if whole else f"{rounded(mean, 1)} pairs"


def _next(pairs: list[Payload]) -> Iterator[str]:
    if pairs:
        yield "To label next:"
    for one in pairs:
        thin = f" ({', '.join(one['slices'])})" if one["slices"] else ""
        reasons = ", ".join(reason.replace("_", " ") for reason in one["reasons"])
        yield f"  {one['name']}: {reasons}{thin}"


def _percent(share: float) -> str:
    return f"{rounded(100 * share, 1)} %"


def asked_number(value: float) -> str:
    """What somebody asked for, in as many decimals as they gave, or one."""
    texts = (rounded(value, digits) for digits in range(1, MOST_DIGITS))
    return next((text for text in texts if isclose(float(text), value)), repr(value))


def suggestion_rows(found: Iterable[Payload]) -> list[tuple[str, str, str, str]]:
    """Each suggested pair: its case, systems, reasons and thin slices in words."""
    return [
        (
            one["case"],
            " | ".join(one["systems"]),
            ", ".join(reason.replace("_", " ") for reason in one["reasons"]),
            ", ".join(one["slices"]),
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
