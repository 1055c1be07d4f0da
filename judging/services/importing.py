"""Recorded judges: replies from a file become a run like any other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import transaction

from annotation.domain.answer_rows import iter_verdicts
from annotation.domain.readers.base import FileKind
from annotation.domain.rows import Problems, RowError
from annotation.models import ExposureKind, GoldSet, Pair
from annotation.services.exposures import note_judged, record_exposures
from annotation.services.importing import BATCH, ImportRefused, refuse_if_bad
from annotation.services.importing_labels import pairs_by_key, unknown_case
from annotation.services.intake import Intake, Source, intake_of
from annotation.services.seals import under_seal
from config.db.statistics import refresh_statistics
from config.errors import InvalidInput
from judging.domain.digests import JudgeSpec
from judging.domain.formats.registry import UnknownFormat, get_format
from judging.domain.verdicts import Invalid, Verdict
from judging.models import Call, CallState, JudgeConfig, Reply, Run, RunStatus
from judging.services.asking import reply_row
from judging.services.configuring import draft_judge, freeze_judge, frozen_with
from judging.services.recorded import RecordedPlan, contradicting, reading_of_record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from annotation.domain.records import VerdictRecord
    from config.accounts.models import User
    from judging.domain.formats.base import VerdictFormat
    from judging.domain.verdicts import Reading

RECORDED = "recorded"
LACKING = {
    "choice": "missing, and the stored choices are to be taken (--use-choice)",
    "raw": "missing; of a file with parsed choices alone, take those (--use-choice)",
}


@dataclass(frozen=True, slots=True)
class ImportedVerdicts:
    """What an import of verdicts came to.

    ``invalid`` and ``contradicting`` count what is not sealed: the rest is ``sealed``.
    """

    run: Run
    known: bool
    calls: int
    invalid: int
    pairs_without: int
    contradicting: int
    sealed: int = 0


@transaction.atomic
def import_verdicts(
    *,
    gold_set: GoldSet,
    plan: RecordedPlan,
    source: Source | Intake,
    by: User | None,
    now: datetime,
) -> ImportedVerdicts:
    """Import recorded replies as a finished run; the same file again is left alone."""
    GoldSet.objects.select_for_update().get(pk=gold_set.pk)
    fmt = _format(plan)
    intake = intake_of(source)
    records = _records(intake, gold_set.system_names())
    pairs = _pairs(gold_set, records)
    _refuse_missing(records, use_choice=plan.use_choice)
    repeats = max(record.repeat for record in records)
    config = _config(plan, fmt, repeats=repeats, by=by, now=now)
    digest = intake.digest()
    earlier = Run.objects.filter(
        config=config, gold_set=gold_set, source_digest=digest
    ).first()
    run = earlier or _run(config, gold_set, digest, by=by, now=now)
    readings = [reading_of_record(record, fmt, plan) for record in records]
    if earlier is None:
        _write(run, records, readings, pairs, plan, now=now)
        note_judged(gold_set_id=gold_set.pk, now=now)
    judged = {pairs[_key(record)].pk for record in records}
    hidden = set(under_seal(gold_set.pairs.all()).values_list("pk", flat=True))
    shown = [
        (record, reading)
        for record, reading in zip(records, readings, strict=True)
        if pairs[_key(record)].pk not in hidden
    ]
    summary = ImportedVerdicts(
        run=run,
        known=earlier is not None,
        calls=len(records),
        invalid=sum(1 for _, reading in shown if isinstance(reading, Invalid)),
        pairs_without=Pair.objects.filter(gold_set=gold_set).count() - len(judged),
        contradicting=contradicting(shown, fmt, plan),
        sealed=len(records) - len(shown),
    )
    if earlier is None:
        _note(run, summary, plan)
    if by is not None:
        # Whoever brings verdicts has seen them.
        record_exposures(user=by, pair_ids=judged, kind=ExposureKind.VERDICTS, now=now)
    return summary


def _records(intake: Intake, systems: Sequence[str]) -> list[VerdictRecord]:
    """Read the verdicts, or refuse the file naming every bad row."""
    problems = Problems()
    rows = intake.rows(FileKind.VERDICTS, systems, problems)
    records = list(iter_verdicts(rows, systems, problems))
    refuse_if_bad(problems)
    return records


def _format(plan: RecordedPlan) -> VerdictFormat:
    try:
        return get_format(plan.verdict_format, plan.format_options)
    except UnknownFormat as error:
        raise InvalidInput("format_unknown", f"format: {error}") from error


def _key(record: VerdictRecord) -> tuple[str, str, str]:
    return (record.case_id, *record.systems)


def _pairs(
    gold_set: GoldSet, records: Sequence[VerdictRecord]
) -> dict[tuple[str, str, str], Pair]:
    """Resolve every row's pair, or refuse the file naming the rows that have none."""
    keys = pairs_by_key(gold_set)
    errors = [unknown_case(r.line, r.case_id) for r in records if _key(r) not in keys]
    if errors:
        raise ImportRefused(errors)
    own = Pair.objects.filter(gold_set=gold_set)
    by_pk = {p.pk: p for p in own.select_related("baseline", "candidate")}
    return {key: by_pk[pk] for key, pk in keys.items()}


