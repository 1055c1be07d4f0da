"""Cases of a release run that are not independent, though their ids say so.

Whoever imports a case twice under another id would get two clusters of it, and with
enough copies any bound. So cases with the same input (prompt and context) are one
cluster, as those of one group are; and of cases with the same prompt and the same two
responses only the first counts as a case.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from annotation.domain.digests import text_digest
from annotation.domain.same_texts import combined, text_mark

if TYPE_CHECKING:
    from collections.abc import Iterable

    from annotation.domain.texts import Text


@dataclass(frozen=True, slots=True)
class CaseTexts:
    """A judged case: its group or itself as cluster, and digests of its texts."""

    case: str
    cluster: str
    input: str
    texts: str


@dataclass(frozen=True, slots=True)
class Standing:
    """Which cluster a case is in, and the earlier case whose texts it repeats."""

    cluster: str
    copy_of: str | None


def case_texts(
    case: str,
    cluster: str,
    prompt: Text,
    context: Text | None,
    responses: tuple[tuple[Text, str], tuple[Text, str]],
) -> CaseTexts:
    """Take the texts of a case together; each response comes with its digest."""
    asked = text_mark(prompt)
    around = "" if context is None else text_mark(context)
    marks = (text_mark(text, digest) for text, digest in responses)
    return CaseTexts(
        case, cluster, text_digest(f"{asked}\n{around}"), combined(asked, *marks)
    )


def standings(cases: Iterable[CaseTexts]) -> dict[str, Standing]:
    """Join what belongs together; the first case in order gives the name.

    Joining goes on: a group with a copy of a case of another group is one cluster with
    that.
    """
    found = list(cases)
    joined = _Joined()
    for one in found:
        joined.join(one.cluster, f"input:{one.input}")
        joined.join(one.cluster, f"texts:{one.texts}")
    names: dict[str, str] = {}
    firsts: dict[str, str] = {}
    standing = {}
    for one in found:
        cluster = names.setdefault(joined.root(one.cluster), one.cluster)
        first = firsts.setdefault(one.texts, one.case)
        standing[one.case] = Standing(cluster, None if first == one.case else first)
    return standing


class _Joined:
    """Sets that are joined two by two."""

    def __init__(self) -> None:
        self._above: dict[str, str] = {}

    def root(self, name: str) -> str:
        """Give the one name that stands for a set."""
        path = []
        while (above := self._above.get(name, name)) != name:
            path.append(name)
            name = above
        self._above.update(dict.fromkeys(path, name))
        return name

    def join(self, one: str, other: str) -> None:
        """Make one set of two."""
        self._above[self.root(other)] = self.root(one)
