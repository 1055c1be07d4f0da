"""A panel's run takes its votes from its members' runs."""

from __future__ import annotations

import json

import pytest
from django.utils import timezone

from annotation.domain.outcomes import Order
from annotation.services.importing import Source
from config.errors import Conflict, InvalidInput
from judging.domain.panels import PanelSpec
from judging.domain.ports import RawReply
from judging.models import JudgeConfig, Run, RunPurpose, RunStatus
from judging.services.budgets import Budget
from judging.services.controlling import pause, resume
from judging.services.editing import retire
from judging.services.estimating import estimate_run
from judging.services.evidence import pair_evidence, served_models
from judging.services.importing import import_verdicts
from judging.services.panels import freeze_panel, members_of, panel_spec_of
from judging.services.recorded import RecordedPlan
from judging.services.starting import RunOptions, run_for, start_run
from judging.services.watching import progress_of
from judging.services.working import runs_with_work
from tests.annotation.factory import START, make_set
from tests.judging.factory import ADDRESS, make_judge
from tests.judging.talkers import Talker, work

pytestmark = pytest.mark.django_db(transaction=True)


def judges(count=3):
    return [make_judge(ADDRESS, name=f"j{n}", model=f"m{n}") for n in range(count)]


def panel_of(members, **rules):
    spec = PanelSpec(members=tuple(each.digest for each in members), **rules)
    return freeze_panel(name="panel", spec=spec, by=None, now=START)


def start(config, gold_set, **options):
    return run_for(
        config=config,
        gold_set=gold_set,
        concurrency=4,
        by=None,
        now=timezone.now(),
        options=RunOptions(**options),
    )


class Opinions(Talker):
    """Each model has one: the text it answers with, whatever it is asked."""

    def __init__(self, **said):
        super().__init__()
        self.said = said

    async def ask(self, request):
        await super().ask(request)
        return RawReply(
            text=self.said.get(request.model, "[[A>B]]"),
            body="{}",
            finish_reason="stop",
            served_model=request.model,
        )


class TestFreezing:
    def test_a_panel_is_frozen_with_its_members_digests(self):
        members = judges()
        panel = panel_of(members)
        assert {each.pk for each in members_of(panel)} == {m.pk for m in members}
        spec = panel_spec_of(panel)
        assert spec == PanelSpec(members=tuple(m.digest for m in members), quorum=2)
        assert panel_of(members[::-1]).digest == panel.digest
        assert panel_of(members).version == 3

    def test_every_member_must_be_a_frozen_judge_in_use(self):
        members = judges(2)
        with pytest.raises(InvalidInput, match="0000"):
            freeze_panel(
                name="panel",
                spec=PanelSpec(members=(members[0].digest, "0" * 64)),
                by=None,
                now=START,
            )
        retire(config=members[0], by=None, now=START)
        with pytest.raises(InvalidInput, match=members[0].digest[:12]):
            panel_of(members)
        assert JudgeConfig.objects.filter(kind="panel").count() == 0

    def test_imported_verdicts_have_nobody_to_ask(self):
        members = judges(2)
        case = make_set(1).cases.get()
        line = {
            "case_id": case.external_id, "order": "baseline_first", "repeat": 1,
            "raw": "1",
        }  # fmt: skip
        told = import_verdicts(
            gold_set=case.gold_set,
            plan=RecordedPlan("told", "choice_123"),
            source=Source(json.dumps(line).encode(), "verdicts.jsonl"),
            by=None,
            now=START,
        )
        recorded = JudgeConfig.objects.get(name="told")
        assert told.calls == 1
        with pytest.raises(InvalidInput, match="of told v1 were imported") as caught:
            panel_of([members[0], recorded])
        assert caught.value.code == "panel_member_recorded"
        assert not JudgeConfig.objects.filter(kind="panel").exists()


class TestRunning:
    def test_the_majority_decides_in_each_order(self):
        gold_set, client = make_set(3), Opinions(m2="[[B>A]]")
        run = start(panel_of(judges()), gold_set)
        assert work(run, client) == RunStatus.DONE
        assert client.asked == 3 * 6
        evidence = pair_evidence(run)
        assert len(evidence) == 3
        for each in evidence.values():
            # Two of three prefer whatever stands first.
            assert each.verdict.baseline_first == "baseline"
            assert each.verdict.candidate_first == "candidate"
            assert each.verdict.consistency == "flip"
            assert [call.order for call in each.calls] == list(Order)
        assert [each["model"] for each in served_models(run)] != []
        assert progress_of(run, now=timezone.now()).done == 18

    def test_members_that_ran_already_are_not_asked_again(self):
        gold_set, members = make_set(3), judges()
        for member in members[:2]:
            work(start(member, gold_set), Opinions())
        client = Opinions()
        run = start(panel_of(members), gold_set)
        assert work(run, client) == RunStatus.DONE
        assert client.asked == 6
        second = start(panel_of(members), gold_set, purpose=RunPurpose.RELEASE)
        work(second, client)
        assert client.asked == 6
        assert pair_evidence(second).keys() == pair_evidence(run).keys()

    def test_where_all_members_are_done_so_is_the_panel(self):
        gold_set, members = make_set(2), judges(2)
        for member in members:
            work(start(member, gold_set), Opinions())
        run = start(panel_of(members), gold_set)
        assert run.status == RunStatus.DONE
        assert start(run.config, gold_set) == run

    def test_the_local_worker_sees_the_members_work(self):
        run = start(panel_of(judges(2)), make_set(2))
        waiting = runs_with_work(timezone.now())
        assert run not in waiting
        assert len(waiting) == 2
        for member in waiting:
            work(member, Opinions())
        run.refresh_from_db()
        assert run.status == RunStatus.DONE

    def test_a_panel_lacking_a_member_has_no_verdicts(self):
        run = start(panel_of(judges(2)), make_set(2))
        work(runs_with_work(timezone.now())[0], Opinions())
        with pytest.raises(Conflict, match="lacks"):
            pair_evidence(run)

    def test_noise_runs_of_a_panel_ask_anew(self):
        gold_set, members = make_set(2), judges(2)
        work(start(panel_of(members), gold_set), Opinions())
        client = Opinions()
        run = start(panel_of(members), gold_set, purpose=RunPurpose.NOISE)
        work(run, client)
        assert client.asked == 8

    def test_it_is_paused_and_resumed_with_its_members(self):
        run = start(panel_of(judges(2)), make_set(2))
        pause(run=run, by=None, now=START)
        assert list(runs_with_work(timezone.now())) == []
        resume(run=run, by=None, now=START)
        assert len(runs_with_work(timezone.now())) == 2

    def test_a_budget_too_small_for_its_members_starts_nothing(self):
        with pytest.raises(Conflict, match="too small"):
            start_run(
                config=panel_of(judges(2)),
                gold_set=make_set(1),
                concurrency=1,
                by=None,
                now=START,
                options=RunOptions(budget=Budget(calls=1)),
            )
        assert not Run.objects.exists()

    def test_its_estimate_is_the_sum_of_its_members(self):
        gold_set, members = make_set(3), judges(3)
        work(start(members[0], gold_set), Opinions())
        found = estimate_run(
            config=panel_of(members), gold_set=gold_set, now=timezone.now()
        )
        assert (found.pairs, found.calls) == (3, 18)
        assert (found.reused, found.to_ask) == (6, 12)
        assert found.cost is None
