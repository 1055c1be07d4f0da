"""Where two documents first differ, named by the path to it."""

from __future__ import annotations

from dataclasses import dataclass
from math import isclose
from typing import Any

CLOSE = 1e-6
_BOUNDS = ("low", "high")


@dataclass(frozen=True, slots=True)
class Difference:
    """A place where the stored document says something else than follows."""

    path: str
    stored: object
    follows: object

    def __str__(self) -> str:
        return f"{self.path} is {_shown(self.stored)}; {_shown(self.follows)} follows"


@dataclass(frozen=True, slots=True)
class Missing:
    """A field that this version computes and the stored document does not have."""

    path: str


def differences(
    stored: object, follows: object, *, exact: bool = True, path: str = ""
) -> list[Difference | Missing]:
    """Give every place where two JSON documents differ, in reading order.

    Unless ``exact``, numbers may differ by rounding, and bounds of intervals that were
    drawn at random are left out: another version of numpy draws others.
    """
    if isinstance(stored, dict) and isinstance(follows, dict):
        return _objects(stored, follows, exact=exact, path=path)
    if isinstance(stored, list) and isinstance(follows, list):
        if len(stored) != len(follows):
            return [Difference(f"{path} (length)", len(stored), len(follows))]
        return [
            found
            for place, (one, other) in enumerate(zip(stored, follows, strict=True))
            for found in differences(one, other, exact=exact, path=f"{path}[{place}]")
        ]
    same = _same(stored, follows) or (not exact and _near(stored, follows))
    return [] if same else [Difference(path, stored, follows)]


def _objects(
    stored: dict[str, Any],
    follows: dict[str, Any],
    *,
    exact: bool,
    path: str,
) -> list[Difference | Missing]:
    found: list[Difference | Missing] = []
    drawn = not exact and "bootstrap" in str(follows.get("method") or "").lower()
    for key in sorted(stored.keys() | follows.keys()):
        at = f"{path}.{key}" if path else key
        if key not in stored:
            found.append(Missing(at))
        elif key not in follows:
            found.append(Difference(at, stored[key], "nothing"))
        elif not (drawn and key in _BOUNDS):
            found += differences(stored[key], follows[key], exact=exact, path=at)
    return found


def _same(one: object, other: object) -> bool:
    return type(one) is type(other) and one == other


def _near(one: object, other: object) -> bool:
    numbers = isinstance(one, int | float) and isinstance(other, int | float)
    return numbers and isclose(one, other, rel_tol=CLOSE, abs_tol=CLOSE)  # type: ignore[arg-type]  # numbers, see above


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."  # noqa: PLR2004 - one line
