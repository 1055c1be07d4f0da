"""Rows are stored the same by either way in."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.forms.models import model_to_dict

from judging.models import Attempt, Call, Reply
from judging.services.inserting import _plain, insert
from tests.annotation.factory import START
from tests.judging.factory import ADDRESS, make_run

pytestmark = pytest.mark.django_db
ODD = '"quoted", {braces}, 100 %s, back\\slash \\u0041,\r\n\ttab, \u2028 é 判 😀 \''


def attempt_of(call):
    return Attempt(
        call_id=call.pk,
        owner=uuid.UUID(int=7),
        sent_at=START + timedelta(microseconds=123_457),
        status=200,
        body=ODD,
        usage={"prompt": 12, "odd": ODD},
        latency_ms=0,
    )


def reply_of(call):
    return Reply(
        call_id=call.pk,
        choice="first",
        strength=2,
        raw=ODD,
        flags=["lower_strength", ODD],
        span=[3, 9],
        answered_at=START + timedelta(microseconds=1),
    )


def invalid_reply_of(call):
    """All that may be missing is."""
    return Reply(call_id=call.pk, invalid_reason="unparsed", answered_at=START)


def stored(model, call):
    row = model_to_dict(model.objects.get(call=call))
    return {name: row[name] for name in row if name not in {"id", "call"}}


@pytest.mark.parametrize("make", [attempt_of, reply_of, invalid_reply_of])
def test_a_row_is_what_bulk_create_makes_of_it(make):
    ours, plain = make_run(ADDRESS, cases=1).calls.order_by("pk")
    model = type(make(ours))
    insert(model, [make(ours)])
    model.objects.bulk_create([make(plain)])
    assert stored(model, ours) == stored(model, plain)
    if model is Reply:
        without_span = set(
            Reply.objects.filter(span__isnull=True).values_list("call", flat=True)
        )
        assert (ours.pk in without_span) == (plain.pk in without_span)


def test_several_rows_get_keys_of_their_own_and_none_are_no_rows():
    calls = list(Call.objects.filter(run=make_run(ADDRESS, cases=2)))
    insert(Attempt, [attempt_of(call) for call in calls])
    insert(Attempt, [])
    assert Attempt.objects.values("pk").distinct().count() == len(calls) == 4


def test_what_the_database_refuses_is_refused():
    call = make_run(ADDRESS, cases=1).calls.first()
    insert(Reply, [reply_of(call)])
    with pytest.raises(IntegrityError), transaction.atomic():
        insert(Reply, [reply_of(call)])
    other = make_run(ADDRESS, cases=1, name="other").calls.first()
    with pytest.raises(IntegrityError), transaction.atomic():
        insert(Reply, [Reply(call_id=other.pk, answered_at=START)])
    with pytest.raises(TypeError, match="object is no value"):
        _plain(object())
