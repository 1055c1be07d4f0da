"""Runs of a judge that writes a rubric for each case before it compares."""

from __future__ import annotations

import asyncio
import uuid
from dataclasses import replace

import pytest
from django.utils import timezone

from judging.domain.ports import CallFailed, FailureKind, RawReply
from judging.models import Attempt, Reply, RunPurpose, RunStatus
from judging.services import storing, worklist
from judging.services.estimating import estimate_run, largest_call
from judging.services.evidence import pair_evidence
from judging.services.starting import RunOptions, run_for, start_run
from judging.services.watching import progress_of
from tests.annotation.factory import START, make_set
from tests.judging.factory import ADDRESS, assert_settled, make_judge
from tests.judging.rubric_judges import STEP, WROTE, Writer, rubric_run
from tests.judging.talkers import runner_of, work

pytestmark = pytest.mark.django_db(transaction=True)


def three_systems(cases=3):
    """Three pairs a case."""
    return make_set(cases, systems=("v1", "v2", "v3"))


def again(run, **options):
    return start_run(
        config=run.config,
        gold_set=run.gold_set,
        concurrency=4,
        by=None,
        now=timezone.now(),
        options=RunOptions(**options),
    )


def rubrics_of(run):
    return Reply.objects.filter(call__run=run, call__case__isnull=False)


class TestWriting:
    def test_once_a_case_and_used_for_all_its_pairs_in_both_orders(self):
        run, client = rubric_run(gold_set=three_systems()), Writer()
        assert work(run, client) == RunStatus.DONE
        assert sum(client.rubrics.values()) == len(client.rubrics) == 3
        assert len(client.verdicts) == 3 * 3 * 2
        said = ["".join(m.content for m in r.messages) for r in client.verdicts]
        assert all(text.count("- It names the day.") == 1 for text in said)
        assert all("Clear: it is no longer" not in text for text in said)
        assert_settled(run)

    def test_it_is_kept_with_the_digest_of_its_case_and_never_changes(self):
        run = rubric_run(cases=2)
        work(run, Writer())
        rows = list(rubrics_of(run))
        assert {row.rubric for row in rows} == {"- It names the day."}
        assert len({row.subject_sha256 for row in rows}) == 2
        assert all(row.raw == "- It names the day." for row in rows)
        assert all(row.request_hash and row.baseline_sha256 == "" for row in rows)
        with pytest.raises(Exception, match="cannot be changed"):
            rubrics_of(run).update(rubric="another")

    def test_a_verdict_waits_for_the_rubric_of_its_case_only(self):
        run = rubric_run(cases=2)
        first = worklist.claim(run_id=run.pk, owner=uuid.uuid4(), limit=99, now=START)
        assert [call.case is not None for call in first] == [True, True]
        now = timezone.now()
        assert (
            worklist.claim(run_id=run.pk, owner=uuid.uuid4(), limit=99, now=START) == []
        )
        reply = Reply(call=first[0], rubric="- One.", answered_at=now)
        result = storing.Result(first[0].pk, attempt=None, reply=reply)
        storing.store(owner=first[0].owner, results=[result])
        then = worklist.claim(run_id=run.pk, owner=uuid.uuid4(), limit=99, now=START)
        assert [call.pair.case_id for call in then] == [first[0].case_id] * 2
        assert [call.written.rubric for call in then] == ["- One."] * 2

    def test_two_runners_buy_each_rubric_once(self):
        run, client = rubric_run(gold_set=three_systems(12)), Writer()

        async def main():
            return await asyncio.gather(
                *(runner_of(run, client, 4).run() for _ in "ab")
            )

        assert asyncio.run(main()) == [RunStatus.DONE] * 2
        assert len(client.rubrics) == sum(client.rubrics.values()) == 12
        assert len(client.verdicts) == 12 * 6
        assert_settled(run)

    def test_verdicts_and_progress_count_as_usual(self):
        run = rubric_run(cases=2)
        work(run, Writer())
        assert len(pair_evidence(run)) == 2
        assert all(len(each.calls) == 2 for each in pair_evidence(run).values())
        assert progress_of(run, now=timezone.now()).total == 2 + 4
        assert run_for_again(run) == run


