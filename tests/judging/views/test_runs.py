"""Runs on pages: estimate, start, watch, hold up; counts and no outcome."""

from __future__ import annotations

import re
from datetime import timedelta
from decimal import Decimal
from uuid import uuid4

import pytest
from django.utils import timezone

from judging import tasks
from judging.domain.panels import PanelSpec
from judging.models import CallState, Run, RunStatus, Silence
from judging.services.budgets import Budget, set_budget
from judging.services.panels import freeze_panel
from tests.annotation.factory import START
from tests.judging.answers import answer, answered_run, split_set
from tests.judging.factory import ADDRESS, make_judge, make_run
from tests.judging.views.test_judges import page

pytestmark = pytest.mark.django_db

NEW = "/runs/new/"
HX = {"HX-Request": "true"}


def wish(config, gold_set, **more):
    return {
        "judge": f"{config.name}:{config.version}",
        "gold_set": gold_set.name,
        "concurrency": "4",
        "purpose": "calibration",
        "reuse": "on",
        "currency": "USD",
        **more,
    }


class TestStarting:
    def test_the_dry_run_starts_nothing(self, lead_client):
        config, gold_set = make_judge(ADDRESS), split_set(dev=2, held_out=1)
        assert config.name in page(lead_client, f"{NEW}?judge=judge:1")
        data = wish(config, gold_set, act="estimate")
        reply = lead_client.post(NEW, data)
        text = " ".join(reply.content.decode().split())
        assert "6 over 3 pairs: 6 to ask, 0 reused, 0 too long" in text
        assert "unknown price" in text
        assert "Start the run" in text
        assert not Run.objects.exists()

    def test_a_price_gives_a_cost(self, lead_client):
        config, gold_set = make_judge(ADDRESS), split_set()
        lead_client.post(
            "/providers/local/prices",
            {"model": "simulated-judge", "valid_from": "2020-01-01", "prompt": "1",
             "completion": "2.5", "currency": "eur"},
        )  # fmt: skip
        text = lead_client.post(NEW, wish(config, gold_set)).content.decode()
        assert re.search(r"0\.\d+ EUR", text)

    def test_a_lead_starts_a_run_with_a_budget(self, lead_client, lead):
        config, gold_set = make_judge(ADDRESS), split_set()
        data = wish(config, gold_set, act="start", max_calls="10")
        reply = lead_client.post(NEW, data)
        run = Run.objects.get()
        assert reply["Location"] == f"/runs/{run.pk}/"
        assert (run.created_by, run.concurrency, run.max_calls) == (lead, 4, 10)
        assert run.status == RunStatus.PENDING
        text = page(lead_client, f"/runs/{run.pk}/")
        assert "0 of 6 calls done" in text
        assert "0 of 10 requests." in text

    def test_an_unfinished_run_is_gone_back_to(self, lead_client):
        run = make_run(ADDRESS, gold_set=split_set())
        data = wish(run.config, run.gold_set, act="start")
        reply = lead_client.post(NEW, data, follow=True)
        assert f"There is run {run.pk}" in reply.content.decode()
        assert Run.objects.count() == 1

    def test_a_budget_in_money_without_a_price_is_refused(self, lead_client):
        data = wish(make_judge(ADDRESS), split_set(), act="start", max_cost="1")
        reply = lead_client.post(NEW, data)
        assert reply.status_code == 400
        assert b"needs the judge" in reply.content
        assert not Run.objects.exists()

    def test_drafts_and_retired_judges_are_not_offered(self, lead_client):
        config = make_judge(ADDRESS)
        lead_client.post("/judges/judge/1/copy")
        page(lead_client, "/judges/")  # shows what was said, and forgets it
        assert "judge v2" not in page(lead_client, NEW)
        lead_client.post("/judges/judge/1/retire")
        page(lead_client, "/judges/")
        assert "judge v1" not in page(lead_client, NEW)
        reply = lead_client.post(NEW, wish(config, split_set(), act="start"))
        assert reply.status_code == 400


class TestWatching:
    def test_counts_and_no_outcome(self, lead_client):
        run = make_run(ADDRESS, gold_set=split_set())
        for call in run.calls.all()[:4]:
            answer(call)
        text = page(lead_client, f"/runs/{run.pk}/live")
        assert "4 of 6 calls done" in text
        assert "400 in, 80 out" in text
        assert "4 requests of unknown cost" in text
        assert 'hx-trigger="every 2s"' in text
        for word in ("baseline", "candidate", "tie", "first"):
            assert word not in text

    def test_calls_in_hand_are_not_all_said_to_be_in_flight(self, lead_client):
        run = make_run(ADDRESS, gold_set=split_set(), concurrency=2)
        soon = timezone.now() + timedelta(minutes=1)
        run.calls.update(state="claimed", owner=uuid4(), lease_until=soon)
        text = page(lead_client, f"/runs/{run.pk}/live")
        assert "Claimed" not in text
        assert f"{run.calls.count()}, at most 2 of them in flight" in text

    def test_a_provider_that_does_not_answer_is_waited_for_in_words(self, lead_client):
        run, now = make_run(ADDRESS, gold_set=split_set()), timezone.now()
        url = f"/runs/{run.pk}/live"
        assert "does not answer" not in page(lead_client, url)
        Silence.objects.create(
            run=run,
            since=START,
            try_at=now - timedelta(seconds=5),
            looks=1,
            detail="<b>",
        )
        text = page(lead_client, url)
        assert "The provider does not answer; trying again now." in text
        assert "UTC: &lt;b&gt;" in text
        Run.objects.update(status=RunStatus.FAILED, failure="It went away.")
        assert "does not answer" not in page(lead_client, url)

    def test_a_run_that_ended_is_not_polled_and_the_page_is_read_anew(
        self, lead_client
    ):
        run = answered_run()
        Run.objects.update(status=RunStatus.DONE, finished_at=START)
        url = f"/runs/{run.pk}/live"
        assert "hx-trigger" not in page(lead_client, url)
        assert lead_client.get(url, headers=HX)["HX-Refresh"] == "true"

    def test_a_known_and_an_unknown_cost_are_told_apart(self, lead_client):
        run = answered_run()
        Run.objects.update(status=RunStatus.DONE)
        lead_client.post(
            "/providers/local/prices",
            {"model": "simulated-judge", "valid_from": "2020-01-01", "prompt": "10",
             "completion": "100", "currency": "USD"},
        )  # fmt: skip
        text = page(lead_client, f"/runs/{run.pk}/live")
        assert "0.0180 USD" in text
        assert "unknown" not in text


