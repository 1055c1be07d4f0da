"""What rows about people's work have to be beside rows of other tables.

Rows are checked as they are read, each against those that it rests on: nothing comes
before its cause, a label lies within its round, revisions have no gaps.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from annotation.domain.outcomes import Outcome
from calibration.domain.audit.material import BadRow, known, moment
from calibration.domain.audit.tables import CLOCKS
from calibration.domain.gates import limits_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    Row = Mapping[str, Any]


_DIGEST = re.compile("[0-9a-f]{64}")
WINNERS = (Outcome.BASELINE, Outcome.CANDIDATE)


@dataclass(slots=True)
class Seen:
    """What of the rows read so far others are held against."""

    now: datetime | None = None
    last: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    rows: dict[str, dict[Any, Row]] = field(default_factory=lambda: defaultdict(dict))
    pairs: dict[int, tuple[str, str]] = field(default_factory=dict)
    designed: dict[int, str] = field(default_factory=dict)
    looks: list[Row] = field(default_factory=list)
    rulings: list[Row] = field(default_factory=list)
    ruled: dict[tuple[Any, ...], Row] = field(default_factory=dict)
    seats: dict[Any, tuple[Any, ...]] = field(default_factory=dict)
    counts: dict[Any, int] = field(default_factory=lambda: defaultdict(int))
    imports: dict[tuple[str, datetime], list[Any]] = field(default_factory=dict)
    outside: Counter[tuple[str, datetime]] = field(default_factory=Counter)
    asked: dict[int, set[tuple[Any, ...]]] = field(
        default_factory=lambda: defaultdict(set)
    )


def set_(row: Row, seen: Seen) -> Row:
    """Look up the set that a row is of."""
    return known(seen.rows["gold_sets"], row["gold_set"], "a gold set")


def not_before(row: Row, name: str, cause: Row, since: str, what: str) -> None:
    """Refuse what happened before its cause."""
    if row[name] is None or cause[since] is None:
        return
    if moment(row, name) < moment(cause, since) - CLOCKS:
        raise BadRow(f"{name} is before {what}")


def next_(seen: Seen, key: tuple[Any, ...], number: object, what: str) -> None:
    """Refuse a number that is not the next one of its kind."""
    seen.counts[key] += 1
    if number != seen.counts[key]:
        raise BadRow(f"its {what} is {number!r} in place {seen.counts[key]}")


def _gold_set(row: Row, seen: Seen) -> None:
    for name in ("judged_at", "held_out_seen_at"):
        not_before(row, name, row, "created_at", "the set was made")
    seen.rows["gold_sets"][row["gold_set"]] = row


def _guideline(row: Row, seen: Seen) -> None:
    not_before(row, "created_at", set_(row, seen), "created_at", "its set was made")
    next_(seen, ("guideline", row["gold_set"]), row["version"], "version")
    seen.rows["guidelines"][row["gold_set"], row["version"]] = row


def _case(row: Row, seen: Seen) -> None:
    seen.rows["cases"][row["gold_set"], row["case_id"]] = row


def _pair(row: Row, seen: Seen) -> None:
    seen.pairs[row["pair"]] = row["gold_set"], row["case_id"]
    if row["designed"]:
        seen.designed[row["pair"]] = row["designed"]


def _round(row: Row, seen: Seen) -> None:
    not_before(row, "opened_at", set_(row, seen), "created_at", "its set was made")
    shares = row["retest_share"], row["designed_rate"]
    if not all(0 <= share <= 1 for share in shares):
        raise BadRow("a share of it lies beyond 0 and 1")
    if row["labels_per_pair"] < 1 or (row["closed_by"] and not row["closed_at"]):
        raise BadRow("it is closed by somebody at no time, or wants no label")
    seen.rows["rounds"][row["round"]] = row


def _label_import(row: Row, seen: Seen) -> None:
    not_before(row, "imported_at", set_(row, seen), "created_at", "its set was made")
    for name in ("added", "known"):
        if row[name] is not None and not _is_number(row[name]):
            raise BadRow(f"its {name} is no number")
    for file in row["files"]:
        if file.keys() != {"name", "sha256"} or not _DIGEST.fullmatch(file["sha256"]):
            raise BadRow("a file of it has no name and digest")
    key = row["gold_set"], moment(row, "imported_at")
    seen.imports.setdefault(key, []).append(row["added"])


def _label(row: Row, seen: Seen) -> None:
    gold_set, _ = known(seen.pairs, row["pair"], "a pair")
    author = row["reviewer"], row["outside"]
    _answer(row)
    if (row["seat"] is None) != (row["round"] is None):
        raise BadRow("it has a seat in no round")
    if row["round"] is None:
        seat: tuple[Any, ...] = "outside", row["pair"], author
        seen.outside[gold_set, moment(row, "created_at")] += 1
        not_before(row, "created_at", seen.rows["gold_sets"][gold_set], "created_at",
               "its set was made")  # fmt: skip
    else:
        seat = "seat", row["seat"]
        _in_round(row, known(seen.rows["rounds"], row["round"], "a round"), gold_set)
    if row["guideline"] is not None:
        rules = known(seen.rows["guidelines"], (gold_set, row["guideline"]),
                      "a guideline")  # fmt: skip
        not_before(row, "created_at", rules, "created_at", "its guideline was written")
    next_(seen, ("label", seat), row["revision"], "revision")
    same = row["pair"], author, row["round"], row["retest"], row["order"]
    if seen.seats.setdefault(seat, same) != same:
        raise BadRow("its seat was another reviewer's, on another pair or in another "
                     "order")  # fmt: skip


def _answer(row: Row) -> None:
    """What was said beside the outcome fits it."""
    if row["strength"] is not None and row["outcome"] not in WINNERS:
        raise BadRow("it has a strength and no winner")
    for name in ("choice", "order", "abstain_reason"):
        if not isinstance(row[name], str):
            raise BadRow(f"its {name.replace('_', ' ')} is no text")
    if row["abstain_reason"] and row["outcome"] != "abstain":
        raise BadRow("it says why it abstains, and does not")
    for name in ("confidence", "elapsed_seconds", "active_seconds"):
        if row[name] is not None and not _is_number(row[name]):
            raise BadRow(f"its {name} is no number")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0


def _in_round(row: Row, round_: Row, gold_set: str) -> None:
    if round_["gold_set"] != gold_set:
        raise BadRow("its round is of another set")
    not_before(row, "created_at", round_, "opened_at", "its round was opened")
    closed = round_["closed_at"]
    if closed is not None and (
        moment(row, "created_at") > moment(round_, "closed_at") + CLOCKS
    ):
        raise BadRow("created_at is after its round was closed")


def _ruling(row: Row, seen: Seen) -> None:
    gold_set, _ = known(seen.pairs, row["pair"], "a pair")
    next_(seen, ("ruling", row["adjudication"]), 1, "place")
    if row["asked"] is None and (row["asked_category"] or row["asked_note"]):
        raise BadRow("it says why it was asked for, and nobody asked")
    seen.rulings.append(row)
    owner = seen.rows["gold_sets"][gold_set]
    not_before(row, "created_at", owner, "created_at", "its set was made")


def _assignment(row: Row, seen: Seen) -> None:
    not_before(row, "assigned_at", set_(row, seen), "created_at", "its set was made")
    before = seen.rows["splits"].get(row["gold_set"])
    if before is not None:
        not_before(row, "assigned_at", before, "assigned_at", "the splits before it")
    for name in ("dev", "held_out"):
        if row["strata"] and row[name] < sum(one[name] for one in row["strata"]):
            raise BadRow(f"its strata have more {name} cases than it")
    seen.rows["splits"][row["gold_set"]] = row


def _gold_version(row: Row, seen: Seen) -> None:
    not_before(row, "created_at", set_(row, seen), "created_at", "its set was made")
    next_(seen, ("version", row["gold_set"]), row["number"], "number")
    key = "newest", row["gold_set"]
    before = seen.rows["gold_versions"].get(key)
    if before is not None:
        not_before(row, "created_at", before, "created_at", "the version before it")
    seen.rows["gold_versions"][key] = seen.rows["gold_versions"][row["version"]] = row


def _exposure(row: Row, seen: Seen) -> None:
    gold_set, _ = known(seen.pairs, row["pair"], "a pair")
    owner = seen.rows["gold_sets"][gold_set]
    not_before(row, "seen_at", owner, "created_at", "its set was made")
    next_(seen, ("exposure", row["user"], row["pair"], row["kind"]), 1, "place")
    if row["kind"] == "ruling":
        seen.ruled[row["user"], row["pair"]] = row


def _look_plan(row: Row, seen: Seen) -> None:
    owner = set_(row, seen)
    if "sequence" not in row:
        plan = known(seen.rows["look_plans"], row["gold_set"], "a plan of looks")
        not_before(row, "unsealed_at", plan, "at", "its set was sealed")
        seen.rows["unsealed"][row["gold_set"]] = row
        return
    not_before(row, "at", owner, "created_at", "its set was made")
    next_(seen, ("plan", row["gold_set"]), row["sequence"], "sequence")
    if row["mode"] not in ("open", "sealed") or row["budget"] < 1:
        raise BadRow("its mode or its budget is none there is")
    limits_of(row["limits"])
    seen.rows["look_plans"][row["gold_set"]] = row


def _nothing(row: Row, seen: Seen) -> None:
    """Other checks tell all there is to tell."""


PEOPLE: dict[str, Callable[[Row, Seen], None]] = {
    "gold_sets": _gold_set,
    "guidelines": _guideline,
    "cases": _case,
    "responses": _nothing,
    "reviewers": _nothing,
    "gold_items": _nothing,
    "pairs": _pair,
    "rounds": _round,
    "label_imports": _label_import,
    "labels": _label,
    "adjudications": _ruling,
    "splits": _assignment,
    "gold_versions": _gold_version,
    "exposures": _exposure,
    "look_plans": _look_plan,
}
