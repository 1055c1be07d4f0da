"""Replies of every shape through the runner: each request has its row, none is free."""

from __future__ import annotations

import json
import logging

import pytest
from django.utils import timezone

from judging.domain.exchange import reply_from_body
from judging.domain.ports import CallFailed
from judging.models import Attempt, Reply, RunStatus
from judging.services.asking import Asking
from judging.services.patience import BAD_REPLIES
from tests.judging.factory import ADDRESS, QUICK, assert_settled, make_run
from tests.judging.talkers import Talker, work

pytestmark = pytest.mark.django_db(transaction=True)
SSE = 'data: {"choices": [{"delta": {"content": "A"}}]}\n\ndata: [DONE]\n\n'


class Sender(Talker):
    """Sends bodies, which are read as those of a provider are."""

    def __init__(self, body):
        super().__init__()
        self.body = body

    async def ask(self, request):
        await super().ask(request)
        body = self.body(self.asked)
        found = reply_from_body(200, {}, body, now=timezone.now(), latency_ms=1)
        if isinstance(found, CallFailed):
            raise found
        return found


def said(text="[[A>B]]", finish="stop"):
    choice = {"message": {"content": text}, "finish_reason": finish}
    usage = {"prompt_tokens": 5, "completion_tokens": 1}
    return json.dumps({"choices": [choice], "usage": usage})


def test_a_finish_reason_of_another_shape_is_kept_with_its_tokens():
    run = make_run(ADDRESS, cases=3)
    client = Sender(lambda n: said(finish={"a": 1}))
    assert work(run, client) == RunStatus.DONE
    assert_settled(run)
    attempts = Attempt.objects.filter(call__run=run)
    assert attempts.count() == client.asked == 6
    assert {a.usage["prompt"] for a in attempts} == {5}
    assert (
        list(Reply.objects.values_list("flags", flat=True))
        == [["no_finish_reason"]] * 6
    )


def test_several_choices_that_differ_are_no_verdict():
    both = [
        {"message": {"content": text}, "finish_reason": "stop"}
        for text in ("[[A>B]]", "[[B>A]]")
    ]
    run = make_run(ADDRESS, cases=1)
    assert work(run, Sender(lambda n: json.dumps({"choices": both}))) == RunStatus.DONE
    reasons = Reply.objects.values_list("invalid_reason", flat=True)
    assert set(reasons) == {"conflicting"}


@pytest.mark.parametrize("cases", [30, 84])
def test_bodies_that_nobody_can_read_stop_the_run_soon(cases):
    run = make_run(ADDRESS, cases=cases, concurrency=4)
    client = Sender(lambda n: SSE)
    assert work(run, client) == RunStatus.FAILED
    run.refresh_from_db()
    assert client.asked <= BAD_REPLIES + 4
    assert "no object" in run.failure
    assert Attempt.objects.filter(call__run=run).count() == client.asked
    assert not Reply.objects.filter(call__run=run).exists()


def test_bad_replies_between_good_ones_do_not_stop_it():
    run = make_run(ADDRESS, cases=60, concurrency=4)
    assert work(run, Sender(lambda n: SSE if n % 2 else said())) == RunStatus.DONE
    assert_settled(run)


def test_a_fault_in_reading_is_that_requests_failure(monkeypatch, caplog):
    real, broken = Asking.reading, []

    def reading(self, raw):
        if raw.text == "odd" and len(broken) < 2:
            broken.append(raw)
            raise TypeError("of all things")
        return real(self, raw)

    monkeypatch.setattr(Asking, "reading", reading)
    run = make_run(ADDRESS, cases=10, concurrency=2)
    client = Sender(lambda n: said("odd" if n in (3, 4) else "[[A>B]]"))
    with caplog.at_level(logging.CRITICAL):
        assert work(run, client) == RunStatus.DONE
    assert_settled(run)
    assert Attempt.objects.filter(call__run=run).count() == client.asked == 22
    failed = Attempt.objects.filter(call__run=run, error="bad_body")
    assert failed.count() == 2
    assert all("TypeError: of all things" in each.detail for each in failed)
    assert all("odd" in each.body for each in failed)


def test_a_fault_of_the_client_is_that_requests_failure(caplog):
    async def before(request):
        raise KeyError("of all things")

    run = make_run(ADDRESS, cases=5)
    client = Talker(before)
    with caplog.at_level(logging.CRITICAL):
        assert work(run, client) == RunStatus.FAILED
    run.refresh_from_db()
    assert "KeyError: 'of all things'" in run.failure
    assert Attempt.objects.filter(call__run=run).count() == client.asked >= QUICK.tries
    assert not Reply.objects.filter(call__run=run).exists()