class TestHolding:
    def test_pause_resume_stop(self, lead_client, lead):
        run = make_run(ADDRESS, gold_set=split_set())
        url = f"/runs/{run.pk}/"
        for action, status in (
            ("pause", RunStatus.PAUSED),
            ("resume", RunStatus.PENDING),
            ("stop", RunStatus.STOPPED),
        ):
            assert lead_client.post(url + action)["Location"] == url
            run.refresh_from_db()
            assert run.status == status
        assert run.halted_by == lead
        assert lead_client.post(url + "resume").status_code == 409
        text = page(lead_client, url)
        assert "What was done to it" in text
        assert "Resume</button>" not in text
        assert "Change the budget" not in text

    def test_a_budget_is_set_and_changed(self, lead_client):
        run = make_run(ADDRESS, gold_set=split_set())
        set_budget(run=run, budget=Budget(calls=1), by=None, now=START)
        url = f"/runs/{run.pk}/budget"
        assert lead_client.post(url, {"max_calls": "9"}).status_code == 302
        run.refresh_from_db()
        assert run.max_calls == 9
        assert lead_client.post(url, {"max_calls": "0"}).status_code == 400
        assert lead_client.post(url, {}).status_code == 302
        run.refresh_from_db()
        assert not run.has_budget

    def test_only_leads_hold_and_start(
        self, auditor_client, reviewer_client, adjudicator_client
    ):
        run = make_run(ADDRESS, gold_set=split_set())
        for action in ("pause", "resume", "stop", "budget"):
            for client in (auditor_client, reviewer_client, adjudicator_client):
                reply = client.post(f"/runs/{run.pk}/{action}")
                assert reply.status_code == 403
        assert reviewer_client.get(f"/runs/{run.pk}/live").status_code == 403
        assert auditor_client.get(NEW).status_code == 403
        text = page(auditor_client, f"/runs/{run.pk}/")
        assert "Pause</button>" not in text
        assert "Change the budget" not in text
        run.refresh_from_db()
        assert run.status == RunStatus.PENDING

    def test_nothing_is_done_by_reading(self, lead_client):
        run = make_run(ADDRESS, gold_set=split_set())
        for action in ("pause", "resume", "stop", "budget"):
            assert lead_client.get(f"/runs/{run.pk}/{action}").status_code == 405
        page(lead_client, "/runs/999/live", 404)
        assert run.calls.filter(state=CallState.PENDING).count() == 6
        assert run.spent_cost == Decimal(0)


class TestPanels:
    def test_a_panel_is_estimated_started_and_leads_to_its_members_runs(
        self, lead_client
    ):
        one = make_judge(ADDRESS, name="one")
        two = make_judge(ADDRESS, name="two", rubric="Another.")
        panel = freeze_panel(
            name="panel",
            spec=PanelSpec(members=(one.digest, two.digest)),
            by=None,
            now=START,
        )
        assert "panel v1" in page(lead_client, NEW)
        assert ">panel</span>" in page(lead_client, "/judges/panel/1/")
        gold_set = split_set(dev=1, held_out=1)
        reply = lead_client.post(NEW, wish(panel, gold_set, act="estimate"))
        assert b"8 to ask" in reply.content
        reply = lead_client.post(NEW, wish(panel, gold_set, act="start"))
        run = Run.objects.get(config=panel)
        assert reply["Location"] == f"/runs/{run.pk}/"
        text = page(lead_client, f"/runs/{run.pk}/")
        for member in Run.objects.exclude(pk=run.pk):
            assert f'href="/runs/{member.pk}/"' in text
        assert "0 of 8 calls done" in text


class TestDoorbell:
    @pytest.fixture
    def rung(self, monkeypatch, settings):
        """The runs that workers would have been told of."""
        settings.CELERY_BROKER_URL = "redis://127.0.0.1:1/0"
        settings.RUNNERS_PER_RUN = 1
        found = []
        monkeypatch.setattr(
            tasks.app, "send_task", lambda name, args, **more: found.append(args[0])
        )
        return found

    @pytest.mark.django_db(transaction=True)
    def test_workers_are_told_of_a_start_and_of_going_on(self, rung, lead_client):
        data = wish(make_judge(ADDRESS), split_set(), act="start")
        lead_client.post(NEW, data)
        run = Run.objects.get()
        assert rung == [run.pk]
        lead_client.post(f"/runs/{run.pk}/pause")
        assert rung == [run.pk]
        lead_client.post(f"/runs/{run.pk}/resume")
        assert rung == [run.pk] * 2
        lead_client.post(f"/api/v1/runs/{run.pk}/pause/")
        lead_client.post(f"/api/v1/runs/{run.pk}/resume/")
        assert rung == [run.pk] * 3
