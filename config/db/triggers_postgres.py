"""Guards on PostgreSQL: one function, and two triggers for each guarded table.

The condition stands in the function and not in a WHEN clause, which would block later
changes to the type of a column that it names. Row triggers don't fire on TRUNCATE, so a
statement trigger does.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from config.db.triggers import Trigger

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.backends.utils import CursorWrapper

    from config.db.declarations import Guard

FUNCTION = "evenhand_guard"
ROW_TRIGGER = "evenhand_guard_row"
TRUNCATE_TRIGGER = "evenhand_guard_truncate"

# Rows are compared as text: jsonb holds 1.0 and 1.00 equal.
BODY = """
BEGIN
  IF TG_LEVEL = 'ROW' AND TG_ARGV[0] = 'frozen_when'
     AND (to_jsonb(OLD) ->> TG_ARGV[1]) IS NULL THEN
    IF TG_OP = 'DELETE' THEN RETURN OLD; ELSE RETURN NEW; END IF;
  END IF;
  IF TG_LEVEL = 'ROW' AND TG_ARGV[0] = 'append_only_except' AND TG_OP = 'UPDATE'
     AND (to_jsonb(OLD) - TG_ARGV[1:])::text = (to_jsonb(NEW) - TG_ARGV[1:])::text THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'guard: % rows cannot be changed (%)', TG_TABLE_NAME, TG_OP
    USING ERRCODE = 'restrict_violation';
END
"""

# Bits of pg_trigger.tgtype
_ROW, _BEFORE, _DELETE, _UPDATE, _TRUNCATE = 1, 2, 8, 16, 32
ALWAYS_ON = "O"


def wanted(
    table: str, guard: Guard, columns: list[str], keys: Sequence[tuple[str, ...]]
) -> list[Trigger]:
    """Return the function and the triggers for a table."""
    del columns, keys  # the function sees whole rows, and nothing replaces one
    arguments = (guard.kind.value, *guard.columns)
    return [
        Trigger(
            "",
            FUNCTION,
            BODY,
            f"CREATE OR REPLACE FUNCTION {FUNCTION}() RETURNS trigger"
            f" LANGUAGE plpgsql AS $fn${BODY}$fn$",
        ),
        _trigger(table, ROW_TRIGGER, "UPDATE OR DELETE ON {} FOR EACH ROW", arguments),
        _trigger(
            table, TRUNCATE_TRIGGER, "TRUNCATE ON {} FOR EACH STATEMENT", arguments
        ),
    ]


def _trigger(table: str, name: str, when: str, arguments: tuple[str, ...]) -> Trigger:
    bits = _BEFORE | (
        _TRUNCATE if name == TRUNCATE_TRIGGER else _ROW | _UPDATE | _DELETE
    )
    literals = ", ".join("'" + a.replace("'", "''") + "'" for a in arguments)
    return Trigger(
        table,
        name,
        _definition(bits, ALWAYS_ON, "".join(f"{a}\0" for a in arguments)),
        f"CREATE TRIGGER {name} BEFORE {when.format(_quote(table))}"
        f" EXECUTE FUNCTION {FUNCTION}({literals})",
    )


def _definition(bits: int, enabled: str, arguments: str) -> str:
    return f"{bits} {enabled} {arguments}"


def installed(cursor: CursorWrapper) -> frozenset[Trigger]:
    """Return the guards of the current schema, and the function they call."""
    cursor.execute(
        "SELECT c.relname, t.tgname, t.tgtype, t.tgenabled, t.tgargs"
        " FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid"
        " JOIN pg_proc p ON p.oid = t.tgfoid"
        " WHERE c.relnamespace = current_schema()::regnamespace AND p.proname = %s",
        [FUNCTION],
    )
    triggers = {
        Trigger(table, name, _definition(bits, _text(on), bytes(args).decode()))
        for table, name, bits, on, args in cursor.fetchall()
    }
    cursor.execute(
        "SELECT prosrc FROM pg_proc WHERE proname = %s"
        " AND pronamespace = current_schema()::regnamespace",
        [FUNCTION],
    )
    return frozenset(
        triggers | {Trigger("", FUNCTION, body) for (body,) in cursor.fetchall()}
    )


def _text(value: str | bytes) -> str:
    return value.decode() if isinstance(value, bytes) else value


def columns(cursor: CursorWrapper) -> dict[str, list[str]]:
    """Return the columns of every table of the current schema."""
    cursor.execute(
        "SELECT table_name, column_name FROM information_schema.columns"
        " WHERE table_schema = current_schema() ORDER BY table_name, ordinal_position"
    )
    found: defaultdict[str, list[str]] = defaultdict(list)
    for table, column in cursor.fetchall():
        found[table].append(column)
    return dict(found)


def keys(cursor: CursorWrapper) -> dict[str, list[tuple[str, ...]]]:
    """None: an insert never replaces a row here."""
    del cursor
    return {}


def names_columns(trigger: Trigger) -> bool:
    """Whether dropping a column could fail because of this trigger: never here."""
    del trigger
    return False


def drop(cursor: CursorWrapper, trigger: Trigger) -> None:
    """Remove a guard; the function stays, since others call it."""
    if trigger.table:
        cursor.execute(f"DROP TRIGGER {trigger.name} ON {_quote(trigger.table)}")


def switch_off(cursor: CursorWrapper, trigger: Trigger) -> None:
    """Let a guard rest until :func:`switch_on`."""
    _switch(cursor, trigger, "DISABLE")


def switch_on(cursor: CursorWrapper, trigger: Trigger) -> None:
    """Let a guard work again."""
    _switch(cursor, trigger, "ENABLE")


def _switch(cursor: CursorWrapper, trigger: Trigger, word: str) -> None:
    table = _quote(trigger.table)
    cursor.execute(f"ALTER TABLE {table} {word} TRIGGER {trigger.name}")


def _quote(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
