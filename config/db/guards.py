"""Install the database triggers that refuse changes to guarded rows.

Models declare their guard (config/db/declarations.py). `install` compares the triggers
that the database has with those that follow from the declarations and the present
columns, and puts right what differs. It runs after every migrate, since SQLite drops a
table's triggers whenever Django remakes the table. The triggers look at their own row
only: one that read another table would break the remake of that table.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from django.apps import apps
from django.core.exceptions import ImproperlyConfigured
from django.db import DEFAULT_DB_ALIAS, connections, transaction

from config.db import triggers_postgres, triggers_sqlite
from config.db.declarations import Guard, GuardKind, guard_of, own_models

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

    from django.apps.registry import Apps
    from django.db.backends.base.base import BaseDatabaseWrapper

    from config.db.triggers import Trigger

VENDORS = {"sqlite": triggers_sqlite, "postgresql": triggers_postgres}
TEST_DATABASES = ("test_", "file:memorydb")


def install(connection: BaseDatabaseWrapper, registry: Apps = apps) -> list[Trigger]:
    """Make the triggers follow the declarations; return those that were made."""
    vendor = _vendor(connection)
    present = _installed(connection)
    wanted = _wanted(connection, registry)
    made = sorted(wanted - present)
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        for trigger in sorted(present - wanted):
            vendor.drop(cursor, trigger)
        for trigger in made:
            cursor.execute(trigger.create)
    return made


def missing(connection: BaseDatabaseWrapper, registry: Apps = apps) -> list[Trigger]:
    """Return the triggers that the tables should have and lack or have changed."""
    return sorted(_wanted(connection, registry) - _installed(connection))


def remove(connection: BaseDatabaseWrapper, *, naming_columns: bool = False) -> None:
    """Drop all guards, or those only whose definition names columns.

    For test databases and for the time of a migration, which can't drop a column
    that an SQLite trigger names. `install` brings them back.
    """
    vendor = _vendor(connection)
    with connection.cursor() as cursor:
        for trigger in sorted(_installed(connection)):
            if not naming_columns or vendor.names_columns(trigger):
                vendor.drop(cursor, trigger)


@contextmanager
def lifted(connection: BaseDatabaseWrapper, *tables: str) -> Iterator[None]:
    """Let a migration change guarded rows of tables, within its transaction.

    When it fails the transaction takes this back as well.
    """
    vendor = _vendor(connection)
    mine = sorted(t for t in _installed(connection) if t.table in tables)
    _check_what_waits(connection)
    with connection.cursor() as cursor:
        for trigger in mine:
            vendor.switch_off(cursor, trigger)
    yield
    _check_what_waits(connection)
    with connection.cursor() as cursor:
        for trigger in mine:
            vendor.switch_on(cursor, trigger)


def _check_what_waits(connection: BaseDatabaseWrapper) -> None:
    """Check foreign keys now: PostgreSQL alters no table while their checks wait."""
    if connection.vendor == "postgresql":
        connection.check_constraints()


def is_test_database(connection: BaseDatabaseWrapper) -> bool:
    """Whether the name is one that only test runners give."""
    name = str(connection.settings_dict["NAME"]).rsplit("/", 1)[-1]
    return name.startswith(TEST_DATABASES)


def install_after_migrate(using: str = DEFAULT_DB_ALIAS, **_: object) -> None:
    """Receive post_migrate."""
    install(connections[using])


def remove_before_migrate(
    using: str = DEFAULT_DB_ALIAS, plan: object = (), **_: object
) -> None:
    """Receive pre_migrate: make way for changes of columns on SQLite.

    When the migration then fails, the guards are missing until one succeeds, which
    the system check evenhand.E010 and the health page report.
    """
    if plan and connections[using].vendor == "sqlite":
        remove(connections[using], naming_columns=True)


def _vendor(connection: BaseDatabaseWrapper) -> ModuleType:
    try:
        return VENDORS[connection.vendor]
    except KeyError:
        raise ImproperlyConfigured(
            "Evenhand stores its data in SQLite or PostgreSQL only."
        ) from None


def _installed(connection: BaseDatabaseWrapper) -> frozenset[Trigger]:
    with connection.cursor() as cursor:
        triggers: frozenset[Trigger] = _vendor(connection).installed(cursor)
    return triggers


def _wanted(connection: BaseDatabaseWrapper, registry: Apps) -> frozenset[Trigger]:
    vendor = _vendor(connection)
    guards = _guards(registry)
    with connection.cursor() as cursor:
        columns: dict[str, list[str]] = vendor.columns(cursor)
        keys: dict[str, list[tuple[str, ...]]] = vendor.keys(cursor)
    found: list[Trigger] = []
    for table, guard in guards.items():
        # A half-migrated database may lack the table or the column as yet.
        if set(guard.columns) <= set(columns.get(table, ())) and table in columns:
            found += vendor.wanted(table, guard, columns[table], keys.get(table, ()))
    return frozenset(found)


def _guards(registry: Apps) -> dict[str, Guard]:
    guards = {m._meta.db_table: guard_of(m) for m in own_models(registry)}
    return {t: g for t, g in guards.items() if g.kind is not GuardKind.MUTABLE}
