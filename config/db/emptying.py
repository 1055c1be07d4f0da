"""Empty a test database quickly: every test that commits ends with this."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction

from config.db import guards

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper

# What migrations leave in a new database, and no test changes.
KEPT = frozenset({"django_migrations", "django_content_type", "auth_permission"})


# A page of the test that is still open may store something in between.
ATTEMPTS = 5


def empty(connection: BaseDatabaseWrapper) -> list[str]:
    """Delete the rows of all tables but KEPT; return the tables that had any.

    Only those are touched: to empty each of them anew, and to drop and make all
    guards, takes longer than most tests do.
    """
    for _ in range(ATTEMPTS - 1):
        try:
            return _empty(connection)
        except IntegrityError:
            continue
    return _empty(connection)


def _empty(connection: BaseDatabaseWrapper) -> list[str]:
    with transaction.atomic(using=connection.alias):
        filled = filled_tables(connection)
        with guards.lifted(connection, *filled), connection.cursor() as cursor:
            for table in filled:
                quoted = connection.ops.quote_name(table)
                cursor.execute(f"DELETE FROM {quoted}")  # noqa: S608 - our own name
            # Foreign keys wait for the end of the transaction; guards can't.
            connection.check_constraints()
        # Also those that the test took away.
        guards.install(connection)
    return filled


def filled_tables(connection: BaseDatabaseWrapper) -> list[str]:
    """The tables, other than KEPT, that hold a row."""
    quote = connection.ops.quote_name
    tables = sorted(set(connection.introspection.table_names()) - KEPT)
    with connection.cursor() as cursor:
        cursor.execute(
            " UNION ALL ".join(
                f"SELECT '{table}' WHERE EXISTS (SELECT 1 FROM {quote(table)})"  # noqa: S608 - our own names
                for table in tables
            )
        )
        return [table for (table,) in cursor.fetchall()]
