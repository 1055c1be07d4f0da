"""The blocks of a report that a page lays side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Payload = Mapping[str, Any]

TWO = 2  # only then does a role name one system
FEW = 20  # scored pairs, below which a rate proves little
DEV, HELD_OUT, ALL, OPEN = "dev", "held_out", "all", "open"
NAMES = {
    DEV: "dev",
    HELD_OUT: "held-out",
    ALL: "all pairs",
    OPEN: "all that are not held out",
}


@dataclass(frozen=True, slots=True)
class Column:
    """One split's block under its name. ``key`` is the split's name in the JSON."""

    key: str
    name: str
    block: Payload


def columns_of(payload: Payload) -> tuple[Column, ...]:
    """Dev and held-out where they have pairs, else all pairs together."""
    splits = payload["splits"]
    found = [key for key in (DEV, HELD_OUT) if (splits.get(key) or {"n": 0})["n"]]
    whole = [ALL] if splits.get(ALL) else []
    return tuple(Column(key, NAMES[key], splits[key]) for key in found or whole)


def main_column(columns: tuple[Column, ...]) -> Column | None:
    """The column that answers for the judge: held-out where it has gold, else dev."""
    scored = [column for column in columns if column.block["scored"]]
    return next(iter(reversed(scored or columns)), None)


def few_pairs(part: Payload) -> bool:
    """Whether a part has too few scored pairs for its rates to say much."""
    return int(part.get("scored", part["n"])) < FEW


def unsplit_pairs(payload: Payload) -> int:
    """How many pairs stand in no split, and so in no column beside dev and held-out."""
    splits = payload["splits"]
    if not splits.get(ALL) or not splits.get(HELD_OUT):
        return 0
    split = splits[DEV]["n"] + splits[HELD_OUT]["n"]
    return int(splits[ALL]["n"] - split) if split else 0


def names_of(payload: Payload) -> dict[str, str]:
    """Roles in words: with the systems' names where there are only two."""
    systems = payload["gold"].get("systems", [])
    if len(systems) != TWO:
        return {"baseline": "baseline", "candidate": "candidate", "tie": "tie"}
    return {
        "baseline": f"baseline ({systems[0]})",
        "candidate": f"candidate ({systems[1]})",
        "tie": "tie",
    }


def roles_text(payload: Payload) -> str:
    """Which systems stand behind baseline and candidate."""
    systems = payload["gold"].get("systems", [])
    if len(systems) == TWO:
        return f"Baseline is {systems[0]}, candidate is {systems[1]}."
    return f"In each pair the baseline stands earlier in: {', '.join(systems)}."
