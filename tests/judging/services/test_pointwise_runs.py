"""Runs of judges that mark one response at a time."""

from __future__ import annotations

import asyncio
from fractions import Fraction

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from annotation.domain.outcomes import Outcome
from config.errors import Conflict
from judging.domain.digests import SpecError
from judging.domain.marks import MarkState
from judging.models import Call, Reply, RunStatus
from judging.services.budgets import Budget
from judging.services.configuring import draft_judge, pointwise_spec_of, spec_of
from judging.services.drafting import default_spec
from judging.services.editing import copy_to_draft, edit_draft
from judging.services.estimating import estimate_run, largest_call
from judging.services.evidence import pair_evidence
from judging.services.marks import (
    marks_by_response,
    marks_by_system,
    marks_for_version,
)
from judging.services.starting import RunOptions, run_for, start_run
from tests.annotation.factory import START, make_set
from tests.judging.factory import ADDRESS, assert_settled, freeze_gold, make_run
from tests.judging.pointwise_judges import (
    GATED,
    SHORT,
    Marker,
    gated,
    pointwise_judge,
    pointwise_run,
)
from tests.judging.talkers import Talker, runner_of, work

pytestmark = pytest.mark.django_db(transaction=True)
FIRST, SECOND = "Reply 0 to it.", "Reply 1 to it."


def responses(run):
    return [call.response_id for call in run.calls.order_by("pk")]


class TestJudges:
    def test_a_frozen_one_keeps_its_kind_scale_and_digest(self):
        judge = pointwise_judge(scale=GATED)
        assert (judge.kind, judge.verdict_format) == ("pointwise", "gated_score")
        assert (judge.combining_rule, len(judge.digest)) == ("", 64)
        assert pointwise_spec_of(judge).scale["cap"] == 3
        with pytest.raises(SpecError, match="schema"):
            spec_of(judge)

    def test_lint_keeps_a_bad_one_from_freezing(self):
        make_set(1)
        with pytest.raises(Conflict, match="names the system 'v12'"):
            pointwise_judge(rubric="It is better than v12.")

    def test_a_line_holds_judges_of_one_kind(self):
        pointwise_judge(name="line")
        spec = default_spec(provider="local", base_url=ADDRESS, model="m")
        with pytest.raises(Conflict, match="another kind"):
            draft_judge(name="line", spec=spec, by=None, now=START)

    def test_it_is_copied_and_edited_like_any_other(self):
        draft = copy_to_draft(config=pointwise_judge(), by=None, now=START)
        assert (draft.version, draft.kind) == (2, "pointwise")
        spec = default_spec(provider="local", base_url=ADDRESS, model="m")
        with pytest.raises(Conflict, match="stays one"):
            edit_draft(config=draft, spec=spec, by=None, now=START)


class TestRunning:
    def test_each_response_is_asked_about_once_not_once_a_pair(self):
        gold_set = make_set(2, systems=("v1", "v2", "v3"))
        run, client = pointwise_run(gold_set=gold_set, repeats=2), Marker()
        assert work(run, client) == RunStatus.DONE
        assert client.asked == 2 * 3 * 2
        assert len(set(responses(run))) == 6
        assert_settled(run)
        for request in client.requests:
            text = "".join(m.content for m in request.messages)
            assert text.count("Reply ") == 1 + text.count("Reply with")

    def test_marks_are_stored_with_the_digest_of_their_response(self):
        run = pointwise_run(cases=1)
        work(run, Marker({FIRST: "Fine.\n\nFAIL"}))
        first, second = Reply.objects.filter(call__run=run).order_by("call")
        assert (first.score, first.passed, second.score, second.passed) == (
            0, False, 1, True,
        )  # fmt: skip
        assert first.subject_sha256 == first.call.response.sha256
        assert first.raw[slice(*first.span)] == "FAIL"
        assert (first.choice, first.invalid_reason) == ("", "")

    def test_two_runners_share_it(self):
        run, client = pointwise_run(cases=20), Marker()

        async def main():
            both = [runner_of(run, client, 4) for _ in range(2)]
            return await asyncio.gather(*(runner.run() for runner in both))

        assert asyncio.run(main()) == [RunStatus.DONE] * 2
        assert client.asked == 40
        assert_settled(run)

    def test_a_later_run_copies_its_marks(self):
        run = pointwise_run(cases=2, scale=GATED)
        work(run, Marker(usual=gated(9, safe=False)))
        later = start_run(
            config=run.config, gold_set=run.gold_set, concurrency=4, by=None, now=START
        )
        client = Marker()
        work(later, client)
        assert client.asked == 0
        copy = Reply.objects.filter(call__run=later).first()
        assert (copy.score, copy.stated, copy.failed_gates) == (3, 9, ["safe"])
        assert copy.reused_from.call.run == run

    def test_a_complete_run_is_not_bought_again(self):
        run = pointwise_run(cases=2)
        work(run, Marker())
        found = run_for(
            config=run.config,
            gold_set=run.gold_set,
            concurrency=4,
            by=None,
            now=timezone.now(),
        )
        assert found == run

    def test_a_budget_bounds_it(self):
        judge = pointwise_judge()
        run = start_run(
            config=judge,
            gold_set=make_set(3),
            concurrency=2,
            by=None,
            now=START,
            options=RunOptions(budget=Budget(calls=4)),
        )
        client = Marker()
        assert work(run, client) == RunStatus.PAUSED
        assert client.asked == 4
        assert largest_call(run).completion == 1024

    def test_the_dry_run_counts_responses(self):
        gold_set = make_set(2, systems=("v1", "v2", "v3"))
        judge = pointwise_judge(repeats=2)
        found = estimate_run(config=judge, gold_set=gold_set, now=timezone.now())
        assert (found.pairs, found.calls, found.to_ask) == (6, 12, 12)

    def test_a_call_is_of_one_thing(self):
        run = pointwise_run(cases=1)
        call = run.calls.first()
        pair = run.gold_set.pairs.first()
        wrong = [
            {"response": call.response, "order": "baseline_first", "repeat": 9},
            {"response": call.response, "pair": pair, "repeat": 9},
            {"pair": pair, "order": ""},
            {"case": pair.case, "repeat": 2},
            {"response": call.response, "repeat": 1},
        ]
        for fields in wrong:
            with pytest.raises(IntegrityError), transaction.atomic():
                Call.objects.create(run=run, **{"repeat": 1, **fields})


