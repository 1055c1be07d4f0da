"""Changing rows that the database keeps as they are, as only tests may."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import connection, transaction

from config.db import guards

if TYPE_CHECKING:
    from django.db.models import Model


def change(row: Model, **fields: Any) -> None:
    """Set fields of a guarded row, in the database and in hand."""
    model = type(row)
    with transaction.atomic(), guards.lifted(connection, model._meta.db_table):
        model._default_manager.filter(pk=row.pk).update(**fields)
    for name, value in fields.items():
        setattr(row, name, value)
