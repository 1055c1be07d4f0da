"""Reading the pairs file (DESIGN section 7)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from annotation.domain.fields import Fields, name_fault
from annotation.domain.outcomes import Outcome, Split
from annotation.domain.record_types import (
    CaseRecord,
    differing_marks,
    fingerprint,
)
from annotation.domain.rows import Parsed, Problems
from annotation.domain.system_names import SystemNames
from annotation.domain.values import kind_of, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from annotation.domain.rows import Row, RowsResult
    from annotation.domain.texts import Text

_SHORTHAND = ("baseline", "candidate")


def parse_cases(rows: RowsResult, systems: Sequence[str]) -> Parsed[CaseRecord]:
    """Read the rows of a pairs file against the set's ordered ``systems``.

    A case needs one response of every system. With exactly two, ``baseline`` and
    ``candidate`` may stand for ``responses``, and ``designed`` may be a plain outcome.
    Unknown keys are kept as extra. A repeated case id is an error when anything in it
    differs, else a notice. Raises ``ValueError`` only for a bad list of systems.
    """
    problems = Problems(rows.errors, rows.omitted)
    return problems.parsed(iter_cases(rows.rows, systems, problems))


def iter_cases(
    rows: Iterable[Row], systems: Sequence[str], problems: Problems
) -> Iterator[CaseRecord]:
    """Read cases one by one as :func:`parse_cases` does, without keeping their texts.

    What comes out before the end may belong to a file that turns out to be bad.
    """
    names = SystemNames(systems)
    seen: dict[str, tuple[int, bytes]] = {}
    for row in rows:
        record = _case(row, names, problems)
        if record is not None and _is_first(record, seen, problems):
            yield record


def _is_first(
    record: CaseRecord, seen: dict[str, tuple[int, bytes]], problems: Problems
) -> bool:
    mark = fingerprint(record)
    line, first = seen.setdefault(record.case_id, (record.line, mark))
    if first is mark:
        return True
    changed = differing_marks(first, mark)
    name = shown(record.case_id)
    if changed:
        reason = f"{name} is on line {line} with another {', '.join(changed)}"
        problems.error(record.line, "case_id", reason)
    else:
        text = f"exact duplicate of line {line} ({name}), left out"
        problems.notice(record.line, text)
    return False


def _case(row: Row, names: SystemNames, problems: Problems) -> CaseRecord | None:
    fields = Fields(row, problems)
    case_id = fields.name("case_id")
    prompt = fields.text("prompt", required=True)
    responses = _responses(fields, names)
    context, reference = fields.text("context"), fields.text("reference")
    slices = _slices(fields)
    critical = fields.boolean("critical")
    group = fields.name("group", required=False)
    split = fields.member("split", Split)
    designed = _designed(fields, names)
    meta = _response_meta(fields, names)
    extra = fields.rest()
    if not fields.sound or case_id is None or prompt is None:
        return None
    return CaseRecord(
        line=row.line,
        case_id=case_id,
        prompt=prompt,
        responses=responses,
        context=context,
        reference=reference,
        slices=slices,
        critical=critical,
        group=group,
        split=split,
        designed=designed,
        response_meta=meta,
        extra=extra,
    )


def _responses(fields: Fields, names: SystemNames) -> dict[str, Text]:
    short = [name for name in _SHORTHAND if fields.has(name)]
    if not short:
        _hint_at_columns(fields, names)
        given = fields.take("responses")
        if isinstance(given, dict):
            return _by_system(fields, names, given)
        if given is not None:
            fields.fail("responses", f"must be an object, not {kind_of(given)}")
        return {}
    if fields.has("responses"):
        fields.fail(short[0], "give responses, or baseline and candidate, not both")
        return {}
    if names.only_pair is None:
        fields.fail(short[0], f"stands for one of {len(names.names)} systems: which?")
        return {}
    read = [fields.text(name, required=True) for name in _SHORTHAND]
    texts = zip(names.names, read, strict=True)
    return {name: text for name, text in texts if text is not None}


def _hint_at_columns(fields: Fields, names: SystemNames) -> None:
    """Say that there are no responses, and where they may stand instead."""
    if fields.has("responses"):
        return
    bare = next((name for name in names.names if fields.has(name)), None)
    meant = "" if bare is None else f"; a column of them is called responses.{bare}"
    fields.fail("responses", f"missing{meant}")


def _by_system(
    fields: Fields, names: SystemNames, given: dict[str, object]
) -> dict[str, Text]:
    responses = {}
    for name in names.names:
        if given.get(name) is None:
            fields.fail(f"responses.{name}", "missing")
            continue
        text = fields.read_text(f"responses.{name}", given[name])
        if text is not None:
            responses[name] = text
    _refuse_unknown(fields, "responses", names, given)
    return responses


def _refuse_unknown(
    fields: Fields, field: str, names: SystemNames, given: dict[str, object]
) -> None:
    for name in given:
        if name not in names.names:
            known = ", ".join(names.names)
            fields.fail(field, f"unknown system {shown(name)}; the set has {known}")


def _slices(fields: Fields) -> dict[str, str]:
    slices = {}
    for key, value in fields.mapping("slices").items():
        fault = name_fault(key)
        if fault:
            fields.fail("slices", f"a key {fault}")
            continue
        text = _slice_value(value)
        if text is None:
            reason = f"must be text, a number or true/false, not {kind_of(value)}"
            fields.fail(f"slices.{key}", reason)
        elif text:
            fault = name_fault(text)
            if fault:
                fields.fail(f"slices.{key}", fault)
            slices[key] = text
    return slices


def _slice_value(value: object) -> str | None:
    """Write a slice value as text; "" for null, ``None`` for what cannot be one."""
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, bool | int | float):
        return json.dumps(value)
    return None


def _designed(fields: Fields, names: SystemNames) -> dict[tuple[str, str], Outcome]:
    only = names.only_pair
    given = fields.take("designed")
    if isinstance(given, str) and only is not None:
        given = {f"{only[0]}|{only[1]}": given}
    if given is None or given == "":
        return {}
    if not isinstance(given, dict):
        fields.fail("designed", f"must be an object, not {kind_of(given)}")
        return {}
    designed = {}
    for key, value in given.items():
        field = f"designed.{key}"
        pair = names.by_key(key)
        if isinstance(pair, str):
            fields.fail(field, pair)
            continue
        outcome = fields.read_member(field, value, Outcome)
        if outcome is not None:
            designed[pair] = outcome
    return designed


def _response_meta(fields: Fields, names: SystemNames) -> dict[str, dict[str, object]]:
    given = fields.mapping("response_meta")
    _refuse_unknown(fields, "response_meta", names, given)
    meta = {}
    for name, value in given.items():
        if not isinstance(value, dict):
            reason = f"must be an object, not {kind_of(value)}"
            fields.fail(f"response_meta.{name}", reason)
            continue
        meta[name] = value
    return meta