class TestFailing:
    @pytest.mark.parametrize(
        ("wrote", "reason", "detail"),
        [
            (
                replace(WROTE, text="I'm sorry, but I can't help."),
                "refused",
                "declines",
            ),
            (replace(WROTE, finish_reason="length"), "truncated", ""),
            (replace(WROTE, text="x" * 6_001), "unparsed", "6001 characters"),
            (replace(WROTE, text=" "), "empty", ""),
        ],
    )
    def test_no_rubric_makes_the_calls_of_the_case_invalid(self, wrote, reason, detail):
        run, client = rubric_run(cases=2), Writer(wrote)
        assert work(run, client) == RunStatus.DONE
        assert client.verdicts == []
        replies = Reply.objects.filter(call__run=run)
        assert {r.invalid_reason for r in replies} == {reason}
        verdicts = replies.filter(call__pair__isnull=False)
        assert all(detail in reply.detail for reply in replies)
        assert all("no rubric for this case" in reply.detail for reply in verdicts)
        assert Attempt.objects.filter(call__run=run).count() == 2
        assert_settled(run)

    def test_what_the_provider_refuses_is_the_reason(self):
        failed = CallFailed(FailureKind.FILTERED, "blocked by the provider")
        run, client = rubric_run(cases=1), Writer(failed)
        assert work(run, client) == RunStatus.DONE
        verdict = Reply.objects.filter(call__run=run, call__pair__isnull=False).first()
        assert verdict.invalid_reason == "filtered"
        assert verdict.detail.startswith("no rubric for this case: ")


class TestReuse:
    def test_a_later_run_copies_rubrics_and_verdicts(self):
        run = rubric_run(cases=2)
        work(run, Writer())
        later, client = again(run), Writer()
        work(later, client)
        assert client.asked == 0
        originals = set(rubrics_of(run).values_list("pk", flat=True))
        copies = rubrics_of(later)
        assert set(copies.values_list("reused_from", flat=True)) == originals
        assert {copy.rubric for copy in copies} == {"- It names the day."}
        assert len({copy.subject_sha256 for copy in copies}) == 2

    def test_noise_runs_write_anew(self):
        run = rubric_run(cases=2)
        work(run, Writer())
        later, client = again(run, purpose=RunPurpose.NOISE), Writer()
        work(later, client)
        assert sum(client.rubrics.values()) == 2

    def test_another_judge_writes_its_own(self):
        run = rubric_run(cases=2)
        work(run, Writer())
        other = rubric_run(gold_set=run.gold_set, name="other", repeats=2)
        client = Writer()
        work(other, client)
        assert sum(client.rubrics.values()) == 2


class TestDryRun:
    def estimate(self, config, gold_set):
        return estimate_run(config=config, gold_set=gold_set, now=timezone.now())

    def test_one_request_more_for_each_case_and_longer_prompts(self):
        gold_set = three_systems()
        judge = make_judge(ADDRESS, name="with", rubric_step=STEP)
        found = self.estimate(judge, gold_set)
        plain = self.estimate(make_judge(ADDRESS, name="plain"), gold_set)
        assert (found.calls, found.to_ask) == (3 + 18, 3 + 18)
        assert found.prompt_tokens > plain.prompt_tokens + 18 * 1_000
        assert found.completion_tokens == 21 * 1024

    def test_what_was_written_is_not_bought_again(self):
        run = rubric_run(cases=3)
        work(run, Writer())
        found = self.estimate(run.config, run.gold_set)
        assert (found.calls, found.reused, found.to_ask) == (9, 9, 0)

    def test_a_failed_rubric_asks_nothing_more(self):
        run = rubric_run(cases=3)
        work(run, Writer(RawReply(text="", body="{}", finish_reason="stop")))
        found = self.estimate(run.config, run.gold_set)
        assert (found.calls, found.reused, found.to_ask) == (9, 9, 0)

    def test_a_budget_sets_the_longest_request_aside(self):
        run = rubric_run(cases=1)
        assert largest_call(run).completion == 1024
        assert (largest_call(run).prompt or 0) > 6_000 / 3


def run_for_again(run):
    return run_for(
        config=run.config,
        gold_set=run.gold_set,
        concurrency=4,
        by=None,
        now=timezone.now(),
    )
