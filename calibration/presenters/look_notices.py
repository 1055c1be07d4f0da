"""What has to be said about a report because of the looks that were taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calibration.presenters.figures import count_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from calibration.presenters.columns import Payload

MOST_NAMED = 10


def look_warnings(payload: Payload) -> Iterator[str]:
    """Each thing that weakens the held-out figures; nothing for older reports."""
    looks = payload.get("looks") or {}
    before = looks.get("before_judge") or 0
    if before:
        yield (
            f"This judge was frozen after {count_text(before, 'look')} at held-out "
            "results of these pairs, and may be informed by them: its held-out figures "
            "can look better than it is."
        )
    if moved := looks.get("splits_moved") or 0:
        stand = "stands" if moved == 1 else "stand"
        yield (
            f"The splits of the set changed since this gold was frozen: "
            f"{count_text(moved, 'pair')} {stand} in another one now. These figures go "
            "by the old splits; freeze gold again for the new ones."
        )
    if elsewhere := looks.get("open_elsewhere") or 0:
        yield (
            f"The texts of {count_text(elsewhere, 'held-out pair')} were judged where "
            "they are not held out, or before they were: in another split or set, "
            "perhaps under other names. Results there are open, and a judge that was "
            "tuned on them is flattered here."
        )
    if looks.get("retired"):
        yield (
            f"The held-out pairs were unsealed on {looks['retired'][:10]}: they "
            "measure no judge made after that."
        )
    yield from _quoted(payload["judge"].get("few_shot") or {})


def _quoted(found: Payload) -> Iterator[str]:
    for key, how in (("exact", "word for word"), ("near", "almost word for word")):
        cases = found.get(key) or []
        if cases:
            named = ", ".join(cases[:MOST_NAMED])
            more = len(cases) - MOST_NAMED
            rest = f" and {more} more" if more > 0 else ""
            yield (
                f"The judge's own texts hold {count_text(len(cases), 'held-out case')} "
                f"{how}: {named}{rest}. It was shown what it is measured on."
            )
