"""Whether the cases of a file fit the gold set that they are to join."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from annotation.domain.digests import digest_of
from annotation.domain.records import text_digest_of, text_to_json
from annotation.domain.same_texts import texts_of_case

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from annotation.domain.records import CaseRecord, Text
    from annotation.domain.rows import Problems
    from annotation.models import Case, GoldSet

Content = dict[str, object]


@dataclass(frozen=True, slots=True)
class CaseNote:
    """What is kept of a case that was checked: enough to compare, none of its texts.

    ``digest`` is that of its row without its split, which may be assigned later;
    ``texts`` are those of its pairs, whatever these are called (`same_texts`).
    """

    place: int
    line: int
    case_id: str
    digest: str
    group: str
    split: str
    texts: bytes


def note_of(place: int, record: CaseRecord) -> CaseNote:
    """Note a case down; its place counts from 0 (several may stand on one line)."""
    responses = _digests(record)
    return CaseNote(
        place=place,
        line=record.line,
        case_id=record.case_id,
        digest=digest_of(_content(record, responses)),
        group=record.group or "",
        split=record.split.value if record.split else "",
        texts=texts_of_case(
            record.prompt,
            list(record.responses.values()),
            list(responses.values()),
        ),
    )


def check_against_set(
    notes: Sequence[CaseNote],
    gold_set: GoldSet,
    cases_at: Callable[[frozenset[int]], Iterable[tuple[int, CaseRecord]]],
    problems: Problems,
) -> list[CaseNote]:
    """Return the cases that are new; report those that do not fit the set.

    Changed content under a known id and a group spread over two splits are errors,
    another split for a known case is a notice: splits are not moved by an import.
    ``cases_at`` gives the cases at some places in full, to say what changed in them.
    """
    rows = gold_set.cases.values_list("external_id", "digest", "split")
    known = {case_id: (digest, split) for case_id, digest, split in rows.iterator()}
    fresh, changed = [], []
    for note in notes:
        if note.case_id not in known:
            fresh.append(note)
            continue
        digest, split = known[note.case_id]
        if digest != note.digest:
            changed.append(note.place)
        elif note.split and note.split != split:
            stays = f"in split {split!r}" if split else "without a split"
            text = f"case {note.case_id!r} stays {stays}, as it is in the set"
            problems.notice(note.line, text)
    _report_changed(cases_at(frozenset(changed)), gold_set, problems)
    _report_torn_groups(fresh, gold_set, problems)
    return fresh


def _report_changed(
    changed: Iterable[tuple[int, CaseRecord]], gold_set: GoldSet, problems: Problems
) -> None:
    for _, record in changed:
        # Past the cap the errors are only counted.
        names = "" if problems.omitted else _changed_fields(record, gold_set)
        problems.error(
            record.line,
            names or "case_id",
            f"case {record.case_id!r} exists with other content; import it under "
            "another id or into a new gold set",
        )


def _report_torn_groups(
    fresh: Iterable[CaseNote], gold_set: GoldSet, problems: Problems
) -> None:
    """Cases of one group belong in one split, or the held-out one leaks."""
    rows = gold_set.cases.exclude(group="").exclude(split="")
    placed = {
        group: (split, "in the set")
        for group, split in rows.values_list("group", "split").distinct()
    }
    for note in fresh:
        if not note.group or not note.split:
            continue
        split, where = placed.setdefault(
            note.group, (note.split, f"on line {note.line}")
        )
        if split != note.split:
            reason = f"group {note.group!r} is in split {split} {where}"
            problems.error(note.line, "split", f"{reason}; a group stays together")


def _changed_fields(record: CaseRecord, gold_set: GoldSet) -> str:
    given, stored = (
        _content(record, _digests(record)),
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


def _digests(record: CaseRecord) -> dict[str, str]:
    return {name: text_digest_of(text) for name, text in record.responses.items()}


def _content(record: CaseRecord, responses: dict[str, str]) -> Content:
    return {
        "prompt": text_to_json(record.prompt),
        "context": _optional(record.context),
        "reference": _optional(record.reference),
        "responses": responses,
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
