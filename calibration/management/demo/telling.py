"""What the demo says at its end: planted against found, and who may sign in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from calibration.management.demo import judge
from calibration.management.demo.people import LOGINS, PASSWORD
from config.accounts.roles import Role

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

TRY = {
    Role.REVIEWER: "label the open round: keys 1, 2, 0, S and Enter",
    Role.ADJUDICATOR: "label too, as the second pair of eyes",
    Role.LEAD: "gold sets, judge runs and the calibration report",
    Role.AUDITOR: "read all of it, change none",
}


def planted_and_found(payload: Mapping[str, Any]) -> Iterator[str]:
    """Set each planted bias beside the figures that show it, over all pairs."""
    block = payload["splits"]["all"]
    position, calls = block["position"], block["invalid_calls"]
    yield (
        f"first slot   planted: {judge.FIRST_SLOT:.0%} of calls choose it whatever "
        "it holds"
    )
    yield (
        f"             found: {position['first_slot_flips']} flips towards the first "
        f"slot, {position['second_slot_flips']} towards the second "
        f"(p = {_p(position['slot_test'])}); first in "
        f"{_percent(position['first_slot_choices'])} of decisive calls"
    )
    yield (
        f"errors       planted: {1 - judge.ACCURACY:.0%} of pairs misjudged, "
        f"{judge.LENGTH:.0%} go to the longer response"
    )
    yield (
        f"             found: agreement {_percent(block['exact_agreement'])}; false "
        f"candidate wins {_percent(block['false_candidate_wins'])}, false baseline "
        f"wins {_percent(block['false_baseline_wins'])}"
    )
    kinds = ", ".join(f"{n} {reason}" for reason, n in calls.items() if n)
    yield f"bad replies  planted: {sum(judge.SHAPES.values()):.1%} of calls"
    yield (
        f"             found: {sum(calls.values())} invalid calls ({kinds}), none "
        "counted as a tie"
    )


def logins() -> Iterator[str]:
    """One line for each login: name, and what it is good for."""
    yield f"Logins, all with the password {PASSWORD}"
    for login in LOGINS:
        yield f"  {login.username:<12} {TRY[login.role]}"


def _percent(figure: Mapping[str, Any]) -> str:
    if figure["value"] is None:
        return "an undefined share"
    low, high, n = 100 * figure["low"], 100 * figure["high"], figure["denominator"]
    return f"{figure['value']:.1%} ({low:.0f} to {high:.0f}, n = {n:g})"


def _p(test: Mapping[str, Any]) -> str:
    p = test["p_value"]
    return "undefined" if p is None else f"{p:.2g}"
