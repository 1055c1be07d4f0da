"""Reading the labels file and the verdicts file (DESIGN section 7)."""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, TypeVar

from annotation.domain.fields import Fields
from annotation.domain.outcomes import Order, Outcome
from annotation.domain.record_types import LabelRecord, VerdictRecord, differing
from annotation.domain.rows import Parsed, Problems
from annotation.domain.system_names import SystemNames
from annotation.domain.values import shown

if TYPE_CHECKING:
    from collections.abc import Container, Hashable, Iterable, Sequence

    from annotation.domain.rows import Row, RowsResult

A = TypeVar("A", LabelRecord, VerdictRecord)

STRONGEST = 2
MOST_REPEATS = 10_000


class RecordedChoice(StrEnum):
    """What a verdicts file may give as the choice read from a reply."""

    FIRST = "first"
    SECOND = "second"
    TIE = "tie"
    ABSTAIN = "abstain"
    INVALID = "invalid"


def parse_labels(
    rows: RowsResult, systems: Sequence[str], cases: Container[str] | None = None
) -> Parsed[LabelRecord]:
    """Read the rows of a labels file against the set's ordered ``systems``.

    ``systems`` of a row may be left out when the set has exactly two; in reversed order
    it is an error, never re-mapped. ``cases`` are the known case ids, unchecked when
    ``None``. Two labels of one reviewer on one pair are an error unless they are the
    same, or both say when they were given, as an export does of two rounds or
    revisions: then the newest counts. Planned repeats never count and are left out.
    Raises ``ValueError`` only for a bad list of systems.
    """
    problems = Problems(rows.errors, rows.omitted)
    return problems.parsed(iter_labels(rows.rows, systems, problems, cases))


def iter_labels(
    rows: Iterable[Row],
    systems: Sequence[str],
    problems: Problems,
    cases: Container[str] | None = None,
) -> Iterable[LabelRecord]:
    """Read labels as :func:`parse_labels` does, from rows that come one by one."""
    names = SystemNames(systems)
    found: dict[Hashable, LabelRecord] = {}
    repeats: list[int] = []
    earlier: list[int] = []
    for row in rows:
        record = _label(row, names, cases, problems, repeats)
        if record is None:
            continue
        place = (record.case_id, record.systems, record.reviewer)
        other = found.get(place)
        newer = None if other is None else _newer(other, record)
        if other is not None and newer is not None:
            found[place] = newer
            earlier.append(record.line if newer is other else other.line)
        else:
            _add(record, place, "this reviewer's label", found, problems)
    _left_out(repeats, "a planned repeat, which never counts", problems)
    _left_out(earlier, "older than another label of its reviewer", problems)
    return found.values()


def _newer(one: LabelRecord, two: LabelRecord) -> LabelRecord | None:
    """The later of two labels of two rounds or revisions, if both tell their time."""
    first, second = _given(one), _given(two)
    told = [(r.extra.get("round"), r.extra.get("revision")) for r in (one, two)]
    if first is None or second is None or told[0] == told[1]:
        return None
    return one if first > second else two


def _given(record: LabelRecord) -> tuple[datetime, int] | None:
    """When it was given, then its line: an export is in the order of giving."""
    try:
        moment = datetime.fromisoformat(str(record.extra.get("created_at")))
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return moment, record.line


def _left_out(lines: Sequence[int], why: str, problems: Problems) -> None:
    """Say once, at the first of them, how many rows were left out and why."""
    if not lines:
        return
    more = len(lines) - 1
    also = f", and so {'is' if more == 1 else 'are'} {more} more" if more else ""
    problems.notice(min(lines), f"left out: it is {why}{also}")


def parse_verdicts(
    rows: RowsResult, systems: Sequence[str], cases: Container[str] | None = None
) -> Parsed[VerdictRecord]:
    """Read the rows of a verdicts file against the set's ordered ``systems``.

    Each row needs ``raw`` (which may be empty) or ``choice``; ``repeat`` is 1 when
    absent. Two verdicts on one pair, order and repeat are an error unless they are the
    same. The rest is as in :func:`parse_labels`.
    """
    problems = Problems(rows.errors, rows.omitted)
    return problems.parsed(iter_verdicts(rows.rows, systems, problems, cases))


def iter_verdicts(
    rows: Iterable[Row],
    systems: Sequence[str],
    problems: Problems,
    cases: Container[str] | None = None,
) -> Iterable[VerdictRecord]:
    """Read verdicts as :func:`parse_verdicts` does, from rows that come one by one."""
    names = SystemNames(systems)
    found: dict[Hashable, VerdictRecord] = {}
    for row in rows:
        record = _verdict(row, names, cases, problems)
        if record is not None:
            place = (record.case_id, record.systems, record.order, record.repeat)
            _add(record, place, "this order and repeat", found, problems)
    return found.values()


def _add(
    record: A, place: Hashable, what: str, found: dict[Hashable, A], problems: Problems
) -> None:
    first = found.setdefault(place, record)
    if first is record:
        return
    changed = differing(first, record)
    if changed:
        reason = f"{what} is on line {first.line} with another {', '.join(changed)}"
        problems.error(record.line, None, reason)
    else:
        problems.notice(record.line, f"exact duplicate of line {first.line}, left out")


def no_such_case(case_id: str) -> str:
    """Say that the set holds no such case; wherever it turns out."""
    return f"the gold set has no case {shown(case_id)}"


def _case_id(fields: Fields, cases: Container[str] | None) -> str | None:
    case_id = fields.name("case_id")
    if case_id is not None and cases is not None and case_id not in cases:
        fields.fail("case_id", no_such_case(case_id))
    return case_id


def _label(
    row: Row,
    names: SystemNames,
    cases: Container[str] | None,
    problems: Problems,
    repeats: list[int],
) -> LabelRecord | None:
    """One label, or None for a faulty row or a planned repeat, which is noted."""
    fields = Fields(row, problems)
    case_id = _case_id(fields, cases)
    reviewer = fields.name("reviewer")
    outcome = fields.member("outcome", Outcome, required=True)
    pair = names.take(fields)
    note = fields.string("note")
    strength = fields.integer("strength", 1, STRONGEST)
    is_repeat = fields.boolean("retest")
    extra = fields.rest()
    if strength is not None and outcome is not None and not outcome.is_decisive:
        fields.fail("strength", f"{outcome} has no strength")
    if not fields.sound or case_id is None or reviewer is None:
        return None
    if outcome is None or pair is None:
        return None
    if is_repeat:
        repeats.append(row.line)
        return None
    return LabelRecord(
        line=row.line,
        case_id=case_id,
        reviewer=reviewer,
        outcome=outcome,
        systems=pair,
        note=note or "",
        strength=strength,
        extra=extra,
    )


def _verdict(
    row: Row, names: SystemNames, cases: Container[str] | None, problems: Problems
) -> VerdictRecord | None:
    fields = Fields(row, problems)
    case_id = _case_id(fields, cases)
    pair = names.take(fields)
    order = fields.member("order", Order, required=True)
    repeat = fields.integer("repeat", 1, MOST_REPEATS)
    neither = not fields.has("raw") and not fields.says("choice")
    raw = fields.string("raw")
    choice = fields.member("choice", RecordedChoice)
    extra = fields.rest()
    if neither:
        fields.fail("raw", "missing; give raw or choice")
    if not fields.sound or case_id is None or pair is None or order is None:
        return None
    return VerdictRecord(
        line=row.line,
        case_id=case_id,
        systems=pair,
        order=order,
        repeat=1 if repeat is None else repeat,
        raw=raw,
        choice=None if choice is None else choice.value,
        extra=extra,
    )
