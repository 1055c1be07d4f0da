"""Taking pairs and labels from files: all or nothing, every bad row named."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, TypeVar

from django.db import transaction

from annotation.domain.digests import digest_of
from annotation.domain.files import read_rows
from annotation.domain.identity import NameScanner
from annotation.domain.pairs import pair_digest, pair_flags
from annotation.domain.records import (
    parse_cases,
    plain_text,
    text_digest_of,
    text_length,
    text_to_json,
)
from annotation.domain.rows import RowError, error_lines
from annotation.models import Case, GoldSet, Pair, Response, System
from annotation.services.gold_sets import SetPlan, create_gold_set
from config.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from annotation.domain.records import CaseRecord, Parsed, Text
    from config.accounts.models import User

RecordT = TypeVar("RecordT")

BATCH = 1000
# Texts of this many cases are in memory at a time while rows are written.
CASES_AT_ONCE = 500
IDENTITY_LEAK = "identity_leak"


class ImportRefused(InvalidInput):
    """A file that was not imported; nothing of it was."""

    def __init__(self, errors: Sequence[RowError], omitted: int = 0) -> None:
        lines = error_lines(errors, omitted)
        count = len(errors) + omitted
        noun = "problem" if count == 1 else "problems"
        message = f"Nothing was imported: {count} {noun}.\n" + "\n".join(lines)
        super().__init__("import_refused", message, {"errors": list(lines)})
        self.errors = tuple(errors)


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import came to."""

    added: int
    known: int
    pairs: int = 0
    flagged: int = 0
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Source:
    """A file's bytes and its name, which tells the format."""

    data: bytes
    filename: str


def accepted(parsed: Parsed[RecordT]) -> tuple[RecordT, ...]:
    """Return the records of a file without errors; refuse it otherwise."""
    if parsed.errors:
        raise ImportRefused(parsed.errors, parsed.omitted)
    return parsed.records


@transaction.atomic
def import_pairs(
    *, plan: SetPlan, source: Source, by: User | None, now: datetime
) -> Imported:
    """Import cases with all their systems' responses, and pair these up.

    Makes the gold set where it is new. A case that is there already with the same
    content is left alone; one with other content is refused.
    """
    gold_set = _set_for(plan, by=by, now=now)
    parsed = parse_cases(
        read_rows(source.data, source.filename), gold_set.system_names()
    )
    records = accepted(parsed)
    known = dict(gold_set.cases.values_list("external_id", "digest"))
    _refuse_changed(records, known)
    fresh = [record for record in records if record.case_id not in known]
    writer = _Writer(gold_set)
    for start in range(0, len(fresh), CASES_AT_ONCE):
        writer.write(fresh[start : start + CASES_AT_ONCE])
    return Imported(
        added=len(fresh),
        known=len(records) - len(fresh),
        pairs=writer.pairs,
        flagged=writer.flagged,
        notices=tuple(str(notice) for notice in parsed.notices),
    )


def _set_for(plan: SetPlan, *, by: User | None, now: datetime) -> GoldSet:
    gold_set = GoldSet.objects.select_for_update().filter(name=plan.name).first()
    if gold_set is None:
        return create_gold_set(plan=plan, by=by, now=now)
    names = gold_set.system_names()
    if plan.systems and tuple(plan.systems) != names:
        raise InvalidInput(
            "systems_differ",
            f"{plan.name} compares {', '.join(names)} in this order, not "
            f"{', '.join(plan.systems)}.",
        )
    return gold_set


def case_digest(record: CaseRecord) -> str:
    """Digest of a case's row without its split, which may be assigned later."""
    return digest_of(
        {
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
            "response_meta": {k: dict(v) for k, v in record.response_meta.items()},
            "extra": dict(record.extra),
        }
    )


def _optional(text: Text | None) -> object:
    return None if text is None else text_to_json(text)


def _refuse_changed(records: Iterable[CaseRecord], known: Mapping[str, str]) -> None:
    errors = [
        RowError(
            record.line,
            "case_id",
            f"case {record.case_id!r} exists with other content; import it under "
            "another id or into a new gold set",
        )
        for record in records
        if record.case_id in known and known[record.case_id] != case_digest(record)
    ]
    if errors:
        raise ImportRefused(errors)


class _Writer:
    """Writes cases, responses and pairs in batches."""

    def __init__(self, gold_set: GoldSet) -> None:
        self.gold_set = gold_set
        self.systems = list(gold_set.systems.order_by("position"))
        self.scanner = NameScanner(
            name for s in self.systems for name in (s.name, *s.aliases)
        )
        self.pairs = 0
        self.flagged = 0

    def write(self, records: Sequence[CaseRecord]) -> None:
        cases = Case.objects.bulk_create(
            [self._case(record) for record in records], batch_size=BATCH
        )
        rows = list(zip(records, cases, strict=True))
        responses = Response.objects.bulk_create(
            [
                _response(record, case, system)
                for record, case in rows
                for system in self.systems
                if system.name in record.responses
            ],
            batch_size=BATCH,
        )
        by_case: defaultdict[int, list[Response]] = defaultdict(list)
        for response in responses:
            by_case[response.case_id].append(response)
        pairs = [
            pair
            for record, case in rows
            for pair in self._pairs(record, case, by_case[case.pk])
        ]
        Pair.objects.bulk_create(pairs, batch_size=BATCH)
        self.pairs += len(pairs)
        self.flagged += sum(1 for pair in pairs if pair.flags)

    def _case(self, record: CaseRecord) -> Case:
        return Case(
            gold_set=self.gold_set,
            external_id=record.case_id,
            prompt=text_to_json(record.prompt),
            context=_optional(record.context),
            reference=_optional(record.reference),
            slices=dict(record.slices),
            critical=record.critical,
            group=record.group or "",
            split=record.split.value if record.split else "",
            extra=dict(record.extra),
            digest=case_digest(record),
        )

    def _pairs(
        self, record: CaseRecord, case: Case, responses: Sequence[Response]
    ) -> Iterable[Pair]:
        leaks = {r.pk for r in responses if self._leaks(record, r)}
        # The systems' own order: of a pair, the earlier one is the baseline.
        for baseline, candidate in combinations(responses, 2):
            names = (baseline.system.name, candidate.system.name)
            designed = record.designed.get(names)
            flags = [
                flag.value
                for flag in pair_flags(
                    (baseline.sha256, candidate.sha256), baseline.meta, candidate.meta
                )
            ]
            if leaks & {baseline.pk, candidate.pk}:
                flags.append(IDENTITY_LEAK)
            yield Pair(
                gold_set=self.gold_set,
                case=case,
                baseline=baseline,
                candidate=candidate,
                designed=designed.value if designed else "",
                flags=flags,
                digest=pair_digest(
                    case_id=record.case_id,
                    prompt=record.prompt,
                    context=record.context,
                    reference=record.reference,
                    systems=names,
                    responses=(baseline.sha256, candidate.sha256),
                ),
            )

    def _leaks(self, record: CaseRecord, response: Response) -> bool:
        text = record.responses[response.system.name]
        return bool(self.scanner.scan(plain_text(text)))


def _response(record: CaseRecord, case: Case, system: System) -> Response:
    text = record.responses[system.name]
    return Response(
        case=case,
        system=system,
        text=text_to_json(text),
        sha256=text_digest_of(text),
        length=text_length(text),
        meta=dict(record.response_meta.get(system.name, {})),
    )
