"""Values of options as commands take them: a bad one ends with exit code 2."""

from __future__ import annotations

from argparse import ArgumentTypeError
from decimal import Decimal, InvalidOperation
from math import isfinite
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def whole(least: int, most: int | None = None) -> Callable[[str], int]:
    """The type of a whole number from `least` to `most`."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            raise ArgumentTypeError(f"{text!r} is no whole number") from None
        _refuse_outside(number, least, most)
        return number

    return read


def number(least: float, most: float | None = None) -> Callable[[str], float]:
    """The type of a number from `least` to `most`, such as a share from 0 to 1."""

    def read(text: str) -> float:
        try:
            found = float(text)
        except ValueError:
            found = float("nan")
        if not isfinite(found):
            raise ArgumentTypeError(f"{text!r} is no number")
        _refuse_outside(found, least, most)
        return found

    return read


def amount(text: str) -> Decimal:
    """An amount of money: 0 or more."""
    try:
        found = Decimal(text)
    except InvalidOperation:
        found = Decimal("NaN")
    if not found.is_finite():
        raise ArgumentTypeError(f"{text!r} is no amount")
    _refuse_outside(found, 0, None)
    return found


def key_value(form: str = "KEY=VALUE") -> Callable[[str], str]:
    """The type of a text of two parts, named as people are told to write them."""

    def read(text: str) -> str:
        key, _, value = (part.strip() for part in text.partition("="))
        if not key or not value:
            raise ArgumentTypeError(f"{text!r}: write it as {form}")
        return text

    return read


def _refuse_outside(found: float | Decimal, least: float, most: float | None) -> None:
    if found < least or (most is not None and found > most):
        bounds = f"{least} or more" if most is None else f"{least} to {most}"
        raise ArgumentTypeError(f"must be {bounds}, not {found}")


def inner_share(text: str) -> float:
    """A share of which something is left on both sides."""
    share = number(0, 1)(text)
    if share in (0, 1):
        raise ArgumentTypeError(f"must be between 0 and 1, not {share}")
    return share
