"""Which systems are compared, as people read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def comparisons_text(compared: Iterable[tuple[str, ...]]) -> str:
    """Pairs of systems (baseline, candidate) by name, as refusals list them."""
    return ", ".join(sorted(f"{one[1]} with {one[0]}" for one in compared))
