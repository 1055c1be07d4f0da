"""Texts that every reviewer reads and that name a system (DESIGN rules 6 and 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotation.domain.identity import NameScanner

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def told_names(texts: Mapping[str, str], names: Iterable[str]) -> tuple[str, ...]:
    """One sentence for each text that names a system, in the order given.

    Args:
        texts: What reviewers read, by what it is, such as "the title".
        names: Names and aliases of the systems, found as `NameScanner` finds them.
    """
    scanner = NameScanner(names)
    found = []
    for what, text in texts.items():
        named = dict.fromkeys(hit.name for hit in scanner.scan(text))
        if named:
            systems = ", ".join(named)
            found.append(
                f"Reviewers read {what}, and it names {systems}: who labels blind "
                "should not read the systems' names."
            )
    return tuple(found)