class TestMarks:
    def test_of_each_response_from_its_repeats(self):
        run = pointwise_run(cases=1, scale=SHORT)
        work(run, Marker({FIRST: "3", SECOND: "no mark at all"}))
        first, second = (marks_by_response(run)[pk] for pk in responses(run))
        assert (first.state, first.score) == (MarkState.MARKED, Fraction(3))
        assert (second.state, second.invalid) == (MarkState.INVALID, 1)

    def test_of_both_responses_beside_the_gold_of_a_version(self):
        run = pointwise_run(cases=1, scale=SHORT)
        work(run, Marker({FIRST: "3", SECOND: "1"}))
        version = freeze_gold(run.gold_set)
        (pair,) = marks_for_version(run, version)
        assert (pair.gold, pair.preferred) == (Outcome.BASELINE, Outcome.BASELINE)
        assert pair.only_candidate_fails is None
        with pytest.raises(Conflict, match="another gold set"):
            marks_for_version(run, freeze_gold(make_set(1)))

    @pytest.mark.parametrize(
        ("said", "preferred", "only_candidate"),
        [
            ({FIRST: "PASS", SECOND: "FAIL"}, Outcome.BASELINE, True),
            ({FIRST: "FAIL", SECOND: "PASS"}, Outcome.CANDIDATE, False),
            ({FIRST: "FAIL", SECOND: "FAIL"}, Outcome.TIE, False),
            ({FIRST: "ABSTAIN", SECOND: "FAIL"}, None, None),
            ({FIRST: "what?", SECOND: "FAIL"}, None, None),
        ],
    )
    def test_which_is_preferred_and_whether_only_the_candidate_fails(
        self, said, preferred, only_candidate
    ):
        run = pointwise_run(cases=1)
        work(run, Marker(said))
        (pair,) = marks_for_version(run, freeze_gold(run.gold_set))
        assert (pair.preferred, pair.only_candidate_fails) == (
            preferred, only_candidate,
        )  # fmt: skip

    def test_by_system(self):
        gold_set = make_set(3)
        gold_set.cases.filter(external_id="case-0001").update(split="dev")
        run = pointwise_run(gold_set=gold_set, scale=GATED, repeats=1)
        work(run, Marker({FIRST: gated(8, safe=True), SECOND: gated(9, safe=False)}))
        one, other = marks_by_system(run, responses(run))
        assert (one.system, one.responses, one.marked, one.passed) == ("v12", 3, 3, 3)
        assert (other.failed, other.failed_gates, other.mean) == (3, {"safe": 3}, 3)
        assert other.scores == {Fraction(3): 3}
        assert marks_by_system(run, []) == ()

    def test_none_while_calls_are_missing_and_none_of_a_pairwise_run(self):
        run = pointwise_run(cases=1)
        with pytest.raises(Conflict, match="lacks 2 calls"):
            marks_by_response(run)
        other = make_run(ADDRESS, gold_set=run.gold_set, name="pairs")
        with pytest.raises(Conflict, match="judges pairs"):
            marks_by_response(other)
        work(run, Talker())
        with pytest.raises(Conflict, match="marks single responses"):
            pair_evidence(run)
