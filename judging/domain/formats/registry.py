"""All verdict formats by name."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from judging.domain.formats.choice_123 import CHOICE_123
from judging.domain.formats.five_token import FIVE_TOKEN
from judging.domain.formats.json_winner import JSON_WINNER

if TYPE_CHECKING:
    from collections.abc import Mapping

    from judging.domain.formats.base import VerdictFormat

FORMATS: Mapping[str, VerdictFormat] = MappingProxyType(
    {each.name: each for each in (FIVE_TOKEN, JSON_WINNER, CHOICE_123)}
)


class UnknownFormat(ValueError):
    """No verdict format has this name."""


def get_format(name: str) -> VerdictFormat:
    """Give the format of that name; raises ``UnknownFormat`` naming those there are."""
    try:
        return FORMATS[name]
    except KeyError:
        known = ", ".join(sorted(FORMATS))
        msg = f"unknown verdict format {name!r}; there are {known}"
        raise UnknownFormat(msg) from None