def _refuse_missing(records: Sequence[VerdictRecord], *, use_choice: bool) -> None:
    """Say which rows lack what is to be read from them."""
    field = "choice" if use_choice else "raw"
    errors = [
        RowError(record.line, field, LACKING[field])
        for record in records
        if getattr(record, field) is None
    ]
    if errors:
        raise ImportRefused(errors)


def _config(
    plan: RecordedPlan,
    fmt: VerdictFormat,
    *,
    repeats: int,
    by: User | None,
    now: datetime,
) -> JudgeConfig:
    """The frozen judge that stands for the recording; one version for one reading."""
    parser = "stored choices" if plan.use_choice else fmt.parser_version
    spec = JudgeSpec(
        provider=RECORDED,
        base_url="",
        model=plan.judge,
        params={},
        system_template="",
        user_template="",
        rubric="",
        rubric_version="",
        question="",
        verdict_format=fmt.name,
        parser_version=parser,
        offers_abstain=plan.offers_abstain,
        combining_rule=plan.combining_rule,
        repeats=repeats,
        format_options=plan.format_options,
    )
    found = frozen_with(plan.judge, spec)
    if found is not None:
        return found
    draft = draft_judge(name=plan.judge, spec=spec, by=by, now=now, recorded=True)
    return freeze_judge(config=draft, by=by, now=now)


def _run(
    config: JudgeConfig,
    gold_set: GoldSet,
    digest: str,
    *,
    by: User | None,
    now: datetime,
) -> Run:
    return Run.objects.create(
        config=config,
        gold_set=gold_set,
        status=RunStatus.DONE,
        source_digest=digest,
        created_at=now,
        created_by=by,
        started_at=now,
        finished_at=now,
    )


def _write(
    run: Run,
    records: Sequence[VerdictRecord],
    readings: Sequence[Reading],
    pairs: Mapping[tuple[str, str, str], Pair],
    plan: RecordedPlan,
    *,
    now: datetime,
) -> None:
    calls = Call.objects.bulk_create(
        [
            Call(
                run=run,
                pair=pairs[_key(record)],
                order=record.order.value,
                repeat=record.repeat,
                state=CallState.DONE,
            )
            for record in records
        ],
        batch_size=BATCH,
    )
    Reply.objects.bulk_create(
        [
            _reply(call, record, reading, plan, now=now)
            for call, record, reading in zip(calls, records, readings, strict=True)
        ],
        batch_size=BATCH,
    )
    refresh_statistics(Call, Reply, rows=len(calls))


def _reply(
    call: Call,
    record: VerdictRecord,
    reading: Reading,
    plan: RecordedPlan,
    *,
    now: datetime,
) -> Reply:
    reply = reply_row(call, reading, now=now)
    reply.raw = record.raw
    reply.choice_was_stored = plan.use_choice and isinstance(reading, Verdict)
    return reply


def _note(run: Run, summary: ImportedVerdicts, plan: RecordedPlan) -> None:
    """Keep with the run what a reader of its report has to know."""
    notices = []
    if plan.use_choice:
        notices.append("Choices were taken as stored in the file, not read from text.")
    if summary.contradicting:
        notices.append(
            f"{summary.contradicting} stored choices contradict their text as the "
            f"format {plan.verdict_format} reads it."
        )
    if summary.pairs_without:
        notices.append(f"{summary.pairs_without} pairs of the set were not judged.")
    run.notices = notices
    run.save(update_fields=["notices"])
