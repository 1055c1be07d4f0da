"""Plain SQL for the few requests that people wait for all day.

Building a query by the ORM takes longer than the database takes to answer it. What is
here keeps the models as the one description of tables: columns, conversions and the
order of values come from them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from django.db import connection, models
from django.db.models.expressions import Col

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from django.db.models import Field

    Values = Sequence[Any] | Mapping[str, Any]
    Row = tuple[Any, ...]

M = TypeVar("M", bound=models.Model)


class Statement(NamedTuple):
    """One SQL statement with its values."""

    sql: str
    values: Values = ()


def run_together(statements: Sequence[Statement]) -> list[list[Row]]:
    """Run statements one after the other; return the rows of each.

    PostgreSQL gets them in one message and so in one round trip. Each still sees what
    the ones before it did and, inside a transaction, what others committed meanwhile,
    as if it had been sent alone. Values are all by position, or all by name and then
    the same for all statements.
    """
    with connection.cursor() as cursor:
        if connection.vendor != "postgresql":
            return [_run_one(cursor, statement) for statement in statements]
        cursor.execute(";".join(one.sql for one in statements), _joined(statements))
        found = [_rows(cursor)]
        while cursor.nextset():
            found.append(_rows(cursor))
    return found


def _run_one(cursor: Any, statement: Statement) -> list[Row]:
    cursor.execute(statement.sql, statement.values or None)
    return _rows(cursor)


def _rows(cursor: Any) -> list[Row]:
    return [] if cursor.description is None else list(cursor.fetchall())


def _joined(statements: Sequence[Statement]) -> Values | None:
    first = statements[0].values
    if hasattr(first, "keys"):
        return first
    return [value for one in statements for value in one.values] or None


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


def insertion(row: models.Model) -> Statement:
    """The statement that stores a new row and returns its id; no signals are sent."""
    values = [
        field.get_db_prep_save(field.pre_save(row, add=True), connection)
        for field in _fields(type(row))
        if not field.primary_key
    ]
    return Statement(_insert_sql(type(row)), values)


@lru_cache
def _insert_sql(model: type[models.Model]) -> str:
    quote = connection.ops.quote_name
    named = [quote(_name(f)) for f in _fields(model) if not f.primary_key]
    key = quote(_name(model._meta.pk))
    return (
        f"INSERT INTO {quote(model._meta.db_table)} ({', '.join(named)}) "  # noqa: S608 - names of our own
        f"VALUES ({', '.join(['%s'] * len(named))}) RETURNING {key}"
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
