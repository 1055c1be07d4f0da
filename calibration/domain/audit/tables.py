"""What every row of a table has to be, whatever it says: in its place, and possible.

Rows of a table stand in one order, so that none is there twice and none changed places;
times of one row follow each other; a value that names a kind names one that there is.
"""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from annotation.domain.consensus import ConsensusRule
from annotation.domain.outcomes import Order, Outcome, Split
from annotation.domain.rulings import GoldSource
from calibration.domain.audit.material import BadRow, moment
from calibration.domain.deciding import DecisionResult

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from datetime import datetime

    Row = Mapping[str, Any]

CLOCKS = timedelta(minutes=10)  # how far clocks of a site's machines may be apart
SKEW = timedelta(days=1)  # how far the clock of another machine may be ahead

# In what order the rows of a table stand.
KEYS: dict[str, Callable[[Row], tuple[Any, ...]]] = {
    "gold_sets": lambda row: (row["gold_set"],),
    "guidelines": lambda row: (row["gold_set"], row["version"]),
    "cases": lambda row: (row["case"],),
    "responses": lambda row: (row["response"],),
    "pairs": lambda row: (row["pair"],),
    "rounds": lambda row: (row["round"],),
    "reviewers": lambda row: (row["gold_set"], row["draw"]),
    "label_imports": lambda row: (row["label_import"],),
    "labels": lambda row: (row["label"],),
    "adjudications": lambda row: (row["pair"], row["sequence"]),
    "splits": lambda row: (row["assignment"],),
    "gold_versions": lambda row: (row["version"],),
    "gold_items": lambda row: (row["version"], row["pair"]),
    "exposures": lambda row: (row["exposure"],),
    "look_plans": lambda row: ("sequence" not in row, row["plan"]),
    "providers": lambda row: (row["provider"],),
    "prices": lambda row: (row["price"],),
    "judges": lambda row: (row["judge"],),
    "runs": lambda row: (row["run"],),
    "calls": lambda row: (row["run"], _asked_for(row), row["call"]),
    "reports": lambda row: (row["report"],),
    "findings": lambda row: (row["run"], row["version"], row["pair"], row["revision"]),
    "looks": lambda row: (row["gold_set"], row["number"]),
    "policies": lambda row: (row["policy"],),
    "waivers": lambda row: (row["waiver"],),
    "decisions": lambda row: (row["decision"],),
    "sentinels": lambda row: (row["sentinel"],),
    "sentinel_pairs": lambda row: (row["sentinel"], row["pair"]),
    "sentinel_series": lambda row: (row["series"],),
    "sentinel_checks": lambda row: (row["check"],),
    "sentinel_points": lambda row: (row["point"],),
    "sentinel_alarms": lambda row: (row["alarm"],),
}
# Each of these times is not before the one that stands before it.
TIMES: dict[str, tuple[tuple[str, ...], ...]] = {
    "rounds": (("opened_at", "closed_at"), ("opened_at", "disclosed_at")),
    "judges": (("created_at", "frozen_at", "retired_at"),),
    "runs": (("created_at", "started_at", "finished_at"), ("created_at", "halted_at")),
    "policies": (("created_at", "frozen_at"),),
    "waivers": (("asked_at", "confirmed_at"), ("asked_at", "revoked_at"),
                ("asked_at", "expires_at")),
    "adjudications": (("asked_at", "created_at"),),
    "sentinels": (("created_at", "ended_at"),),
    "sentinel_alarms": (("raised_at", "acknowledged_at"),),
}  # fmt: skip
# Of these either all are null or none.
TOGETHER: dict[str, tuple[tuple[str, ...], ...]] = {
    "waivers": (
        ("confirmed_at", "confirmed_by"),
        ("revoked_at", "revoked_by", "revoked_because"),
    ),
    "adjudications": (("asked", "asked_at", "asked_by"),),
    "sentinels": (("ended_at", "ended_by"),),
    "sentinel_alarms": (("acknowledged_at", "note"),),
}
# What may not have happened; every other time has to be there.
MAY_LACK = (
    "judged_at", "held_out_seen_at", "closed_at", "disclosed_at", "asked_at",
    "started_at", "finished_at", "halted_at", "frozen_at", "retired_at",
    "confirmed_at", "revoked_at", "ended_at", "acknowledged_at",
)  # fmt: skip
# What may come: a waiver ends, a price begins.
TO_COME = ("expires_at", "valid_from")
STATUSES = ("pending", "running", "paused", "stopped", "done", "failed")
PURPOSES = ("calibration", "noise", "sentinel", "stability", "release")
EXPOSURES = ("labels", "ruling", "systems", "verdicts")
FINDINGS = ("judge_failed", "gold_wrong", "rubric_ambiguous", "case_bad")
_OUTCOMES = tuple(Outcome)
VALUES: dict[tuple[str, str], tuple[Any, ...]] = {
    ("gold_sets", "consensus_rule"): tuple(ConsensusRule),
    ("cases", "split"): ("", *Split),
    ("pairs", "designed"): ("", *_OUTCOMES),
    ("labels", "strength"): (None, 1, 2),
    ("adjudications", "first_outcome"): ("", *_OUTCOMES),
    ("adjudications", "order"): (None, "", *Order),
    ("adjudications", "asked"): (None, "correction", "control"),
    ("gold_versions", "rule"): tuple(ConsensusRule),
    ("gold_items", "source"): tuple(GoldSource),
    ("exposures", "kind"): EXPOSURES,
    ("judges", "kind"): ("pairwise", "pointwise", "panel"),
    ("runs", "status"): STATUSES,
    ("runs", "purpose"): PURPOSES,
    ("calls", "state"): ("pending", "claimed", "done"),
    ("findings", "finding"): FINDINGS,
    ("looks", "word"): ("", "passed", "not_passed"),
    ("decisions", "result"): tuple(DecisionResult),
}


