"""INSERT OR REPLACE on SQLite replaces no guarded row, whatever the connection asks."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, connection, transaction

from annotation.models import Exposure, ExposureKind, Pair
from annotation.services.exposures import record_exposures
from config.db import guards
from config.db.declarations import own_models
from judging.models import JudgeConfig, Reply
from tests.annotation.factory import START, make_set
from tests.judging.factory import ADDRESS, make_judge, make_run
from tests.judging.talkers import Talker, work

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite_only]


@pytest.fixture(autouse=True)
def foreign():
    """As a connection of another program: without what ours ask for."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA recursive_triggers=OFF")
    yield
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA recursive_triggers=ON")


def sql(statement):
    with connection.cursor() as cursor:
        cursor.execute(statement)


def refused(statement):
    with pytest.raises(IntegrityError, match="guard"), transaction.atomic():
        sql(statement)


def replacing(model, **instead):
    columns = [field.column for field in model._meta.concrete_fields]
    taken = [instead.get(column, f'"{column}"') for column in columns]
    names = ", ".join(f'"{column}"' for column in columns)
    table = model._meta.db_table
    return (
        f'INSERT OR REPLACE INTO "{table}" ({names}) '
        f'SELECT {", ".join(taken)} FROM "{table}"'
    )


def test_a_frozen_judge_is_not_replaced_by_number_or_by_name():
    judge = make_judge(ADDRESS)
    refused(replacing(JudgeConfig, spec="replace(spec, 'model', 'evil')"))
    refused(replacing(JudgeConfig, id="id + 100"))
    assert JudgeConfig.objects.get().spec == judge.spec


def test_nor_is_a_reply_by_its_call():
    run = make_run(ADDRESS, cases=1)
    work(run, Talker())
    before = list(Reply.objects.order_by("pk").values())
    refused(replacing(Reply, choice="'tie'"))
    refused(replacing(Reply, id="id + 100", choice="'tie'"))
    assert list(Reply.objects.order_by("pk").values()) == before


def test_what_is_mutable_or_no_longer_there_is_as_ever():
    make_run(ADDRESS, cases=1)
    sql("INSERT OR REPLACE INTO judging_provider SELECT * FROM judging_provider")
    JudgeConfig.objects.create(
        name="draft",
        version=1,
        verdict_format="x",
        repeat_rule="mean",
        created_at=START,
    )
    sql(
        "INSERT OR REPLACE INTO judging_judgeconfig "
        "SELECT * FROM judging_judgeconfig WHERE frozen_at IS NULL"
    )


def test_exposures_that_are_there_are_left_out_still(lead):
    make_set(1)
    for _ in range(2):
        record_exposures(
            user=lead,
            pair_ids=list(Pair.objects.values_list("pk", flat=True)),
            kind=ExposureKind.VERDICTS,
            now=START,
        )
    assert Exposure.objects.count() == 1
    refused(replacing(Exposure))


def test_only_tables_that_need_it_leave_repeats_out():
    found = {
        model.__name__
        for model in own_models()
        if getattr(model, "leaves_out_repeats", False)
    }
    assert found == {"Exposure", "GuidelineSeen", "SetAside", "Skip"}
    assert guards.missing(connection) == []
