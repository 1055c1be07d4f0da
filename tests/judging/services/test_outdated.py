"""A judge of another release keeps its verdicts, and is asked nothing more."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command

from annotation.domain.outcomes import Split
from annotation.models import Pair
from config.errors import Conflict
from judging.domain.digests import spec_digest, spec_from_json
from judging.domain.kinds import asked_digest, asked_from_json
from judging.models import JudgeConfig, Run
from judging.services.configuring import draft_judge, freeze_judge, spec_of
from judging.services.diagnosing import try_pair
from judging.services.editing import copy_to_draft
from judging.services.estimating import estimate_run
from judging.services.evidence import pair_evidence
from judging.services.starting import complete_run, start_run
from judging.services.working import work_on
from tests.annotation.factory import START, make_set
from tests.guards import change
from tests.judging.factory import ADDRESS, make_judge, make_run
from tests.judging.pointwise_judges import pointwise_judge
from tests.judging.talkers import Talker

pytestmark = pytest.mark.django_db(transaction=True)
WORDS = "reads replies as five_token/1, and this release as five_token/4. Copy it"


def outdate(config, **changes):
    """The row as another release froze it."""
    spec = {**config.spec, "parser_version": "five_token/1", **changes}
    older = JudgeConfig(
        **{
            field.attname: getattr(config, field.attname)
            for field in JudgeConfig._meta.concrete_fields
            if field.attname not in {"id", "spec", "digest", "version"}
        },
        spec=spec,
        version=config.version + 1,
        digest=spec_digest(spec_from_json(spec)),
    )
    older.save()
    return older


def start(config, gold_set):
    return start_run(
        config=config, gold_set=gold_set, concurrency=4, by=None, now=START
    )


def unfinished(config, gold_set):
    """A run that was begun before the update."""
    run = start(make_judge(ADDRESS, name="stand-in"), gold_set)
    change(run, config=config)
    return Run.objects.get(pk=run.pk)


def test_no_new_run_is_started_and_nothing_estimated():
    older, gold_set = outdate(make_judge(ADDRESS)), make_set(2)
    with pytest.raises(Conflict, match=WORDS) as refused:
        start(older, gold_set)
    assert refused.value.code == "judge_outdated"
    with pytest.raises(Conflict, match=WORDS):
        estimate_run(config=older, gold_set=gold_set, now=START)
    pair = Pair.objects.with_texts().first()
    assert pair.case.split != Split.HELD_OUT
    with pytest.raises(Conflict, match=WORDS):
        try_pair(config=older, pair=pair, open_client=lambda _: Talker())
    assert not Run.objects.exists()


def test_one_that_was_under_way_stops_with_the_reason_and_asks_nothing():
    client = Talker()
    run = unfinished(outdate(make_judge(ADDRESS)), make_set(2))
    with pytest.raises(Conflict, match=WORDS):
        work_on(run, open_client=lambda _: client)
    run.refresh_from_db()
    assert run.status == "failed"
    assert WORDS in run.failure
    assert client.asked == 0
    with pytest.raises(CommandError, match=WORDS):
        call_command("run_judge", run=run.pk)


def test_what_was_read_then_stays_the_verdict():
    run = make_run(ADDRESS, cases=2)
    work_on(run, open_client=lambda _: Talker())
    before = pair_evidence(run)
    older = outdate(run.config)
    change(run, config=older)
    run = Run.objects.get(pk=run.pk)
    assert pair_evidence(run) == before
    assert complete_run(config=older, gold_set=run.gold_set) == run


def test_a_copy_is_read_as_this_release_does_and_can_be_frozen():
    older = outdate(make_judge(ADDRESS), renderer="fenced/0")
    copy = copy_to_draft(config=older, by=None, now=START)
    assert spec_of(copy).parser_version == "five_token/4"
    assert spec_of(copy).renderer == "fenced/1"
    frozen = freeze_judge(config=copy, by=None, now=START)
    assert frozen.digest != older.digest
    assert start(frozen, make_set(1)).calls.count() == 2


def test_prompts_of_another_renderer_are_another_judge_too():
    older = outdate(
        make_judge(ADDRESS), parser_version="five_token/4", renderer="fenced/0"
    )
    with pytest.raises(Conflict, match="renders prompts as fenced/0"):
        start(older, make_set(1))


def test_a_format_that_this_release_lacks_is_named():
    older = outdate(make_judge(ADDRESS), verdict_format="stars")
    with pytest.raises(Conflict, match="five_token/1, which this release does not"):
        start(older, make_set(1))


def test_pointwise_judges_go_by_their_scale():
    marker = pointwise_judge()
    spec = {**marker.spec, "parser_version": "pass_fail/1"}
    marker.pk, marker.version, marker.spec = None, 2, spec
    marker.digest = asked_digest(asked_from_json(spec))
    marker.save()
    with pytest.raises(Conflict, match="pass_fail/1, and this release as pass_fail/4"):
        start(marker, make_set(1))


def test_a_draft_with_an_old_parser_is_not_frozen():
    spec = spec_from_json(
        {**make_judge(ADDRESS).spec, "parser_version": "five_token/1"}
    )
    draft = draft_judge(name="judge", spec=spec, by=None, now=START)
    with pytest.raises(Conflict, match="this version reads replies as five_token/4"):
        freeze_judge(config=draft, by=None, now=START)


def test_its_page_says_so(lead_client):
    judge = make_judge(ADDRESS)
    older = outdate(judge)
    words = "Of another release: it reads replies as five_token/1"
    assert words in lead_client.get("/judges/judge/2/").content.decode()
    assert words not in lead_client.get("/judges/judge/1/").content.decode()
    started = lead_client.post(
        "/runs/new/",
        {
            "judge": f"judge:{older.version}",
            "gold_set": make_set(1).name,
            "purpose": "calibration",
            "concurrency": "4",
            "currency": "USD",
            "act": "start",
        },
    )
    assert started.status_code == 400
    assert "Copy it to a new draft and freeze" in started.content.decode()
