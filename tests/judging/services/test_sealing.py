"""No count of a sealed set tells what became of its held-out pairs."""

from __future__ import annotations

import io
import json

import pytest
from django.core.management import call_command

from annotation.models import Case, LookMode
from annotation.services.importing import Source
from calibration.services.overviews import run_overview, runs
from calibration.services.sealed_looks import plan_looks
from judging.domain.ports import RawReply
from judging.management import showing
from judging.management.commands import run_judge
from judging.presenters.runs import live_run
from judging.services.importing import import_verdicts
from judging.services.recorded import RecordedPlan
from judging.services.tallies import Progress
from judging.services.watching import progress_of
from judging.services.working import work_on
from tests.annotation.factory import START, make_set
from tests.judging.commands.test_progress_bar import Bar, Terminal
from tests.judging.factory import ADDRESS, make_run
from tests.judging.pointwise_judges import Marker, pointwise_run
from tests.judging.rubric_judges import Writer, rubric_run
from tests.judging.talkers import Talker

pytestmark = pytest.mark.django_db(transaction=True)
EMPTY = RawReply(text="", body="{}", finish_reason="stop")


@pytest.fixture
def gold_set():
    """Three cases, two of them held out and sealed."""
    made = make_set(3)
    Case.objects.filter(gold_set=made).update(split="held_out")
    first = Case.objects.filter(gold_set=made).order_by("pk").first()
    Case.objects.filter(pk=first.pk).update(split="dev")
    plan_looks(
        gold_set=made,
        mode=LookMode.SEALED,
        budget=3,
        limits={"agreement": 0.5},
        by=None,
        now=START,
    )
    return made


def finished(run, client):
    work_on(run, open_client=lambda _endpoint: client)
    run.refresh_from_db()
    return run


def counted(run):
    """What every door counts as invalid."""
    live = live_run(run, now=START)
    assert live.progress.sealed
    numbers = {
        live.progress.invalid_total,
        run_overview(run.pk).invalid_total,
        runs().get(pk=run.pk).invalid,
    }
    assert len(numbers) == 1
    return numbers.pop()


class Silent(Talker):
    async def ask(self, request):
        await super().ask(request)
        return EMPTY


def test_only_verdicts_on_dev_pairs_are_counted(gold_set):
    run = finished(make_run(ADDRESS, gold_set=gold_set), Silent())
    assert (run.calls.count(), counted(run)) == (6, 2)


def test_only_marks_of_dev_responses_are_counted(gold_set):
    run = finished(pointwise_run(gold_set=gold_set), Marker(usual="nothing of use"))
    assert (run.calls.count(), counted(run)) == (6, 2)


def test_only_rubrics_of_dev_cases_are_counted(gold_set):
    run = finished(rubric_run(gold_set=gold_set), Writer(rubric=EMPTY))
    assert (run.calls.count(), counted(run)) == (9, 3)


def test_without_a_seal_all_are_counted():
    run = finished(pointwise_run(), Marker(usual="nothing of use"))
    progress = progress_of(run, now=START)
    assert (progress.invalid_total, progress.sealed) == (6, False)


def test_the_command_tells_nothing_while_it_runs_or_after(gold_set, monkeypatch):
    run, bar, out = make_run(ADDRESS, gold_set=gold_set), Bar(), io.StringIO()

    def carry_out(run, *, on_progress, **_more):
        finished(run, Silent())
        on_progress(Progress(answered=6, invalid=6))

    monkeypatch.setattr(showing, "Progress", bar)
    monkeypatch.setattr(run_judge, "carry_out", carry_out)
    call_command("run_judge", run=run.pk, stdout=out, stderr=Terminal())
    assert [shown["invalid"] for shown in bar.shown] == ["sealed", "sealed"]
    assert "6 calls, 2 invalid without the sealed held-out pairs." in out.getvalue()


def test_an_import_tells_of_dev_pairs_only(gold_set):
    rows = [
        {
            "case_id": case.external_id,
            "systems": ["v12", "v13"],
            "order": order,
            "raw": "no verdict",
            "choice": "first",
        }
        for case in gold_set.cases.all()
        for order in ("baseline_first", "candidate_first")
    ]
    data = "\n".join(json.dumps(row) for row in rows).encode()

    def take(*, use_choice):
        plan = RecordedPlan("told", "choice_123", use_choice=use_choice)
        return import_verdicts(
            gold_set=gold_set,
            plan=plan,
            source=Source(data, "verdicts.jsonl"),
            by=None,
            now=START,
        )

    read = take(use_choice=False)
    assert (read.calls, read.invalid, read.sealed) == (6, 2, 4)
    stored = take(use_choice=True)
    assert (stored.invalid, stored.contradicting, stored.sealed) == (0, 0, 4)
