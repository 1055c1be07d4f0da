"""What models declare about changing their rows.

Every model of the project says it in a class attribute `guard`:

- "mutable": rows may be changed and deleted
- "append_only": neither
- "append_only_except:a,b": only the named fields may be changed; no row is deleted
- "frozen_when:a": neither, once the named field of the row is not NULL

Rows that are there already may be left out when rows are inserted (`ignore_conflicts`)
only where the model says so: `leaves_out_repeats = True`.

The table that Django makes by itself for a ManyToManyField takes the guard of the
model that has the field, which must then be "mutable" or "append_only": the other two
speak of columns that such a table lacks and need a `through` model of their own.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from django.apps import apps
from django.core.exceptions import FieldDoesNotExist

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.apps.registry import Apps
    from django.db import models

OWN_PACKAGES = frozenset({"config", "annotation", "judging", "calibration"})


class GuardKind(StrEnum):
    """When the database refuses UPDATE and DELETE."""

    MUTABLE = "mutable"
    APPEND_ONLY = "append_only"
    APPEND_ONLY_EXCEPT = "append_only_except"
    FROZEN_WHEN = "frozen_when"


@dataclass(frozen=True)
class Guard:
    """A declaration that was read: the kind and the columns that it names."""

    kind: GuardKind
    columns: tuple[str, ...] = ()
    leaves_out_repeats: bool = False


class BadDeclaration(Exception):
    """A model declares no guard, or one that can't be read."""


def own_models(registry: Apps = apps) -> Iterator[type[models.Model]]:
    """Yield each model of the project that has a table, with M2M tables."""
    for model in registry.get_models(include_auto_created=True):
        meta = model._meta
        is_own = meta.app_config.name.split(".")[0] in OWN_PACKAGES
        if is_own and meta.managed and not meta.proxy:
            yield model


def guard_of(model: type[models.Model]) -> Guard:
    """Return the guard of a model; raises BadDeclaration."""
    owner: Any = model._meta.auto_created  # the model that has the M2M field, or False
    if not owner:
        return _read(model)
    guard = _read(owner)
    if guard.columns:
        raise BadDeclaration(
            f"{model._meta.label} belongs to a model whose guard is "
            f"{guard.kind.value}: give the field a through model of its own."
        )
    return guard


def _read(model: type[models.Model]) -> Guard:
    declaration = getattr(model, "guard", None)
    if not isinstance(declaration, str):
        raise BadDeclaration(f"{model._meta.label} declares no guard.")
    name, colon, rest = declaration.partition(":")
    try:
        kind = GuardKind(name)
    except ValueError:
        raise BadDeclaration(
            f"{model._meta.label} declares an unknown guard: {declaration}."
        ) from None
    fields = [field.strip() for field in rest.split(",")] if colon else []
    _require_count(model, kind, len(fields))
    columns = tuple(_column(model, field) for field in fields)
    return Guard(kind, columns, bool(getattr(model, "leaves_out_repeats", False)))


def _require_count(model: type[models.Model], kind: GuardKind, count: int) -> None:
    wanted = {
        GuardKind.APPEND_ONLY_EXCEPT: count >= 1,
        GuardKind.FROZEN_WHEN: count == 1,
    }.get(kind, count == 0)
    if not wanted:
        raise BadDeclaration(
            f"The guard {kind.value} of {model._meta.label} names {count} fields."
        )


def _column(model: type[models.Model], name: str) -> str:
    try:
        field = model._meta.get_field(name)
    except FieldDoesNotExist:
        field = None
    column = getattr(field, "column", None)
    if not isinstance(column, str) or getattr(field, "many_to_many", False):
        raise BadDeclaration(
            f"The guard of {model._meta.label} names {name}, which is no column."
        )
    return column
