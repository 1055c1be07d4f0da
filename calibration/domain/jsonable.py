"""The report JSON: dataclass fields become keys, in their order; nothing is rounded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from math import isfinite
from typing import TYPE_CHECKING, Any

from annotation.domain.estimates import Estimate, Undefined

if TYPE_CHECKING:
    from annotation.domain.estimates import Figure
    from calibration.domain.results import Splits

Json = dict[str, Any] | list[Any] | str | int | float | bool | None
NOT_FINITE = "not a finite number"


def splits_json(splits: Splits) -> dict[str, Any]:
    """Give ``splits`` of the report JSON: plain dicts, lists, strings and numbers."""
    return {f.name: jsonable(getattr(splits, f.name)) for f in fields(splits)}


def jsonable(value: Any) -> Json:
    """Turn a result into plain JSON values, with no NaN and no infinity.

    Raises ``TypeError`` for anything that is no result.
    """
    if isinstance(value, Estimate | Undefined):
        return figure_json(value)
    if isinstance(value, Enum):
        return jsonable(value.value)
    if isinstance(value, float):
        return value if isfinite(value) else None
    if value is None or isinstance(value, bool | int | str):
        return value
    return _compound(value)


def figure_json(figure: Figure) -> dict[str, Any]:
    """Give the estimate object: every key always there, ``undefined`` the reason.

    ``design_effect`` is added only where it is not 1. A value that is not finite comes
    out as undefined rather than as broken JSON.
    """
    if isinstance(figure, Undefined):
        return _undefined_json(figure.reason, figure)
    if not isfinite(figure.value):
        return _undefined_json(NOT_FINITE, figure)
    found = {
        "value": figure.value,
        "numerator": figure.numerator,
        "denominator": figure.denominator,
        "low": jsonable(figure.low),
        "high": jsonable(figure.high),
        "level": figure.level,
        "method": figure.method,
        "undefined": None,
    }
    if figure.design_effect != 1:
        found["design_effect"] = jsonable(figure.design_effect)
    return found


def _undefined_json(reason: str, figure: Figure) -> dict[str, Any]:
    return {
        "value": None,
        "numerator": figure.numerator,
        "denominator": figure.denominator,
        "low": None,
        "high": None,
        "level": None,
        "method": None,
        "undefined": reason,
    }


def _compound(value: Any) -> Json:
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: jsonable(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): jsonable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [jsonable(item) for item in value]
    msg = f"not a result: {type(value).__name__}"
    raise TypeError(msg)