def _asked_for(row: Row) -> int:
    """Rubrics come first, then marks, then what pairs came to."""
    if row["case_id"] is not None:
        return 0
    return 1 if row["response"] is not None else 2


def check_row(
    table: str, row: Row, last: dict[str, tuple[Any, ...]], now: datetime | None
) -> None:
    """Check a row beside the one before it; raises :class:`BadRow`.

    ``last`` holds the place of the newest row of each table. ``now`` is when somebody
    checks: what happened later than that did not happen.
    """
    key = KEYS[table](row)
    before, last[table] = last.get(table), key
    if before is not None and not before < key:
        what = "it is there twice" if key == before else "it is not in its place"
        raise BadRow(what)
    for name, allowed in _values(table):
        if row[name] not in allowed or isinstance(row[name], bool):
            raise BadRow(f"its {_plain(name)} is {row[name]!r}, which is none there is")
    _check_times(table, row, now)
    for name in row.keys() - {*MAY_LACK}:
        if name.endswith("_at") and row[name] is None:
            raise BadRow(f"{name} is null, though it happened")
    for names in TOGETHER.get(table, ()):
        if len({row[name] is None for name in names}) > 1:
            raise BadRow(f"of {', '.join(names)} only some are there")


def _values(table: str) -> Iterator[tuple[str, tuple[Any, ...]]]:
    return ((name, allowed) for (t, name), allowed in VALUES.items() if t == table)


def _check_times(table: str, row: Row, now: datetime | None) -> None:
    for names in TIMES.get(table, ()):
        found = [(name, moment(row, name)) for name in names if row[name] is not None]
        for (early, one), (late, other) in pairwise(found):
            if other < one - CLOCKS:
                raise BadRow(f"{late} is before {early}")
    if now is None:
        return
    for name, value in row.items():
        is_time = name.endswith("_at") or name in ("at", "sent_at")
        happened = is_time and value is not None and name not in TO_COME
        if happened and moment(row, name) > now + SKEW:
            raise BadRow(f"{name} is still to come")


def _plain(name: str) -> str:
    return name.replace("_", " ")
