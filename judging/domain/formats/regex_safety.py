r"""Which regular expressions may be declared: those that cannot run away.

The standard matcher backtracks, so a careless pattern can take hours on one reply, and
nothing interrupts it. A pattern is accepted only if the steps that a match attempt can
take from any one place are few, whatever the text: no repeat inside a repeat, an upper
limit on every repeat (``\s{0,20}``, not ``\s*``), and a bound on the product of all
choices. Possessive repeats (``\s{0,20}+``) are never taken back and multiply nothing.
"""

from __future__ import annotations

import re
import warnings
from functools import lru_cache

# The parser of the standard library; it has no public name since Python 3.11.
from re import _constants as ops  # type: ignore[attr-defined]  # private, see above
from re import _parser  # type: ignore[attr-defined]  # private, see above
from typing import Any, NamedTuple

MAX_PATTERN = 1_000
MAX_REPEAT = 200
MAX_STEPS = 10_000


class UnsafePattern(ValueError):
    """A pattern that is broken, or could take too long; the message says where."""


class _Cost(NamedTuple):
    """Bounds for one place: the ways to match there, and the steps to try them all."""

    ways: int
    steps: int


@lru_cache(maxsize=64)
def checked(pattern: str, *, ignore_case: bool) -> re.Pattern[str]:
    """Compile a pattern, or raise :class:`UnsafePattern` naming what to change."""
    if len(pattern) > MAX_PATTERN:
        raise UnsafePattern(f"longer than {MAX_PATTERN} characters")
    flags = re.IGNORECASE if ignore_case else 0
    try:
        with warnings.catch_warnings():  # such as for an unescaped [[A]]
            warnings.simplefilter("error")
            compiled = re.compile(pattern, flags)
            parsed = _parser.parse(pattern, flags)
    except (re.error, Warning, OverflowError, RecursionError) as error:
        raise UnsafePattern(f"no clear regular expression: {error}") from error
    if parsed.getwidth()[0] < 1:
        raise UnsafePattern("matches an empty text, so it would match anywhere")
    steps = _sequence(parsed).steps
    if steps > MAX_STEPS:
        raise UnsafePattern(
            f"could take {steps} steps at one place, at most {MAX_STEPS}: lower the "
            r"limits of repeats, or make them possessive, as in \s{0,20}+"
        )
    return compiled


def _sequence(elements: Any) -> _Cost:
    ways, steps = 1, 0
    for op, argument in elements:
        cost = _element(op, argument)
        steps += ways * cost.steps
        ways *= cost.ways
    return _Cost(ways, steps)


def _element(op: Any, argument: Any) -> _Cost:
    if op in _SINGLE:
        return _Cost(1, 1)
    if op is ops.BRANCH:
        costs = [_sequence(each) for each in argument[1]]
        return _Cost(sum(c.ways for c in costs), sum(c.steps for c in costs) + 1)
    if op is ops.SUBPATTERN:
        return _sequence(argument[-1])
    if op is ops.ATOMIC_GROUP:
        return _Cost(1, _sequence(argument).steps)
    if op in (ops.ASSERT, ops.ASSERT_NOT):
        return _Cost(1, _sequence(argument[1]).steps + 1)
    if op in _REPEATS:
        return _repeat(op, *argument)
    raise UnsafePattern("back references and conditions are not taken")


def _repeat(op: Any, fewest: int, most: int, body: Any) -> _Cost:
    inner = _sequence(body)
    if most <= 1:
        ways, steps = 1 + inner.ways, 1 + inner.steps
    elif not _is_fixed(body):
        raise UnsafePattern("a repeated group may hold no repeat and no alternatives")
    elif most > MAX_REPEAT:
        raise UnsafePattern(
            f"every repeat needs an upper limit of at most {MAX_REPEAT}: write "
            r"\s{0,20} for \s*, [^\n]{1,80} for .+"
        )
    else:
        ways, steps = most - fewest + 1, most * inner.steps + 1
    return _Cost(1 if op is ops.POSSESSIVE_REPEAT else ways, steps)


def _is_fixed(body: Any) -> bool:
    """Whether a body matches in one way only."""
    return all(
        op in _SINGLE or (op is ops.SUBPATTERN and _is_fixed(argument[-1]))
        for op, argument in body
    )


_SINGLE = frozenset(
    {ops.LITERAL, ops.NOT_LITERAL, ops.ANY, ops.IN, ops.CATEGORY, ops.AT}
)
_REPEATS = frozenset({ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT})
