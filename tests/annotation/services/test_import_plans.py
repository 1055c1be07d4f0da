"""What was just imported is read by a plan that knows how much it is."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection, transaction

from annotation.models import Case, Pair, Response
from annotation.services.importing_labels import pairs_by_key
from tests.annotation.hygiene_rows import load, row

CASES = 60
TABLES = [model._meta.db_table for model in (Case, Response, Pair)]


@pytest.mark.postgres_only
@pytest.mark.django_db(transaction=True)
def test_tables_counted_as_empty_are_counted_again() -> None:
    """A refused import leaves pages without rows; whoever counts them then finds 0."""
    with transaction.atomic():
        load(*map(row, range(CASES)))
        transaction.set_rollback(True)
    with connection.cursor() as cursor:
        cursor.execute(f"ANALYZE {', '.join(TABLES)}")
    assert counted() == [0, 0, 0]

    gold_set = load(*map(row, range(CASES)))

    assert counted() == [CASES, 2 * CASES, CASES]
    assert len(pairs_by_key(gold_set)) == CASES


def counted() -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, reltuples FROM pg_class WHERE relname = ANY(%s)", [TABLES]
        )
        found = dict(cursor.fetchall())
    return [found[table] for table in TABLES]
