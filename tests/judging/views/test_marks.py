"""Marks on pages: by system and response, and nothing of a held-out one."""

from __future__ import annotations

import pytest

from annotation.models import Exposure
from judging.domain.pointwise import mark_of, scale_of
from judging.domain.ports import RawReply
from judging.domain.terms import InvalidReason
from judging.domain.verdicts import Invalid
from judging.models import Attempt, Call, CallState, JudgeConfig, RunStatus
from judging.presenters.marks import open_responses
from judging.services.asker import blank_row, invalid_row
from judging.services.configuring import pointwise_spec_of
from judging.services.marking import mark_row
from tests.annotation.factory import START
from tests.guards import change
from tests.judging.answers import answered_run, split_set
from tests.judging.factory import ADDRESS, make_judge
from tests.judging.forms.test_judges import sent_values
from tests.judging.pointwise_judges import GATED, gated, pointwise_judge, pointwise_run
from tests.judging.rubric_judges import STEP
from tests.judging.views.test_judges import page

pytestmark = pytest.mark.django_db


def marked_run(gold_set=None, said=None, **spec):
    """A finished run in which each system's responses were all said the same of."""
    run = pointwise_run(ADDRESS, gold_set=gold_set or split_set(), **spec)
    scale = scale_of(pointwise_spec_of(run.config))
    said = said or {"v12": "PASS", "v13": "FAIL"}
    for call in run.calls.select_related("response__system"):
        raw = RawReply(
            text=said[call.response.system.name], body="", finish_reason="stop"
        )
        reply = mark_row(call, mark_of(raw, scale), now=START)
        reply.raw = raw.text
        reply.save()
        Attempt.objects.create(call=call, sent_at=START, status=200)
    run.calls.update(state=CallState.DONE, tries=1)
    run.status = RunStatus.DONE
    run.save()
    return run


def marks_of(run, more=""):
    return f"/runs/{run.pk}/marks/{more}"


class TestList:
    def test_systems_and_responses_without_those_held_out(self, lead_client, lead):
        run = marked_run(split_set(dev=2, held_out=1))
        text = page(lead_client, marks_of(run))
        assert "case-0000" in text
        assert "case-0002" not in text
        assert "2 responses of held-out pairs are neither listed nor counted" in text
        assert '<td class="num">100.0 %</td><td class="num">0.0 %</td>' in text
        assert "34.2 to 100.0 % (wilson)" in text
        assert "0.0 to 65.8 % (wilson)" in text
        assert "score 0, fails" in text
        seen = Exposure.objects.filter(user=lead).values_list(
            "pair__case__external_id", "kind"
        )
        assert set(seen) == {
            (case, kind)
            for case in ("case-0000", "case-0001")
            for kind in ("systems", "verdicts")
        }

    def test_gates_and_means(self, lead_client):
        said = {"v12": gated(8, safe=True), "v13": gated(9, safe=False)}
        run = marked_run(split_set(dev=2, held_out=0), said, scale=GATED)
        text = page(lead_client, marks_of(run))
        assert 'failed “safe”</th><td class="num">0</td><td class="num">2<' in text
        assert "score 3, fails, capped from 9, failed: safe" in text
        assert "3 over 2" in text

    def test_the_same_texts_held_out_elsewhere_are_not_shown(self, lead_client):
        run = marked_run(split_set(dev=1, held_out=0))
        other = split_set(dev=0, held_out=1)
        same = run.gold_set.pairs.get()
        other.pairs.model.objects.create(
            gold_set=other,
            case=other.cases.get(),
            baseline=same.baseline,
            candidate=other.pairs.get().candidate,
            digest=same.digest,
            texts_digest=same.texts_digest,
        )
        assert open_responses(run).ids == frozenset()
        assert "case-0000" not in page(lead_client, marks_of(run))

    def test_what_is_not_done_has_no_sums(self, lead_client):
        run = pointwise_run(ADDRESS, gold_set=split_set())
        text = page(lead_client, marks_of(run))
        assert "Shown once every call is done." in text
        assert "not answered yet" in text

    def test_calls_lead_here_and_pairwise_runs_have_none(self, lead_client):
        run = marked_run()
        reply = lead_client.get(f"/runs/{run.pk}/calls/")
        assert (reply.status_code, reply.url) == (302, marks_of(run))
        page(lead_client, marks_of(answered_run()), 409)
        assert "Marks by system and response" in page(lead_client, f"/runs/{run.pk}/")


