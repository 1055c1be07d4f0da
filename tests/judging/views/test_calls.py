"""Transcripts: all of a dev pair's exchange, and nothing of a held-out one's."""

from __future__ import annotations

import pytest

from annotation.models import Exposure, Pair
from judging.domain.terms import InvalidReason
from judging.models import Attempt, Call
from tests.annotation.factory import START
from tests.judging.answers import answered_run, reanswer, split_set
from tests.judging.views.test_judges import page

pytestmark = pytest.mark.django_db


def calls_of(run):
    return f"/runs/{run.pk}/calls/"


def pair_of(run, split="dev"):
    pairs = Pair.objects.filter(gold_set=run.gold_set, case__split=split)
    return pairs.earliest("pk")


def transcript_of(run, split="dev"):
    return f"/runs/{run.pk}/calls/{pair_of(run, split).pk}/"


class TestList:
    def test_dev_and_unsplit_calls_and_none_that_is_held_out(self, lead_client, lead):
        run = answered_run(split_set(dev=1, held_out=1, unsplit=1))
        text = page(lead_client, calls_of(run))
        assert "case-0000" in text
        assert "case-0002" in text
        assert "case-0001" not in text
        assert "2 calls on held-out pairs are not listed" in text
        assert "baseline (first response), slightly" in text
        assert "candidate (first response), slightly" in text
        seen = Exposure.objects.filter(user=lead).values_list(
            "pair__case__external_id", "kind"
        )
        assert set(seen) == {
            (case, kind)
            for case in ("case-0000", "case-0002")
            for kind in ("systems", "verdicts")
        }

    def test_filters(self, lead_client):
        run = answered_run(split_set(dev=2, held_out=1, unsplit=1))
        reanswer(run.calls.earliest("pk"), InvalidReason.REFUSED)
        held = Call.objects.filter(run=run, pair__case__split="held_out").first()
        assert held is not None
        reanswer(held, InvalidReason.REFUSED)
        for query, count in (
            ("", 7),
            ("?reason=refused", 1),
            ("?reason=valid", 6),
            ("?reason=unparsed", 0),
            ("?reason=unanswered", 0),
            ("?order=candidate_first", 3),
            ("?split=dev", 5),
            ("?split=none", 2),
            ("?split=none&order=baseline_first&reason=valid", 1),
        ):
            text = page(lead_client, calls_of(run) + query)
            assert text.count('<th scope="row">') == count, query

    @pytest.mark.parametrize("query", ["?split=held_out", "?reason=x", "?order=x"])
    def test_a_filter_that_is_none_is_refused(self, lead_client, query):
        run = answered_run()
        page(lead_client, calls_of(run) + query, 400)

    def test_pages_keep_the_filter(self, lead_client):
        run = answered_run(split_set(dev=27, held_out=0))
        text = page(lead_client, calls_of(run) + "?split=dev")
        assert "54 calls, page 1 of 2" in text
        assert "?split=dev&amp;page=2" in text
        assert "page 2 of 2" in page(lead_client, calls_of(run) + "?split=dev&page=2")


class TestTranscript:
    def test_both_orders_with_the_verdict_s_place_marked(self, lead_client, lead):
        run = answered_run()
        text = page(lead_client, transcript_of(run))
        assert text.count("<mark>[[A&gt;B]]</mark>") == 2
        assert "<mark>[[B&gt;A]]" not in text
        assert "I thought of [[B&gt;A]]." in text
        assert "mixed_strength" in text
        assert "prompt 100, completion 20" in text
        assert "status 200" in text
        assert text.count("&lt;&lt;&lt;BEGIN") >= 6
        first, second = text.split("Candidate first</h2>")
        assert first.index("Reply 0 to it.") < first.index("Reply 1 to it.")
        assert second.index("Reply 1 to it.") < second.index("Reply 0 to it.")
        assert {e.kind for e in Exposure.objects.filter(user=lead)} == {
            "systems",
            "verdicts",
        }

    def test_every_attempt_with_its_error(self, lead_client):
        run = answered_run()
        call = run.calls.filter(pair=pair_of(run)).earliest("pk")
        Attempt.objects.create(
            call=call, sent_at=START, order=call.order, status=503, error="server",
            detail="<b>down</b>", baseline_sha256="0" * 64, candidate_sha256="0" * 64,
        )  # fmt: skip
        text = page(lead_client, transcript_of(run))
        assert "2 attempts" in text
        assert "&lt;b&gt;down&lt;/b&gt;" in text
        assert "503" in text

    def test_a_held_out_pair_is_refused_with_a_sentence(
        self, lead_client, auditor_client
    ):
        run = answered_run()
        for client in (lead_client, auditor_client):
            text = page(client, transcript_of(run, "held_out"), 403)
            assert "This pair is held out" in text
            assert "A&gt;B" not in text
        assert not Exposure.objects.exists()

    def test_so_is_one_whose_texts_are_held_out_elsewhere(self, lead_client):
        run = answered_run(split_set(dev=1, held_out=0))
        split_set(dev=0, held_out=1)
        page(lead_client, transcript_of(run), 403)
        assert "case-0000" not in page(lead_client, calls_of(run))

    def test_the_way_to_the_next_pair_leaves_held_out_ones_out(self, lead_client):
        run = answered_run(split_set(dev=1, held_out=1, unsplit=1))
        text = page(lead_client, transcript_of(run))
        assert f'rel="next" href="{transcript_of(run, "")}"' in text
        assert 'rel="prev"' not in text

    def test_an_answer_that_lacks_text(self, lead_client):
        run = answered_run()
        reanswer(run.calls.filter(pair=pair_of(run)).first(), InvalidReason.EMPTY)
        text = page(lead_client, transcript_of(run))
        assert "invalid: empty" in text
        assert "said nothing" in text
        assert "No text came back." in text

    def test_a_pair_of_another_run_is_not_found(self, lead_client):
        run = answered_run()
        other = split_set(dev=1)
        pair = Pair.objects.filter(gold_set=other).earliest("pk")
        page(lead_client, f"/runs/{run.pk}/calls/{pair.pk}/", 404)


def test_only_leads_and_auditors(reviewer_client, adjudicator_client, auditor_client):
    run = answered_run()
    for path in (calls_of(run), transcript_of(run)):
        assert reviewer_client.get(path).status_code == 403
        assert adjudicator_client.get(path).status_code == 403
        page(auditor_client, path)
