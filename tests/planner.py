"""Keep PostgreSQL's planner, and the time that a test may take, the same in every run.

Most tests take their rows back. Should the server count the tables just then, it finds
pages without rows, and plans for the next test's rows as if there were none: joins of
some hundred rows in each table then take minutes, or don't end. So nothing is counted
behind a test's back; what tests leave is swept up between them.
"""

from __future__ import annotations

from typing import Any

import psycopg
from django.db import connection

from config.db.guards import is_test_database

# Between two sweeps of what tests left behind (0.5 s each).
TESTS_BETWEEN = 150
# No statement of a test takes a tenth of this; one that does says so and ends.
LONGEST_STATEMENT = "120s"


def settle() -> None:
    """Switch off what counts by itself, and end statements that don't end."""
    if connection.vendor != "postgresql":
        return
    name = connection.ops.quote_name(str(connection.settings_dict["NAME"]))
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            quoted = connection.ops.quote_name(table)
            cursor.execute(f"ALTER TABLE {quoted} SET (autovacuum_enabled = false)")
        # Of the database, so that it holds for other processes too.
        cursor.execute(
            f"ALTER DATABASE {name} SET statement_timeout = '{LONGEST_STATEMENT}'"
        )
    connection.close()


class Sweeper:
    """Sweeps once every so many tests, where no test holds rows for others."""

    def __init__(self) -> None:
        self.since = 0

    def after_a_test(self) -> None:
        self.since += 1
        if self.since < TESTS_BETWEEN or connection.in_atomic_block:
            return
        self.since = 0
        if connection.vendor == "postgresql" and is_test_database(connection):
            sweep(connection.get_connection_params())


def sweep(parameters: dict[str, Any]) -> None:
    """Free the space of all deleted rows, over a connection of our own."""
    chosen = {"dbname", "user", "password", "host", "port"}
    given = {name: value for name, value in parameters.items() if name in chosen}
    with psycopg.connect(**given, autocommit=True) as own:
        own.execute("VACUUM")
