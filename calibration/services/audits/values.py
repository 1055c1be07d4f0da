"""How values of rows stand in a bundle."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any
from uuid import UUID

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from django.db.models import QuerySet

AT_ONCE = 2000


def plain(value: Any) -> Any:
    """Give a stored value as JSON has it; times are UTC with microseconds."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Decimal | UUID):
        return str(value)
    return value


def rows_of(
    found: QuerySet[Any], fields: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    """Each row of a query as a plain object: our names, and where they come from."""
    names = tuple(fields)
    values = found.values_list(*fields.values())
    for row in values.iterator(chunk_size=AT_ONCE):
        yield {name: plain(value) for name, value in zip(names, row, strict=True)}
