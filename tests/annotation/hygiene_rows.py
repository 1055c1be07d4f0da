"""Cases without fault, and with one, to be looked over."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from annotation.services.gold_sets import SetPlan, gold_set_named
from annotation.services.importing import Source, import_pairs
from tests.annotation.factory import START

if TYPE_CHECKING:
    from annotation.models import GoldSet

KETTLE = (
    "I ordered a blue kettle last week and it arrived with a broken lid. The shop says "
    "I must send photos first. How do I get my money back without a receipt"
)
TOPICS = (
    "blue kettles", "train tickets", "garden chairs", "old novels", "winter boots",
    "bread ovens", "school maps", "phone cables", "wool carpets", "paper lamps",
)  # fmt: skip


def row(number: int, **changes: Any) -> dict[str, Any]:
    """A case without fault; the systems take turns at the longer reply."""
    topic = TOPICS[number % 10]
    names = ("v12", "v13") if number % 2 else ("v13", "v12")
    replies = (f"You find {topic} on floor {number}.", f"Floor {number} has {topic}.")
    given: dict[str, Any] = {
        "case_id": f"case-{number:02d}",
        "prompt": f"Where do I find {topic} in shop number {number}, and till when?",
        "slices": {"language": "en"},
        "responses": dict(zip(names, replies, strict=True)),
    }
    return given | changes


def load(*rows: dict[str, Any], name: str = "shop") -> GoldSet:
    lines = "\n".join(json.dumps(one) for one in rows).encode()
    plan = SetPlan(name=name, systems=("v12", "v13"))
    import_pairs(plan=plan, source=Source(lines, "x.jsonl"), by=None, now=START)
    return gold_set_named(name)


def load_leaky() -> GoldSet:
    """Four cases, in three of which a response names its system."""
    rows = [row(n) for n in range(4)]
    for one in rows[:3]:
        one["responses"]["v12"] = f"As v12 I say floor {one['case_id']}."
    return load(*rows)
