"""What qualifies a whole report, told on its page and in its text alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from calibration.presenters.columns import unsplit_pairs
from calibration.presenters.figures import count_text
from calibration.presenters.look_notices import look_warnings

if TYPE_CHECKING:
    from calibration.presenters.columns import Column, Payload


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that qualifies the whole report."""

    level: str
    text: str


def report_notices(payload: Payload, columns: tuple[Column, ...]) -> tuple[Notice, ...]:
    """Give each warning, then what is not shown and why."""
    found = [Notice("warn", text) for text in _warnings(payload)]
    if payload["splits"].get("held_out") is None:
        sealed = (payload.get("looks") or {}).get("sealed")
        text = "are sealed" if sealed else "are not shown here"
        found.append(Notice("info", f"Held-out results {text}."))
    small = [column for column in columns if not column.block["scored"]]
    found += [
        Notice("info", f"No {column.name} pair has gold that can be scored.")
        for column in small
    ]
    if left_over := unsplit_pairs(payload):
        text = f"{count_text(left_over, 'judged pair')} in no split: not shown here."
        found.append(Notice("info", text))
    return tuple(found)


def _warnings(payload: Payload) -> list[str]:
    found = []
    if simulated := [
        word
        for word, part in (("JUDGE", "judge"), ("GOLD SET", "gold"))
        if payload[part].get("simulated")
    ]:
        found.append(
            f"SIMULATED {' AND '.join(simulated)}: these figures are for demonstration "
            "and say nothing about a real model."
        )
    looks = payload.get("looks") or {}
    if looks.get("over_budget"):
        found.append(
            f"Held-out results were disclosed {looks['n']} times; planned were "
            f"{looks['budget']}. A judge chosen after so many looks tends to look "
            "better than it is."
        )
    found += look_warnings(payload)
    return [*found, *map(str, payload["run"].get("notices") or [])]
