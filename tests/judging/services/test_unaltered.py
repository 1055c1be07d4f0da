"""A frozen judge whose specification was changed is neither asked nor reported."""

from __future__ import annotations

import pytest

from calibration.services.reporting import make_report
from config.errors import Conflict
from judging.domain.panels import PanelSpec
from judging.services.askers import asker_of
from judging.services.estimating import estimate_run
from judging.services.panels import freeze_panel
from judging.services.starting import start_run
from judging.services.unaltered import refuse_altered
from judging.services.working import work_on
from tests.annotation.factory import START, make_set
from tests.guards import change
from tests.judging.factory import ADDRESS, freeze_gold, make_judge, make_run
from tests.judging.pointwise_judges import pointwise_judge
from tests.judging.talkers import Talker

pytestmark = pytest.mark.django_db(transaction=True)
WORDS = "judge v1 is not what was frozen"


def altered(config):
    """The row as somebody changed it past the guards."""
    change(config, spec={**config.spec, "model": "evil-model"})
    config.refresh_from_db()
    return config


def test_a_judge_of_any_kind_is_what_its_digest_was_taken_of():
    asked = [make_judge(ADDRESS, name=f"j{n}", model=f"m{n}") for n in range(3)]
    members = tuple(each.digest for each in asked)
    panel = freeze_panel(
        name="panel", spec=PanelSpec(members=members), by=None, now=START
    )
    for config in (asked[0], pointwise_judge(), panel):
        refuse_altered(config)
        with pytest.raises(Conflict, match="is not what was frozen") as refused:
            refuse_altered(altered(config))
        assert refused.value.code == "judge_altered"
        assert refused.value.detail == {"judge": str(config)}


def test_no_run_is_started_or_estimated():
    config, gold_set = altered(make_judge(ADDRESS)), make_set(1)
    with pytest.raises(Conflict, match=WORDS):
        start_run(config=config, gold_set=gold_set, concurrency=1, by=None, now=START)
    with pytest.raises(Conflict, match=WORDS):
        estimate_run(config=config, gold_set=gold_set, now=START)
    with pytest.raises(Conflict, match=WORDS):
        asker_of(config, total_timeout=1)


def test_a_run_under_way_buys_nothing_more():
    run, client = make_run(ADDRESS, cases=1), Talker()
    altered(run.config)
    run = type(run).objects.get(pk=run.pk)
    with pytest.raises(Conflict, match=WORDS):
        work_on(run, open_client=lambda _: client)
    assert client.asked == 0
    run.refresh_from_db()
    assert WORDS in run.failure


def test_nothing_is_reported_of_it():
    run = make_run(ADDRESS, cases=1)
    work_on(run, open_client=lambda _: Talker())
    run = type(run).objects.get(pk=run.pk)
    gold = freeze_gold(run.gold_set)
    assert make_report(run=run, gold=gold, by=None, now=START).digest
    altered(run.config)
    with pytest.raises(Conflict, match=WORDS):
        make_report(run=run, gold=gold, by=None, now=START)
