"""Plain SQL for the few requests that people wait for all day.

Building a query by the ORM takes longer than the database takes to answer it. What is
here keeps the models as the one description of tables: columns, conversions and the
order of values come from them.
"""

from __future__ import annotations

import re
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from django.db import connection, connections, models
from django.db.models.expressions import Col

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from django.db.models import Field

    Values = Sequence[Any] | Mapping[str, Any]
    Row = tuple[Any, ...]

M = TypeVar("M", bound=models.Model)


PLACEHOLDER = re.compile(r"%\((\w+)\)s|%s|%%")


class Statement(NamedTuple):
    """One SQL statement with its values.

    PostgreSQL plans a ``planned`` one once for each connection rather than each time,
    which pays where planning takes longer than the work itself. That is for statements
    whose text is always the same and whose best plan does not depend on the values.
    """

    sql: str
    values: Values = ()
    planned: bool = False


class _Plan(NamedTuple):
    """A planned statement: its name, what prepares it, and what runs it.

    ``order`` names its values in the order in which it is run with them; it is empty
    where they are given by position.
    """

    name: str
    prepare: str
    execute: str
    order: tuple[str, ...]


def run_together(statements: Sequence[Statement]) -> list[list[Row]]:
    """Run statements one after the other; return the rows of each.

    PostgreSQL gets them in one message and so in one round trip. Each still sees what
    the ones before it did and, inside a transaction, what others committed meanwhile,
    as if it had been sent alone.
    """
    with connection.cursor() as cursor:
        if connection.vendor != "postgresql":
            return [_run_one(cursor, statement) for statement in statements]
        ready = [_ready(cursor, one) for one in statements]
        values = [value for one in ready for value in one.values]
        cursor.execute(";".join(one.sql for one in ready), values or None)
        found = [_rows(cursor)]
        while cursor.nextset():
            found.append(_rows(cursor))
    return found


def _run_one(cursor: Any, statement: Statement) -> list[Row]:
    cursor.execute(statement.sql, statement.values or None)
    return _rows(cursor)


def _rows(cursor: Any) -> list[Row]:
    # Describing the columns takes psycopg longer than fetching the rows.
    postgres = connection.vendor == "postgresql"
    nothing = (cursor.rownumber if postgres else cursor.description) is None
    return [] if nothing else list(cursor.fetchall())


def _ready(cursor: Any, statement: Statement) -> Statement:
    """A statement as it is sent, its values by position."""
    values: Any = statement.values
    if statement.planned:
        plan = _plan(statement.sql)
        _prepare(cursor, plan)
        text, order = plan.execute, plan.order
    else:
        text, order = _by_position(statement.sql)
    return Statement(text, [values[name] for name in order] if order else values)


def _prepare(cursor: Any, plan: _Plan) -> None:
    """Let this connection have the plan."""
    database: Any = connections[connection.alias]  # of `config.db.postgresql`
    if plan.name not in database.plans:
        cursor.execute(plan.prepare)  # no matter how the transaction ends, it is kept
        database.plans.add(plan.name)


@lru_cache
def _plan(sql: str) -> _Plan:
    name = f"evenhand_{sha256(sql.encode()).hexdigest()[:16]}"
    given: list[str | None] = []

    def number(found: re.Match[str]) -> str:
        if found[0] == "%%":
            return "%"
        if found[1] is None or found[1] not in given:
            given.append(found[1])
            return f"${len(given)}"
        return f"${given.index(found[1]) + 1}"

    text = PLACEHOLDER.sub(number, sql)
    values = f"({', '.join(['%s'] * len(given))})" if given else ""
    order = tuple(one for one in given if one is not None)
    return _Plan(name, f"PREPARE {name} AS {text}", f"EXECUTE {name}{values}", order)


@lru_cache
def _by_position(sql: str) -> tuple[str, tuple[str, ...]]:
    """A statement with its values by position, and their names in that order."""
    order = tuple(found[1] for found in PLACEHOLDER.finditer(sql) if found[1])
    return PLACEHOLDER.sub(lambda found: "%s" if found[1] else found[0], sql), order


@lru_cache
def columns(model: type[models.Model], alias: str) -> str:
    """All columns of a model as a SELECT names them."""
    quote = connection.ops.quote_name
    return ", ".join(f"{alias}.{quote(_name(field))}" for field in _fields(model))


def width(model: type[models.Model]) -> int:
    """How many values of a row `read` takes."""
    return len(_fields(model))


def read(model: type[M], values: Sequence[Any]) -> M:
    """An instance from the values of `columns`."""
    row = list(values)
    for place, column, convert in _conversions(model, connection.vendor):
        row[place] = convert(row[place], column, connection)
    names = [field.attname for field in _fields(model)]
    found: M = model.from_db(connection.alias, names, row)
    return found


def insertion(row: models.Model, *, only_if: Statement | None = None) -> Statement:
    """The statement that stores a new row and returns its id; no signals are sent.

    ``only_if`` is a SELECT, its values by position: if it finds nothing, nothing is
    stored or returned.
    """
    values = [
        field.get_db_prep_save(field.pre_save(row, add=True), connection)
        for field in _fields(type(row))
        if not field.primary_key
    ]
    if only_if is None:
        return Statement(_insert_sql(type(row)), values, planned=True)
    sql = _insert_sql(type(row), only_if=only_if.sql)
    return Statement(sql, [*values, *only_if.values], planned=True)


@lru_cache
def _insert_sql(model: type[models.Model], only_if: str = "") -> str:
    quote = connection.ops.quote_name
    named = [quote(_name(f)) for f in _fields(model) if not f.primary_key]
    key = quote(_name(model._meta.pk))
    row = ", ".join(["%s"] * len(named))
    source = f"SELECT {row} WHERE EXISTS ({only_if})" if only_if else f"VALUES ({row})"
    return (
        f"INSERT INTO {quote(model._meta.db_table)} ({', '.join(named)}) "
        f"{source} RETURNING {key}"
    )


def _name(field: Field[Any, Any]) -> str:
    return str(field.column)


def _fields(model: type[models.Model]) -> Sequence[Field[Any, Any]]:
    return model._meta.concrete_fields


@lru_cache
def _conversions(
    model: type[models.Model],
    vendor: str,  # noqa: ARG001 - part of the key
) -> list[tuple[int, Col, Callable[..., Any]]]:
    return list(_each_conversion(model))


def _each_conversion(
    model: type[models.Model],
) -> Iterator[tuple[int, Col, Callable[..., Any]]]:
    for place, field in enumerate(_fields(model)):
        column = Col(model._meta.db_table, field)
        for convert in (
            *connection.ops.get_db_converters(column),
            *field.get_db_converters(connection),
        ):
            yield place, column, convert
