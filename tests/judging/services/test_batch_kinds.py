"""Judges of every kind in batches: a rubric first, and marks of single responses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from judging.models import Reply, RunStatus
from judging.services.starting import RunOptions, start_run
from tests.annotation.factory import START, make_set
from tests.judging.batch_talkers import BatchTalker
from tests.judging.batches import batch_run, batches_of, carry
from tests.judging.factory import ADDRESS, assert_settled
from tests.judging.pointwise_judges import pointwise_judge
from tests.judging.rubric_judges import STEP
from tests.judging.talkers import Talker, work

if TYPE_CHECKING:
    from judging.models import Run

pytestmark = pytest.mark.django_db(transaction=True)


def writes_or_compares(body):
    asked = body["messages"][-1]["content"]
    return "- It names the day." if "Write a rubric" in asked else "[[A>B]]"


def test_rubrics_are_one_batch_and_the_verdicts_that_need_them_the_next():
    run = batch_run(ADDRESS, cases=3, rubric_step=STEP)
    client = BatchTalker(writes_or_compares)
    assert carry(run, open_batches=client) == RunStatus.DONE
    assert_settled(run)
    assert [batch.requests for batch in batches_of(run)] == [3, 6]
    second = client.files[client.made[1].input_file_id]
    texts = ["".join(m["content"] for m in line["body"]["messages"]) for line in second]
    assert all(text.count("- It names the day.") == 1 for text in texts)
    written = Reply.objects.filter(call__run=run, call__case__isnull=False)
    assert set(written.values_list("rubric", flat=True)) == {"- It names the day."}


def marks(run: Run) -> list[tuple[int | None, str]]:
    replies = Reply.objects.filter(call__run=run).order_by("call__response")
    return list(replies.values_list("score", "invalid_reason"))


def test_single_responses_are_marked_as_they_are_live():
    gold_set = make_set(3)
    live, batch = (
        start_run(
            config=pointwise_judge(name=name),
            gold_set=gold_set,
            concurrency=2,
            by=None,
            now=START,
            options=RunOptions(batches=batches, reuse=False),
        )
        for name, batches in (("live", False), ("batch", True))
    )
    work(live, Talker())
    client = BatchTalker(lambda _: "[[A>B]]")
    assert carry(batch, open_batches=client) == RunStatus.DONE
    assert_settled(batch)
    assert marks(batch) == marks(live)
    assert len(marks(batch)) == 6


def test_names_of_requests_tell_no_call_pair_or_order():
    run = batch_run(ADDRESS, cases=2)
    client = BatchTalker(writes_or_compares)
    carry(run, open_batches=client)
    (lines,) = client.files.values()
    names = [line["custom_id"] for line in lines]
    assert len(set(names)) == 4
    assert all(len(name) == 32 and int(name, 16) for name in names)
    assert {frozenset(line) for line in lines} == {
        frozenset({"custom_id", "method", "url", "body"})
    }
