"""A decision for the terminal, and a policy with the meaning of its keys."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from calibration.domain.policy_keys import KEYS
from calibration.domain.rules import DECISION_RULES, rules_of
from calibration.presenters.decisions import (
    condition_rows,
    missing_rows,
    result_text,
)
from calibration.presenters.unjudged_texts import not_judged_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Stored = Mapping[str, Any]


def policy_rows(document: Stored) -> list[tuple[str, str, str]]:
    """Every key that a policy sets: its value and meaning."""
    return [
        (key.name, _value(document[key.name]), key.meaning)
        for key in KEYS
        if key.name in document
    ]


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}: {one}" for name, one in value.items())
    return f"{value}"


def rules_text(payload: Stored) -> str:
    """Say that other rules than today's made a decision, or nothing."""
    rules = rules_of(payload)
    if rules == DECISION_RULES:
        return ""
    by = f"version {rules} of the rules" if rules else "an older version of the rules"
    return (
        f"This decision was made by {by}; here is version {DECISION_RULES}. It stands "
        "as it was made, and only that version can work it out again."
    )


def decision_text(payload: Stored) -> str:
    """A decision for the terminal."""
    return "\n".join(_lines(payload)) + "\n"


def _lines(payload: Stored) -> Iterator[str]:
    if payload["simulated"]:
        yield "SIMULATED DATA: this decides nothing about a real release."
    policy, run = payload["policy"], payload["run"]
    yield (
        f"Run {run['id']} of {run['judge']['name']} v{run['judge']['version']} on "
        f"{run['gold_set']}, by policy {policy['name']} v{policy['version']} "
        f"({policy['label']})"
    )
    yield f"{result_text(payload)}"
    if other := rules_text(payload):
        yield f"  {other}"
    if left := not_judged_text(payload.get("not_judged")):
        yield f"  {left}"
    for row in condition_rows(payload):
        yield f"  [{row.outcome:>9}] {row.label}: {row.sentence}"
    for what, owner, label in missing_rows(payload):
        yield f"  missing for {label}: {what} (from {owner})"
    for one in payload["waivers"]:
        yield f"  {waiver_text(one)}"


def waiver_text(one: Stored) -> str:
    """A waiver in one line; of one that was used, everything that was said with it."""
    state = "used" if one["used"] else one["state"].replace("_", " ")
    head = f"waiver {one['id']} of {', '.join(one['case_ids'])}{_for(one)}: {state}"
    if not one["used"]:
        return head
    said = (
        f"owner {one['owner']}",
        f"reason: {one['reason']}",
        f"impact: {one['impact']}",
        f"expires {time_text(one['expires_at'])}",
        f"asked for by {one['asked_by']}, confirmed by {one['confirmed_by']}",
    )
    return "; ".join((head, *(" ".join(each.split()) for each in said)))


def time_text(stored: str) -> str:
    """A time of a document as people read it; one that is none stays as it is."""
    try:
        at = datetime.fromisoformat(stored)
    except ValueError:
        return stored
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def _for(one: Stored) -> str:
    """For which systems a waiver is; older ones name none."""
    systems = one.get("systems")
    return f" ({systems[1]} against {systems[0]})" if systems else ""
