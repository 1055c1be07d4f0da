"""Telling PostgreSQL's planner of rows that came all at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import connection

if TYPE_CHECKING:
    from django.db.models import Model

# Below, no plan is bad enough to matter. Tables taken to be empty are joined row by row
# without an index: some hundred rows in each of three of them take minutes.
MANY = 100


def refresh_statistics(*models: type[Model], rows: int) -> None:
    """Let the planner count these tables again after ``rows`` were added.

    The server does so by itself only about a minute after the transaction ends; until
    then it takes the tables to be as empty as they were, and a join over a new set may
    take minutes. SQLite's planner keeps no such counts.
    """
    if connection.vendor != "postgresql" or rows < MANY:
        return
    quoted = (connection.ops.quote_name(model._meta.db_table) for model in models)
    with connection.cursor() as cursor:
        cursor.execute(f"ANALYZE {', '.join(quoted)}")
