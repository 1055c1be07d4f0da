"""Whether the cases of a file fit the gold set that they are to join."""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotation.domain.digests import digest_of
from annotation.domain.records import text_digest_of, text_to_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from annotation.domain.records import CaseRecord, Text
    from annotation.domain.rows import Problems
    from annotation.models import Case, GoldSet

Content = dict[str, object]


def case_digest(record: CaseRecord) -> str:
    """Digest of a case's row without its split, which may be assigned later."""
    return digest_of(_content(record))


def check_against_set(
    records: Sequence[CaseRecord], gold_set: GoldSet, problems: Problems
) -> list[CaseRecord]:
    """Return the cases that are new; report those that do not fit the set.

    Changed content under a known id and a group spread over two splits are errors,
    another split for a known case is a notice: splits are not moved by an import.
    """
    rows = gold_set.cases.values_list("external_id", "digest", "split")
    known = {case_id: (digest, split) for case_id, digest, split in rows.iterator()}
    fresh, changed = [], []
    for record in records:
        if record.case_id not in known:
            fresh.append(record)
            continue
        digest, split = known[record.case_id]
        if digest != case_digest(record):
            changed.append(record)
        elif record.split and record.split.value != split:
            stays = f"in split {split!r}" if split else "without a split"
            text = f"case {record.case_id!r} stays {stays}, as it is in the set"
            problems.notice(record.line, text)
    _report_changed(changed, gold_set, problems)
    _report_torn_groups(fresh, gold_set, problems)
    return fresh


def _report_changed(
    changed: Iterable[CaseRecord], gold_set: GoldSet, problems: Problems
) -> None:
    for record in changed:
        # Past the cap the errors are only counted.
        names = "" if problems.omitted else _changed_fields(record, gold_set)
        problems.error(
            record.line,
            names or "case_id",
            f"case {record.case_id!r} exists with other content; import it under "
            "another id or into a new gold set",
        )


def _report_torn_groups(
    fresh: Iterable[CaseRecord], gold_set: GoldSet, problems: Problems
) -> None:
    """Cases of one group belong in one split, or the held-out one leaks."""
    rows = gold_set.cases.exclude(group="").exclude(split="")
    placed = {
        group: (split, "in the set")
        for group, split in rows.values_list("group", "split").distinct()
    }
    for record in fresh:
        if record.group is None or record.split is None:
            continue
        mine = (record.split.value, f"on line {record.line}")
        split, where = placed.setdefault(record.group, mine)
        if split != record.split.value:
            reason = f"group {record.group!r} is in split {split} {where}"
            problems.error(record.line, "split", f"{reason}; a group stays together")


def _changed_fields(record: CaseRecord, gold_set: GoldSet) -> str:
    given, stored = (
        _content(record),
        _stored(gold_set.cases.get(external_id=record.case_id)),
    )
    names: list[str] = []
    for name, value in given.items():
        other = stored[name]
        if isinstance(value, dict) and isinstance(other, dict):
            keys = dict.fromkeys((*value, *other))
            names += [f"{name}.{k}" for k in keys if value.get(k) != other.get(k)]
        elif value != other:
            names.append(name)
    return ", ".join(names)


def _content(record: CaseRecord) -> Content:
    return {
        "prompt": text_to_json(record.prompt),
        "context": _optional(record.context),
        "reference": _optional(record.reference),
        "responses": {
            name: text_digest_of(text) for name, text in record.responses.items()
        },
        "slices": dict(record.slices),
        "critical": record.critical,
        "group": record.group or "",
        "designed": {
            "|".join(systems): outcome.value
            for systems, outcome in record.designed.items()
        },
        "response_meta": {k: dict(v) for k, v in record.response_meta.items() if v},
        "extra": dict(record.extra),
    }


def _stored(case: Case) -> Content:
    """The same of a stored case."""
    responses = list(case.responses.select_related("system"))
    pairs = case.pairs.exclude(designed="").values_list(
        "baseline__system__name", "candidate__system__name", "designed"
    )
    return {
        "prompt": case.prompt,
        "context": case.context,
        "reference": case.reference,
        "responses": {r.system.name: r.sha256 for r in responses},
        "slices": case.slices,
        "critical": case.critical,
        "group": case.group,
        "designed": {f"{one}|{two}": outcome for one, two, outcome in pairs},
        "response_meta": {r.system.name: r.meta for r in responses if r.meta},
        "extra": case.extra,
    }


def _optional(text: Text | None) -> object:
    return None if text is None else text_to_json(text)
