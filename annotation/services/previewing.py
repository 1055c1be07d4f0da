"""What an import would do, before anything is written; and then doing it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from annotation.domain.answer_rows import iter_verdicts
from annotation.domain.extras import kept_as_extra
from annotation.domain.readers.base import FileKind
from annotation.domain.records import plain_text
from annotation.domain.rows import Problems
from annotation.models import ExposureKind
from annotation.services.exposures import record_exposures
from annotation.services.gold_sets import (
    SetPlan,
    find_gold_set,
    gold_set_named,
    systems_for,
)
from annotation.services.import_checks import check_against_set, note_of
from annotation.services.import_repeats import notice_repeats
from annotation.services.importing import (
    Imported,
    PairsFile,
    import_pairs,
    notice_lines,
)
from annotation.services.importing_labels import (
    check_labels,
    import_labels,
    labelled_pairs,
    read_labels,
)
from annotation.services.intake import Intake, read_options, reader_named
from annotation.services.told_names import names_in_plan
from config.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from annotation.domain.records import CaseRecord, LabelRecord, VerdictRecord
    from annotation.domain.rows import RowError
    from annotation.services.intake import Source
    from config.accounts.models import User

SHOWN_ROWS = 5
LONGEST_CELL = 300
DUPLICATE = "exact duplicate"


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """What to import, from whose files, into which set. Plain values, to be stored."""

    kind: FileKind
    gold_set: str
    reader: str = "evenhand"
    systems: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    title: str = ""
    question: str = ""
    labels_per_pair: int = 3
    primary_slice: str = ""
    answers: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    values: tuple[str, ...] = ()

    def stored(self) -> dict[str, object]:
        """As JSON; the inverse is :meth:`restored`."""
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name in self.__slots__
            for value in [getattr(self, name)]
        }

    @classmethod
    def restored(cls, stored: Mapping[str, Any]) -> ImportPlan:
        """From what :meth:`stored` gave; uploads of another kind are not there."""
        if "kind" not in stored:
            raise NotFound("upload_unknown", "This upload is of another kind.")
        values: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in stored.items()
        }
        values["kind"] = FileKind(values["kind"])
        return cls(**values)

    def intake(self, sources: Sequence[Source]) -> Intake:
        """The files with what has to be known to read them."""
        options = read_options(
            answers=self.answers,
            names=self.names,
            fields=self.fields,
            values=self.values,
        )
        return Intake(tuple(sources), reader_named(self.reader), options)

    def set_plan(self) -> SetPlan:
        """The comparison contract of a set that may be new."""
        return SetPlan(
            name=self.gold_set,
            systems=self.systems,
            families=families_of(self.families),
            title=self.title,
            question=self.question,
            labels_per_pair=self.labels_per_pair,
            primary_slice=self.primary_slice,
        )


def families_of(written: Iterable[str]) -> dict[str, str]:
    """Families by system, written as SYSTEM=FAMILY; a name may hold = itself."""
    found = {}
    for one in written:
        system, equals, family = one.rpartition("=")
        if not (equals and system.strip() and family.strip()):
            raise InvalidInput(
                "families_invalid", f"families: {one!r} is not SYSTEM=FAMILY"
            )
        found[system.strip()] = family.strip()
    return found


@dataclass(frozen=True, slots=True)
class Preview:
    """What would come of an import.

    ``found`` counts the good rows, ``fresh`` those that are new to the set. The first
    of them stand in ``rows`` under ``columns``. With errors nothing can be imported.
    """

    kind: FileKind
    source: str
    mapping: tuple[tuple[str, str], ...]
    gold_set: str
    new_set: bool
    systems: tuple[str, ...]
    found: int
    fresh: int
    duplicates: int
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    errors: tuple[RowError, ...] = ()
    omitted: int = 0
    notices: tuple[str, ...] = ()
    extra: str = ""  # fields that are kept and not read, in words

    @property
    def named_rows(self) -> list[list[tuple[str, str]]]:
        """The first rows, each cell with its column."""
        return [list(zip(self.columns, row, strict=True)) for row in self.rows]

    @property
    def known(self) -> int:
        """Rows that the set has already."""
        return self.found - self.fresh

    @property
    def error_count(self) -> int:
        """All errors, with those past the cap."""
        return len(self.errors) + self.omitted


@dataclass
class _Look:
    """What was read of a file so far."""

    columns: tuple[str, ...]
    problems: Problems = field(default_factory=Problems)
    rows: list[tuple[str, ...]] = field(default_factory=list)
    found: int = 0
    fresh: int = 0

    def show(self, cells: Iterable[object]) -> None:
        if len(self.rows) < SHOWN_ROWS:
            self.rows.append(tuple(_cell(cell) for cell in cells))


def preview(*, plan: ImportPlan, sources: Sequence[Source]) -> Preview:
    """Read everything as an import would, and write nothing."""
    intake = plan.intake(sources)
    if plan.kind is FileKind.PAIRS:
        systems = systems_for(plan.set_plan())
        look = _pairs(plan, intake, systems)
    else:
        systems = gold_set_named(plan.gold_set).system_names()
        answers = {FileKind.LABELS: _labels, FileKind.VERDICTS: _verdicts}
        look = answers[plan.kind](plan, intake)
    notices = look.problems.notices
    told = names_in_plan(plan.set_plan()) if plan.kind is FileKind.PAIRS else ()
    extra = kept_as_extra(look.problems.extra, plan.kind)
    return Preview(
        kind=plan.kind,
        source=intake.reader.title,
        mapping=intake.reader.mapping[plan.kind],
        gold_set=plan.gold_set,
        new_set=find_gold_set(plan.gold_set) is None,
        systems=systems,
        found=look.found,
        fresh=0 if look.problems.errors else look.fresh,
        duplicates=sum(1 for n in notices if n.text.startswith(DUPLICATE)),
        columns=look.columns,
        rows=tuple(look.rows),
        errors=look.problems.errors,
        omitted=look.problems.omitted,
        notices=(*([extra] if extra else []), *notice_lines(notices), *told),
        extra=extra,
    )


def commit(
    *, plan: ImportPlan, sources: Sequence[Source], by: User, now: datetime
) -> Imported:
    """Import what was previewed. Whoever brings labels has seen them."""
    intake = plan.intake(sources)
    if plan.kind is FileKind.PAIRS:
        return import_pairs(plan=plan.set_plan(), source=intake, by=by, now=now)
    if plan.kind is not FileKind.LABELS:
        raise InvalidInput(
            "kind_elsewhere", "Verdicts are imported by import_verdicts."
        )
    gold_set = gold_set_named(plan.gold_set)
    done = import_labels(gold_set=gold_set, source=intake, now=now, by=by)
    pair_ids = labelled_pairs(gold_set, intake)
    record_exposures(user=by, pair_ids=pair_ids, kind=ExposureKind.LABELS, now=now)
    return done


def _pairs(plan: ImportPlan, intake: Intake, systems: Sequence[str]) -> _Look:
    look = _Look(("case_id", "prompt", *(f"responses.{s}" for s in systems), "more"))
    file, notes = PairsFile(intake, systems), []
    for place, record in enumerate(file.cases(look.problems)):
        notes.append(note_of(place, record))
        look.show(_case_cells(record, systems))
    look.found = look.fresh = len(notes)
    gold_set = find_gold_set(plan.gold_set)
    if gold_set is not None:
        notes = check_against_set(notes, gold_set, file.at, look.problems)
        look.fresh = len(notes)
    notice_repeats(notes, gold_set, look.problems)
    return look


def _case_cells(record: CaseRecord, systems: Sequence[str]) -> list[object]:
    responses = [plain_text(record.responses.get(name, "")) for name in systems]
    more = {f"slices.{key}": value for key, value in record.slices.items()}
    more |= {"split": record.split or "", "group": record.group or ""}
    if record.context is not None:
        more["context"] = plain_text(record.context)
    if record.reference is not None:
        more["reference"] = plain_text(record.reference)
    listed = "\n".join(f"{key}: {value}" for key, value in more.items() if value)
    return [record.case_id, plain_text(record.prompt), *responses, listed]


def _labels(plan: ImportPlan, intake: Intake) -> _Look:
    look = _Look(("case_id", "systems", "reviewer", "outcome", "strength", "note"))
    gold_set = gold_set_named(plan.gold_set)
    records = read_labels(gold_set, intake, look.problems)
    for record in records[:SHOWN_ROWS]:
        look.show(_label_cells(record))
    look.found = len(records)
    look.fresh = len(check_labels(gold_set, records, look.problems))
    return look


def _label_cells(record: LabelRecord) -> list[object]:
    systems = "|".join(record.systems)
    said = (record.outcome.value, record.strength, record.note)
    return [record.case_id, systems, record.reviewer, *said]


def _verdicts(plan: ImportPlan, intake: Intake) -> _Look:
    look = _Look(("case_id", "systems", "order", "repeat", "choice", "raw"))
    gold_set = gold_set_named(plan.gold_set)
    cases = frozenset(gold_set.cases.values_list("external_id", flat=True))
    systems = gold_set.system_names()
    rows = intake.rows(plan.kind, systems, look.problems)
    for record in iter_verdicts(rows, systems, look.problems, cases):
        look.found += 1
        look.show(_verdict_cells(record))
    look.fresh = look.found
    return look


def _verdict_cells(record: VerdictRecord) -> list[object]:
    order, systems = record.order.value, "|".join(record.systems)
    return [record.case_id, systems, order, record.repeat, record.choice, record.raw]


def _cell(value: object) -> str:
    text = "" if value is None else str(value)
    return text if len(text) <= LONGEST_CELL else text[: LONGEST_CELL - 1] + "…"
