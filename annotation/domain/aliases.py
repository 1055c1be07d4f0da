"""What people are called where nobody's name shows: R-7KQ2M, and so on.

A name follows from a person's own draw, which follows from the secret seed of the set.
So it is the same on every page, in the API, in files and in reports, and stays when
others join; neither a name nor the order of joining shows in it.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping

# Crockford's: no letter that could be read as another or as a digit.
DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
# Of 33 million codes: among 50 people two share one in 1 of 27,000 sets.
LENGTH = 5
Person = TypeVar("Person")


def names_of(draws: Mapping[Person, str]) -> dict[Person, str]:
    """The name of each person, by their draws; of two with one code one is longer."""
    found: dict[Person, str] = {}
    taken: set[str] = set()
    for person in sorted(draws, key=lambda each: draws[each]):
        code, length = _code(draws[person]), LENGTH
        while code[:length] in taken:
            length += 1
        taken.add(code[:length])
        found[person] = f"R-{code[:length]}"
    return found


def _code(draw: str) -> str:
    number = int(hashlib.sha256(draw.encode()).hexdigest(), 16)
    digits = []
    for _ in range(51):  # 5 bits each of the 256
        number, place = divmod(number, len(DIGITS))
        digits.append(DIGITS[place])
    return "".join(digits)
