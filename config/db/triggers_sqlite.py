"""Guards on SQLite: two triggers for each guarded table."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from config.db.declarations import Guard, GuardKind
from config.db.triggers import Trigger

if TYPE_CHECKING:
    from django.db.backends.utils import CursorWrapper

PREFIX = "guard_"


def wanted(table: str, guard: Guard, columns: list[str]) -> list[Trigger]:
    """Return the triggers for a table with these columns."""
    return [
        _trigger(table, "UPDATE", _update_condition(guard, columns)),
        _trigger(table, "DELETE", _delete_condition(guard)),
    ]


def _trigger(table: str, action: str, condition: str) -> Trigger:
    name = f"{PREFIX}{table}_{action.lower()}"
    message = f"guard: {table} rows cannot be changed ({action})".replace("'", "''")
    sql = (
        f"CREATE TRIGGER {_quote(name)} BEFORE {action} ON {_quote(table)} "
        f"FOR EACH ROW {condition}BEGIN SELECT RAISE(ABORT, '{message}'); END"
    )
    return Trigger(table, name, sql, sql)


def _update_condition(guard: Guard, columns: list[str]) -> str:
    if guard.kind is not GuardKind.APPEND_ONLY_EXCEPT:
        return _delete_condition(guard)
    fixed = [_quote(column) for column in columns if column not in guard.columns]
    changed = " OR ".join(f"OLD.{column} IS NOT NEW.{column}" for column in fixed)
    return f"WHEN {changed} "


def _delete_condition(guard: Guard) -> str:
    if guard.kind is not GuardKind.FROZEN_WHEN:
        return ""
    return f"WHEN OLD.{_quote(guard.columns[0])} IS NOT NULL "


def installed(cursor: CursorWrapper) -> frozenset[Trigger]:
    """Return the guards that the database has."""
    cursor.execute(
        "SELECT tbl_name, name, sql FROM sqlite_master"
        " WHERE type = 'trigger' AND substr(name, 1, 6) = 'guard_'"
    )
    return frozenset(Trigger(*row) for row in cursor.fetchall())


def columns(cursor: CursorWrapper) -> dict[str, list[str]]:
    """Return the columns of every table."""
    cursor.execute(
        "SELECT t.name, c.name FROM sqlite_master t, pragma_table_info(t.name) c"
        " WHERE t.type = 'table' ORDER BY t.name, c.cid"
    )
    found: defaultdict[str, list[str]] = defaultdict(list)
    for table, column in cursor.fetchall():
        found[table].append(column)
    return dict(found)


def names_columns(trigger: Trigger) -> bool:
    """Whether dropping a column could fail because of this trigger."""
    return " WHEN " in trigger.definition


def drop(cursor: CursorWrapper, trigger: Trigger) -> None:
    """Remove a guard."""
    cursor.execute(f"DROP TRIGGER {_quote(trigger.name)}")


def switch_off(cursor: CursorWrapper, trigger: Trigger) -> None:
    """Take a guard away until :func:`switch_on`; SQLite knows no other way."""
    drop(cursor, trigger)


def switch_on(cursor: CursorWrapper, trigger: Trigger) -> None:
    """Bring a guard back as it was."""
    cursor.execute(trigger.definition)


def _quote(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
