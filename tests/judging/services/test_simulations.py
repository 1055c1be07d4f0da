"""A judge that is simulated is called so, and nobody takes that back."""

from __future__ import annotations

from datetime import timedelta

import pytest

from judging.domain.panels import PanelSpec
from judging.models import JudgeConfig, Reply, Simulation
from judging.services.configuring import draft_judge
from judging.services.drafting import default_spec
from judging.services.panels import freeze_panel
from judging.services.providers import ProviderOptions, save_provider
from judging.simulator.options import Options
from judging.simulator.running import SimulatedJudge
from tests.annotation.factory import START, make_set
from tests.judging.factory import ADDRESS, make_judge, make_run, work

pytestmark = pytest.mark.django_db(transaction=True)


def mark(*, simulated, base_url=ADDRESS, later=1):
    return save_provider(
        alias="local",
        base_url=base_url,
        options=ProviderOptions(simulated=simulated),
        now=START + timedelta(days=later),
    )


def again(judge):
    return JudgeConfig.objects.get(pk=judge.pk)


class TestByTheProvider:
    def test_a_judge_frozen_with_a_marked_provider_stays_simulated(self):
        mark(simulated=True)
        judge = make_judge(ADDRESS)
        assert judge.simulated
        mark(simulated=False)
        assert again(judge).simulated
        assert Simulation.objects.get().noted_at == judge.frozen_at

    def test_the_mark_reaches_judges_that_were_frozen_before(self):
        judge = make_judge(ADDRESS)
        assert not judge.simulated
        mark(simulated=True)
        mark(simulated=False, later=2)
        assert again(judge).simulated

    def test_a_draft_goes_by_what_the_provider_says_now(self):
        provider = mark(simulated=True)
        spec = default_spec(provider="local", base_url=ADDRESS, model="m")
        draft = draft_judge(name="draft", spec=spec, by=None, now=START)
        assert draft.simulated
        provider.simulated = False
        provider.save()
        assert not again(draft).simulated
        assert not Simulation.objects.exists()


class TestByItsReplies:
    def test_a_judge_whose_replies_say_it_is_simulated(self):
        with SimulatedJudge(Options()) as server:
            run = make_run(server.base_url, gold_set=make_set(cases=1))
            assert not run.config.simulated
            work(run)
        assert {r.fingerprint for r in Reply.objects.all()} == {"simulated"}
        assert again(run.config).simulated

    def test_a_panel_is_simulated_as_soon_as_a_member_is(self):
        judges = (
            make_judge(ADDRESS, name="one"),
            make_judge(ADDRESS, name="two", repeats=3),
        )
        spec = PanelSpec(members=tuple(sorted(each.digest for each in judges)))
        panel = freeze_panel(name="panel", spec=spec, by=None, now=START)
        assert not panel.simulated
        mark(simulated=True)
        assert again(panel).simulated
        newer = freeze_panel(name="panel", spec=spec, by=None, now=START)
        assert again(newer).simulated
