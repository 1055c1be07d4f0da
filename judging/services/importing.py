"""Recorded judges: replies from a file become a run like any other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import transaction

from annotation.models import ExposureKind, GoldSet, Pair
from annotation.services.exposures import note_judged, record_exposures
from annotation.services.importing import BATCH
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
from judging.services.verdict_rows import calls_missing, key_of, read_rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from annotation.domain.records import VerdictRecord
    from config.accounts.models import User
    from judging.domain.formats.base import VerdictFormat
    from judging.domain.verdicts import Reading

RECORDED = "recorded"


@dataclass(frozen=True, slots=True)
class ImportedVerdicts:
    """What an import of verdicts came to.

    ``invalid`` and ``contradicting`` count what is not sealed: the rest is ``sealed``.
    ``missing`` calls of the judged pairs are not in the file, and count as invalid.
    """

    run: Run
    known: bool
    calls: int
    invalid: int
    pairs_without: int
    contradicting: int
    sealed: int = 0
    missing: int = 0


@transaction.atomic
def import_verdicts(
    *,
    gold_set: GoldSet,
    plan: RecordedPlan,
    source: Source | Intake,
    by: User | None,
    now: datetime,
    actor: str = "",
) -> ImportedVerdicts:
    """Import recorded replies as a finished run; the same file again is left alone."""
    GoldSet.objects.select_for_update().get(pk=gold_set.pk)
    fmt = _format(plan)
    intake = intake_of(source)
    records, pairs = read_rows(intake, gold_set, use_choice=plan.use_choice)
    repeats = max(record.repeat for record in records)
    config = _config(plan, fmt, repeats=repeats, by=by, now=now, actor=actor)
    digest = intake.digest()
    earlier = Run.objects.filter(
        config=config, gold_set=gold_set, source_digest=digest
    ).first()
    run = earlier or _run(config, gold_set, digest, by=by, now=now, actor=actor)
    readings = [reading_of_record(record, fmt, plan) for record in records]
    if earlier is None:
        _write(run, records, readings, pairs, plan, now=now)
        note_judged(gold_set_id=gold_set.pk, now=now)
    judged = {pairs[key_of(record)].pk for record in records}
    hidden = set(under_seal(gold_set.pairs.all()).values_list("pk", flat=True))
    shown = [
        (record, reading)
        for record, reading in zip(records, readings, strict=True)
        if pairs[key_of(record)].pk not in hidden
    ]
    summary = ImportedVerdicts(
        run=run,
        known=earlier is not None,
        calls=len(records),
        invalid=sum(1 for _, reading in shown if isinstance(reading, Invalid)),
        pairs_without=Pair.objects.filter(gold_set=gold_set).count() - len(judged),
        contradicting=contradicting(shown, fmt, plan),
        sealed=len(records) - len(shown),
        missing=calls_missing(records, pairs, repeats),
    )
    if earlier is None:
        _note(run, summary, plan)
    if by is not None:
        # Whoever brings verdicts has seen them.
        record_exposures(user=by, pair_ids=judged, kind=ExposureKind.VERDICTS, now=now)
    return summary


def _format(plan: RecordedPlan) -> VerdictFormat:
    try:
        return get_format(plan.verdict_format, plan.format_options)
    except UnknownFormat as error:
        raise InvalidInput("format_unknown", f"format: {error}") from error


def _config(
    plan: RecordedPlan,
    fmt: VerdictFormat,
    *,
    repeats: int,
    by: User | None,
    now: datetime,
    actor: str,
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
    return freeze_judge(config=draft, by=by, now=now, actor=actor)


def _run(
    config: JudgeConfig,
    gold_set: GoldSet,
    digest: str,
    *,
    by: User | None,
    now: datetime,
    actor: str,
) -> Run:
    return Run.objects.create(
        config=config,
        gold_set=gold_set,
        status=RunStatus.DONE,
        source_digest=digest,
        created_at=now,
        created_by=by,
        actor=actor,
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
                pair=pairs[key_of(record)],
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
    if n := summary.contradicting:
        taken = "" if plan.use_choice else " The text was taken."
        whose = "choice contradicts its" if n == 1 else "choices contradict their"
        notices.append(
            f"{n} stored {whose} text as the format {plan.verdict_format} reads it."
            f"{taken}"
        )
    if n := summary.missing:
        repeats = summary.run.config.repeats
        times = "" if repeats == 1 else f", {repeats} times"
        are = "reply is" if n == 1 else "replies are"
        notices.append(
            f"{n} {are} not in the file: of each pair one in both "
            f"orders{times}. Each counts as invalid."
        )
    if n := summary.pairs_without:
        were = "pair of the set was" if n == 1 else "pairs of the set were"
        notices.append(f"{n} {were} not judged.")
    notices += _of_other_files(run)
    run.notices = notices
    run.save(update_fields=["notices"])


def _of_other_files(run: Run) -> list[str]:
    """Two files under one name may be a mistake, and the newest is what counts."""
    others = (
        Run.objects.filter(gold_set=run.gold_set, config__name=run.config.name)
        .exclude(pk=run.pk)
        .exclude(source_digest=run.source_digest)
        .order_by("pk")
    )
    numbers = [str(pk) for pk in others.values_list("pk", flat=True)]
    if not numbers:
        return []
    runs = f"{'run' if len(numbers) == 1 else 'runs'} {', '.join(numbers)}"
    told = f"Other files were imported as {run.config.name} before: {runs}."
    return [f"{told} Where no run is named, the newest counts."]
