"""Guards on SQLite: three triggers for each guarded table.

The one on INSERT is there for INSERT OR REPLACE, which deletes the row that has the
key without firing a delete trigger, unless the connection asks for it.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from config.db.declarations import Guard, GuardKind
from config.db.triggers import Trigger

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.backends.utils import CursorWrapper

    Key = tuple[str, ...]

PREFIX = "guard_"


def wanted(
    table: str, guard: Guard, columns: list[str], keys: Sequence[Key]
) -> list[Trigger]:
    """Return the triggers for a table with these columns and unique keys.

    Where repeats are left out on insert (INSERT OR IGNORE), only the first key, which
    is the primary one, is guarded: a trigger can't tell that from a replacement.
    """
    guarded = keys[:1] if guard.leaves_out_repeats else keys
    return [
        _trigger(table, "UPDATE", _update_condition(guard, columns)),
        _trigger(table, "DELETE", _delete_condition(guard)),
        _trigger(table, "INSERT", _insert_condition(table, guard, guarded)),
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


def _insert_condition(table: str, guard: Guard, keys: Sequence[Key]) -> str:
    frozen = ""
    if guard.kind is GuardKind.FROZEN_WHEN:
        frozen = f" AND {_quote(guard.columns[0])} IS NOT NULL"
    there = [
        f"EXISTS (SELECT 1 FROM {_quote(table)} WHERE {_same(key)}{frozen})"  # noqa: S608 - names of our own tables
        for key in keys
    ]
    return f"WHEN {' OR '.join(there)} "


def _same(key: Key) -> str:
    return " AND ".join(f"{_quote(name)} = NEW.{_quote(name)}" for name in key)


def keys(cursor: CursorWrapper) -> dict[str, list[Key]]:
    """Return the primary key of every table, and then its whole unique keys."""
    cursor.execute(
        "SELECT t.name, c.name FROM sqlite_master t, pragma_table_info(t.name) c"
        " WHERE t.type = 'table' AND c.pk > 0 ORDER BY t.name, c.pk"
    )
    primary: defaultdict[str, list[str]] = defaultdict(list)
    for table, column in cursor.fetchall():
        primary[table].append(column)
    cursor.execute(
        "SELECT t.name, i.name, c.name FROM sqlite_master t,"
        " pragma_index_list(t.name) i, pragma_index_info(i.name) c"
        " WHERE t.type = 'table' AND i.\"unique\" AND NOT i.partial"
        " AND i.origin <> 'pk' ORDER BY t.name, i.name, c.seqno"
    )
    others: defaultdict[str, dict[str, list[str | None]]] = defaultdict(dict)
    for table, index, column in cursor.fetchall():
        others[table].setdefault(index, []).append(column)
    return {
        table: [
            tuple(key),
            # No name is that of an expression.
            *(
                tuple(filter(None, names))
                for names in others[table].values()
                if None not in names
            ),
        ]
        for table, key in primary.items()
    }


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