class TestOne:
    def test_what_was_asked_and_answered(self, lead_client):
        run = marked_run()
        call = run.calls.earliest("pk")
        text = page(lead_client, marks_of(run, f"{call.response_id}/"))
        assert "case-0000, v12" in text
        assert "score 1, passes" in text
        assert "Reply 0 to it." in text
        assert "&lt;&lt;&lt;BEGIN" in text
        assert "PASS The response meets every point" in text

    def test_none_that_is_held_out_or_was_not_marked(self, lead_client):
        run = marked_run(split_set(dev=1, held_out=1))
        held = run.calls.get(
            response__case__split="held_out", response__system__name="v12"
        )
        page(lead_client, marks_of(run, f"{held.response_id}/"), 403)
        page(lead_client, marks_of(run, "999999/"), 404)


class TestExport:
    def test_one_row_for_each_open_response(self, auditor_client):
        run = marked_run(split_set(dev=2, held_out=1))
        reply = auditor_client.get(marks_of(run, "export"))
        lines = reply.getvalue().decode("utf-8-sig").splitlines()
        assert len(lines) == 1 + 4
        assert lines[1].startswith("case-0000,v12,dev,false,marked,1.0,true,,1,0,0,,")

    def test_none_before_the_run_is_complete(self, lead_client):
        run = pointwise_run(ADDRESS, gold_set=split_set())
        page(lead_client, marks_of(run, "export"), 409)


class TestRoles:
    def test_leads_and_auditors_only(
        self, auditor_client, reviewer_client, adjudicator_client
    ):
        run = marked_run(split_set(dev=1, held_out=0))
        response = run.calls.earliest("pk").response_id
        for path in ("", "export", f"{response}/"):
            assert auditor_client.get(marks_of(run, path)).status_code == 200
            for client in (reviewer_client, adjudicator_client):
                page(client, marks_of(run, path), 403)


class TestDrafts:
    def test_a_pointwise_judge_is_drafted_edited_and_frozen(self, lead_client):
        judge = pointwise_judge(ADDRESS, name="other")
        form = lead_client.get("/judges/new-pointwise/").context["form"]
        values = form.initial | {"name": "marker", "model": "m"}
        reply = lead_client.post("/judges/new-pointwise/", sent_values(values))
        assert reply.url == "/judges/marker/1/"
        text = page(lead_client, "/judges/marker/1/")
        assert "Scale" in text
        assert "passes" in text
        values |= {"scale_kind": "short_scale", "scale_options": {"levels": ["a", "b"]}}
        lead_client.post("/judges/marker/1/edit", sent_values(values))
        lead_client.post("/judges/marker/1/freeze")
        config = JudgeConfig.objects.get(name="marker")
        assert (config.verdict_format, len(config.digest)) == ("short_scale", 64)
        assert "One response" in page(lead_client, "/judges/marker/1/shown")
        assert judge.digest != config.digest

    def test_the_preview_knows_its_kind(self, lead_client):
        pointwise_judge(ADDRESS)
        form = lead_client.get("/judges/new-pointwise/").context["form"]
        reply = lead_client.post("/judges/preview", sent_values(form.initial))
        assert "One response" in reply.content.decode()

    def test_auditors_draft_none(self, auditor_client):
        page(auditor_client, "/judges/new-pointwise/", 403)


class TestRubrics:
    def test_the_preview_shows_the_first_step(self, lead_client):
        config = make_judge(ADDRESS, rubric_step=STEP)
        text = page(lead_client, f"/judges/{config.name}/1/shown")
        assert "First, once for each case: the rubric" in text
        assert "[The rubric that the first step writes for this case.]" in text

    @pytest.mark.parametrize("failed", [False, True])
    def test_the_transcript_shows_what_was_written(self, lead_client, failed):
        run = answered_run(split_set(dev=1, held_out=0))
        config = make_judge(ADDRESS, name="writer", rubric_step=STEP)
        change(run, config=config, rubric_step=True)
        pair = run.gold_set.pairs.get()
        call = Call.objects.create(run=run, case=pair.case, repeat=1)
        _write(call, failed=failed)
        text = page(lead_client, f"/runs/{run.pk}/calls/{pair.pk}/")
        assert "The rubric of this case" in text
        if failed:
            assert "invalid: refused" in text
        else:
            # Its own reply, and both orders that it stands in.
            assert text.count("- Names the day.") == 3
        calls = page(lead_client, f"/runs/{run.pk}/calls/")
        assert "not listed" not in calls


def _write(call, *, failed):
    if failed:
        reply = invalid_row(call, Invalid(InvalidReason.REFUSED, "declines"), now=START)
    else:
        reply = blank_row(call, now=START)
        reply.rubric = reply.raw = "- Names the day."
    reply.save()
