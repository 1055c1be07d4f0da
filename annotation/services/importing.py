"""Taking pairs from files: all or nothing, every bad row named."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, TypeVar

from django.db import transaction

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
from annotation.domain.rows import MOST_ERRORS, Problems, error_lines
from annotation.models import Case, GoldSet, Pair, Response, System
from annotation.services.gold_sets import SetPlan, set_for, systems_for
from annotation.services.import_checks import case_digest, check_against_set
from config.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import datetime

    from annotation.domain.records import CaseRecord, Parsed, Text
    from annotation.domain.rows import RowError, RowNotice
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
    """What an import came to. ``flags`` counts the new pairs by flag."""

    added: int
    known: int
    pairs: int = 0
    flagged: int = 0
    flags: Mapping[str, int] = field(default_factory=dict)
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


def refuse_if_bad(problems: Problems) -> None:
    """Refuse the file if a row does not fit what is stored already."""
    if problems.errors:
        raise ImportRefused(problems.errors, problems.omitted)


def notice_lines(notices: Sequence[RowNotice]) -> tuple[str, ...]:
    """Write notices out, one a line, and "and N more" past the cap."""
    more = len(notices) - MOST_ERRORS
    shown = tuple(str(notice) for notice in notices[:MOST_ERRORS])
    return (*shown, f"and {more} more notices") if more > 0 else shown


def import_pairs(
    *,
    plan: SetPlan,
    source: Source,
    by: User | None,
    now: datetime,
    on_progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> Imported:
    """Import cases with all their systems' responses, and pair these up.

    Makes the gold set where it is new. A case that is there already with the same
    content is left alone; one with other content is refused. The file is read before
    the transaction begins, so that nobody waits for that; ``on_progress`` gets how many
    of the new cases are written.
    """
    parsed = parse_cases(read_rows(source.data, source.filename), systems_for(plan))
    return _store(plan, accepted(parsed), parsed.notices, on_progress, by=by, now=now)


@transaction.atomic
def _store(
    plan: SetPlan,
    records: Sequence[CaseRecord],
    notices: Sequence[RowNotice],
    on_progress: Callable[[int, int], None],
    *,
    by: User | None,
    now: datetime,
) -> Imported:
    gold_set = set_for(plan, by=by, now=now)
    problems = Problems()
    fresh = check_against_set(records, gold_set, problems)
    refuse_if_bad(problems)
    writer = _Writer(gold_set)
    for start in range(0, len(fresh), CASES_AT_ONCE):
        on_progress(start, len(fresh))
        writer.write(fresh[start : start + CASES_AT_ONCE])
    on_progress(len(fresh), len(fresh))
    return Imported(
        added=len(fresh),
        known=len(records) - len(fresh),
        pairs=writer.pairs,
        flagged=writer.flagged,
        flags=writer.flags,
        notices=notice_lines([*notices, *problems.notices]),
    )


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
        self.flags: Counter[str] = Counter()

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
        self.flags.update(flag for pair in pairs for flag in pair.flags)

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


def _optional(text: Text | None) -> object:
    return None if text is None else text_to_json(text)


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
