"""Plain statements read and write what the models would."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from annotation.models import Assignment, Case, GoldSet, Label, Round, Seat, Skip
from config.db.plain import (
    Statement,
    columns,
    insertion,
    read,
    run_together,
    width,
)
from tests.annotation.factory import START, Clock, Desk, make_round, make_set

if TYPE_CHECKING:
    from django.db.models import Model

    from config.accounts.models import User

MARK = "UPDATE accounts_user SET first_name = %s WHERE id = %s"
NAME = "SELECT first_name FROM accounts_user WHERE id = %s"


@pytest.fixture
def desk(reviewer: User, other_reviewer: User) -> Desk:
    round_ = make_round(make_set(cases=3), reviewer, other_reviewer)
    return Desk(round_, reviewer, Clock())


def test_each_statement_sees_those_before_it(reviewer: User) -> None:
    found = run_together(
        [
            Statement(MARK, ["a; b %", reviewer.pk]),
            Statement(NAME, [reviewer.pk]),
            Statement("SELECT 1, 2 UNION SELECT 3, 4 ORDER BY 1"),
        ]
    )
    assert found == [[], [("a; b %",)], [(1, 2), (3, 4)]]


def test_values_by_name_serve_all_statements(reviewer: User) -> None:
    values = {"me": reviewer.pk, "name": "x"}
    found = run_together(
        [
            Statement("SELECT id FROM accounts_user WHERE id = %(me)s", values),
            Statement("SELECT %(name)s || 'y' WHERE %(me)s > 0", values),
        ]
    )
    assert found == [[(reviewer.pk,)], [("xy",)]]


def test_a_statement_that_fails_fails_the_whole_transaction(reviewer: User) -> None:
    both = [
        Statement(MARK, ["changed", reviewer.pk]),
        Statement("INSERT INTO annotation_skip (id) VALUES (%s)", [1]),
    ]

    with pytest.raises(IntegrityError), transaction.atomic():
        run_together(both)
    reviewer.refresh_from_db()
    assert reviewer.first_name != "changed"


@pytest.mark.postgres_only
def test_postgresql_gets_them_in_one_message(reviewer: User) -> None:
    with CaptureQueriesContext(connection) as queries:
        run_together([Statement(NAME, [reviewer.pk])] * 3)
    assert len(queries) == 1


def _same(row: Model, other: Model) -> bool:
    names = [field.attname for field in row._meta.concrete_fields]
    return [getattr(row, n) for n in names] == [getattr(other, n) for n in names]


@pytest.mark.parametrize("model", [Assignment, Case, GoldSet, Label, Round, Seat])
def test_a_row_reads_as_the_model_reads_it(model: type[Model], desk: Desk) -> None:
    """Moments, booleans, JSON, floats and UUIDs included."""
    desk.submit(desk.claim(), note="ü", elapsed_seconds=1.5)
    desk.claim()
    table = model._meta.db_table
    sql = f"SELECT {columns(model, 't')} FROM {table} t ORDER BY t.id"
    [rows] = run_together([Statement(sql)])
    expected = list(model._base_manager.order_by("pk"))

    assert rows
    assert {len(row) for row in rows} == {width(model)}
    assert all(
        _same(read(model, row), one) for row, one in zip(rows, expected, strict=True)
    )


def test_an_insertion_stores_what_save_would(desk: Desk) -> None:
    assignment = desk.claim()
    assignment.ended_at = START
    assignment.save(update_fields=["ended_at"])
    row = Assignment(
        round=desk.round,
        seat_id=assignment.seat_id,
        pair_id=assignment.pair_id,
        reviewer=desk.reviewer,
        order=assignment.order,
        claimed_at=START,
        same_case_again=True,
    )
    [[[row.pk]]] = run_together([insertion(row)])

    stored = Assignment.objects.get(pk=row.pk)
    assert _same(stored, row)
    assert isinstance(stored.token, uuid.UUID)
    assert stored.same_case_again is True


def test_an_insertion_may_depend_on_what_is_there(desk: Desk) -> None:
    assignment = desk.claim()
    for wanted, stored in ((assignment.pk, 1), (0, 0)):
        row = Skip(
            round=desk.round,
            reviewer=desk.reviewer,
            pair_id=assignment.pair_id,
            skipped_at=START,
        )
        sql = "SELECT 1 FROM annotation_assignment WHERE id = %s"
        [found] = run_together([insertion(row, only_if=Statement(sql, [wanted]))])
        assert len(found) == stored
        assert Skip.objects.count() == 1


@pytest.mark.parametrize("planned", [False, True])
def test_statements_of_all_kinds_go_together(reviewer: User, planned: bool) -> None:
    """Planned or not, by name or by position, each with values of its own."""
    named = "SELECT %(b)s || %(a)s || %(b)s FROM accounts_user WHERE id = %(me)s"
    values = {"a": "x", "b": "y", "me": reviewer.pk, "unused": 1}
    found = run_together(
        [
            Statement(MARK, ["z", reviewer.pk]),
            Statement(named, values, planned=planned),
            Statement(named, values | {"a": "w"}),
            Statement(NAME, [reviewer.pk], planned=True),
        ]
    )
    assert found == [[], [("yxy",)], [("ywy",)], [("z",)]]


@pytest.mark.postgres_only
def test_a_planned_statement_is_planned_once_and_says_the_same(reviewer: User) -> None:
    """By name or by position; a rollback in between does not take the plan away."""
    by_name = "SELECT %(me)s + 0, 100 %% 7, id FROM accounts_user WHERE id = %(me)s"
    with CaptureQueriesContext(connection) as queries:
        for _ in range(3):
            with transaction.atomic():
                [rows] = run_together(
                    [Statement(by_name, {"me": reviewer.pk}, planned=True)]
                )
                transaction.set_rollback(True)
            assert rows == [(reviewer.pk, 2, reviewer.pk)]
    assert sum("PREPARE" in q["sql"] for q in queries) == 1
    found = run_together(
        [
            Statement(MARK, ["a; b %", reviewer.pk], planned=True),
            Statement(NAME, [reviewer.pk], planned=True),
        ]
    )
    assert found == [[], [("a; b %",)]]
