"""Adjudication: rulings on a pair, chained so that a changed one shows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING

from annotation.domain.consensus import Settled
from annotation.domain.digests import digest_of
from annotation.domain.outcomes import Outcome
from annotation.domain.texts import says_something

if TYPE_CHECKING:
    from collections.abc import Sequence

    from annotation.domain.consensus import Consensus


class RulingCategory(StrEnum):
    """Why the adjudicator ruled as they did.

    The first five settle a dispute between reviewers. The last three say why gold that
    already stood was corrected (DESIGN rule 14).
    """

    REVIEWER_SLIP = "reviewer_slip"
    RUBRIC_GAP = "rubric_gap"
    GENUINELY_CLOSE = "genuinely_close"
    MISSING_EVIDENCE = "missing_evidence"
    BAD_CASE = "bad_case"
    GOLD_WRONG = "gold_wrong"
    RUBRIC_AMBIGUOUS = "rubric_ambiguous"
    LABEL_SLIP = "label_slip"

    @property
    def is_correction(self) -> bool:
        """Whether this category is for correcting gold that already stood."""
        return self in _CORRECTIONS


_CORRECTIONS = frozenset(
    {
        RulingCategory.GOLD_WRONG,
        RulingCategory.RUBRIC_AMBIGUOUS,
        RulingCategory.LABEL_SLIP,
    }
)


class GoldSource(StrEnum):
    """Where a pair's gold outcome came from."""

    CONSENSUS = "consensus"
    ADJUDICATION = "adjudication"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Ruling:
    """What one person ruled on one pair, and what the chain needs to prove it.

    ``category`` is a `RulingCategory` or a code of the gold set's own. ``author`` and
    ``guideline`` are stable names (login, guideline version or digest). ``at`` must
    carry a time zone. Raises ``ValueError`` for a note that says nothing, text that
    UTF-8 or a database cannot hold, no category, and a time without a zone.
    """

    pair: str
    outcome: Outcome
    category: str
    note: str
    author: str
    at: datetime
    guideline: str

    def __post_init__(self) -> None:
        problem = note_problem(self.note)
        if problem:
            raise ValueError(problem)
        if not self.category:
            raise ValueError("a ruling needs a category")
        if self.at.utcoffset() is None:
            raise ValueError("the time of a ruling needs a time zone")


@dataclass(frozen=True, slots=True)
class RulingLink:
    """A ruling in its pair's chain; ``previous`` is ``None`` for the first."""

    ruling: Ruling
    previous: str | None
    digest: str


@dataclass(frozen=True, slots=True)
class ChainProblem:
    """What is wrong with link ``link`` of a chain, counted from 1."""

    link: int
    reason: str

    def __str__(self) -> str:
        return f"link {self.link}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Gold:
    """A pair's gold outcome (``None`` while it has none) and where it came from."""

    outcome: Outcome | None
    source: GoldSource


def note_problem(note: str) -> str | None:
    """Say why ``note`` cannot stand beside a ruling; ``None`` when it can.

    A note needs at least one visible character: not only spaces, line ends or
    zero-width marks. It is kept as typed.
    """
    if not says_something(note):
        return "a ruling needs a note that says why"
    if "\x00" in note or any("\ud800" <= c <= "\udfff" for c in note):
        return "the note holds characters that cannot be stored"
    return None


def link_digest(ruling: Ruling, previous: str | None) -> str:
    """Digest that ties ``ruling`` to the link before it.

    The time is written in UTC with microseconds, so the digest does not depend on the
    time zone a database hands back.
    """
    return digest_of(
        {
            "previous": previous,
            "pair": ruling.pair,
            "outcome": Outcome(ruling.outcome).value,
            "category": str(ruling.category),
            "note": ruling.note,
            "author": ruling.author,
            "at": ruling.at.astimezone(UTC).isoformat(timespec="microseconds"),
            "guideline": ruling.guideline,
        }
    )


def next_link(ruling: Ruling, previous: RulingLink | None) -> RulingLink:
    """Append ``ruling`` behind ``previous`` (``None`` starts the pair's chain).

    Raises ``ValueError`` when the ruling is about another pair than the chain.
    """
    if previous is not None and previous.ruling.pair != ruling.pair:
        raise ValueError("a chain holds rulings on one pair")
    before = None if previous is None else previous.digest
    return RulingLink(ruling, before, link_digest(ruling, before))


def verify_chain(links: Sequence[RulingLink]) -> tuple[ChainProblem, ...]:
    """Recompute a pair's chain, oldest link first, and name every link that is off.

    A removed last link cannot show here; compare the last digest with a kept one.
    """
    problems = []
    if links and links[0].previous is not None:
        problems.append(ChainProblem(1, "the chain does not start here"))
    for number, link in enumerate(links, start=1):
        if link.digest != link_digest(link.ruling, link.previous):
            problems.append(ChainProblem(number, "its content does not fit its digest"))
    for number, (before, link) in enumerate(pairwise(links), start=2):
        if link.previous != before.digest:
            problems.append(ChainProblem(number, "it does not follow the link before"))
        if link.ruling.pair != before.ruling.pair:
            problems.append(ChainProblem(number, "it is about another pair"))
        if link.ruling.at < before.ruling.at:
            problems.append(ChainProblem(number, "it is older than the link before"))
    return tuple(sorted(problems, key=lambda problem: problem.link))


def gold_of(settled: Consensus, latest: Ruling | None) -> Gold:
    """Gold of a pair: its latest ruling, else its consensus, else none.

    A dispute without a ruling has no gold and is never a tie (DESIGN rule 3).
    """
    if latest is not None:
        return Gold(latest.outcome, GoldSource.ADJUDICATION)
    if isinstance(settled, Settled):
        return Gold(settled.outcome, GoldSource.CONSENSUS)
    return Gold(None, GoldSource.NONE)
