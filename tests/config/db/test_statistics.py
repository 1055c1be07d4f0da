"""The planner knows at once of rows that came all at once."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Case, Pair
from config.db.statistics import MANY, refresh_statistics

pytestmark = pytest.mark.django_db


def sent(rows: int) -> list[str]:
    with CaptureQueriesContext(connection) as captured:
        refresh_statistics(Case, Pair, rows=rows)
    return [query["sql"] for query in captured.captured_queries]


@pytest.mark.postgres_only
def test_many_rows_are_counted() -> None:
    assert sent(MANY) == ['ANALYZE "annotation_case", "annotation_pair"']


def test_few_are_left_to_the_server() -> None:
    assert sent(MANY - 1) == []


@pytest.mark.sqlite_only
def test_sqlite_keeps_no_counts() -> None:
    assert sent(MANY) == []


@pytest.mark.postgres_only
def test_no_table_is_counted_behind_a_test_and_no_statement_waits_for_ever() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname FROM pg_class WHERE relkind = 'r'"
            " AND relnamespace = current_schema()::regnamespace"
            " AND reloptions IS DISTINCT FROM ARRAY['autovacuum_enabled=false']"
        )
        assert cursor.fetchall() == []
        cursor.execute("SHOW statement_timeout")
        assert cursor.fetchone() == ("2min",)
