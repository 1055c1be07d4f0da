"""A run whose last calls were told from an outage by a control bears an audit."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from annotation.domain.consensus import ConsensusRule
from annotation.services.freezing import freeze_gold
from calibration.services.audits.exporting import export_audit
from calibration.services.audits.scopes import Wanted
from calibration.services.looks import disclosed
from calibration.services.reporting import make_report
from config.accounts.roles import Role
from judging.domain.ports import CallFailed, FailureKind, RawReply
from judging.models import Call, RunStatus
from judging.services.asker import Question
from judging.services.askers import asker_of
from judging.services.worklist import with_texts
from tests.calibration.audits.tools import Files, rows_of, said, unpacked
from tests.calibration.audits.world import (
    BEGAN,
    COMMAND,
    NAME,
    Replier,
    people_work,
    person,
    run_of,
)
from tests.judging.factory import ADDRESS, make_judge
from tests.judging.talkers import work

if TYPE_CHECKING:
    from judging.domain.ports import JudgeRequest
    from judging.models import Run

pytestmark = pytest.mark.django_db(transaction=True)
CASES = 4


class Moody(Replier):
    """Fails for one request, and never says the same twice."""

    def __init__(self, bad: str) -> None:
        super().__init__()
        self.bad, self.times = bad, Counter[str]()

    async def ask(self, request: JudgeRequest) -> RawReply:
        if request.request_hash == self.bad:
            raise CallFailed(FailureKind.BAD_BODY, "no object", status=200, body="<p>")
        self.times[request.request_hash] += 1
        return await super().ask(request)

    def body(self, request: JudgeRequest) -> dict[str, Any]:
        second = self.times[request.request_hash] > 1
        text = "[[B>A]]" if second else "[[A>B]]"
        choice = {"message": {"content": text}, "finish_reason": "stop"}
        usage = {"prompt_tokens": 80 + 9 * second, "completion_tokens": 7}
        return {"model": "sim", "choices": [choice], "usage": usage}


def judged() -> Run:
    people = {
        "ann": person("ann", Role.REVIEWER),
        "bob": person("bob", Role.REVIEWER),
        "ada": person("ada", Role.ADJUDICATOR),
        "lea": person("lea", Role.LEAD),
    }
    gold_set = people_work(CASES, people)
    gold = freeze_gold(
        gold_set=gold_set,
        rule=ConsensusRule(gold_set.consensus_rule),
        by=people["lea"],
        leave_open=True,
        now=BEGAN.replace(month=6),
    )
    run = run_of(make_judge(ADDRESS, now=BEGAN), gold_set)
    last = with_texts(Call.objects.filter(run=run)).last()
    assert last is not None
    question = asker_of(run.config, total_timeout=1.0).prepare(last)
    assert isinstance(question, Question)
    assert work(run, Moody(question.request_hash)) == RunStatus.DONE
    run.refresh_from_db()
    report = make_report(run=run, gold=gold, by=None, now=timezone.now())
    disclosed(report=report, viewer=COMMAND, now=timezone.now())
    return run


def exported() -> Files:
    wanted = Wanted(gold_set=NAME)
    found = export_audit(wanted=wanted, viewer=COMMAND, now=timezone.now())
    return unpacked(b"".join(found.download().pieces))


def test_a_control_that_was_answered_otherwise_contradicts_nothing() -> None:
    judged()
    bundle = exported()
    calls = rows_of(bundle, "calls")
    twice = [row for row in calls if sum(not a["error"] for a in row["attempts"]) == 2]
    (row,) = twice
    first, second = (json.dumps(each) for each in row["attempts"])
    assert "[[A>B]]" in first
    assert "[[B>A]]" in second
    assert (row["tries"], row["reply"]["choice"]) == (2, "first")
    assert [r["reply"]["invalid_reason"] for r in calls].count("provider_error") == 1
    assert said(bundle) == []
