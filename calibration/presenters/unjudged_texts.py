"""What is said of the pairs of a set that a release run did not judge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from calibration.presenters.figures import count_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    Stored = Mapping[str, Any]


def every_pair_text(one: Stored) -> str:
    """Explain in one sentence whether a run judged every pair."""
    if one["value"] is None:
        return f"There is no value, since {one['why']}."
    pairs = count_text(one["n"], "pair")
    if one["result"] == "pass":
        which = "the only pair" if one["n"] == 1 else f"all {pairs}"
        return f"The run judged {which} that it was to judge."
    return (
        f"The run judged {one['numerator']:,} of the {pairs} that it was to judge: "
        "whoever chooses the pairs may choose the result."
    )


def not_judged_text(found: Stored | None) -> str:
    """How many pairs of the set the run left out, or nothing where it left none."""
    if not found:
        return ""
    of = count_text(found["of"], "pair")
    said = []
    if found["pairs"]:
        said.append(f"{found['pairs']:,} of {of} of the set were not judged")
    if found["panel"]:
        said.append(f"the declared panel left out {found['panel']:,} of {of}")
    if not said:
        return ""
    text = "; ".join(said)
    return f"{text[0].upper()}{text[1:]}: nothing is said of them."
