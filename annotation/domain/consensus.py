"""From the labels of one pair to its gold outcome, by the set's declared rule."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from annotation.domain.agreement import pair_agreement
from annotation.domain.outcomes import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    # Of the people of ours the first part, of outside ones the second.
    Author = tuple[int | str | None, str]


class ConsensusRule(StrEnum):
    """How labels settle a pair. Part of the gold set's contract.

    ``mode_or_tie`` takes the most frequent outcome and calls a shared first place a
    tie, however many labels there are. It exists to reproduce published sets only:
    it turns disagreement into a tie, which the other rules never do.
    """

    MAJORITY_ELSE_ADJUDICATE = "majority_else_adjudicate"
    UNANIMOUS_ELSE_ADJUDICATE = "unanimous_else_adjudicate"
    MODE_OR_TIE = "mode_or_tie"


class OpenReason(StrEnum):
    """Why a pair has no gold from its labels."""

    NO_LABELS = "no_labels"
    TOO_FEW_LABELS = "too_few_labels"
    DISPUTED = "disputed"


@dataclass(frozen=True, slots=True)
class Settled:
    """The labels settle the pair: ``support`` of its ``of`` labels say ``outcome``.

    Under ``mode_or_tie`` a tie may have less support than the outcomes it stands for,
    even none.
    """

    outcome: Outcome
    support: int
    of: int


@dataclass(frozen=True, slots=True)
class Open:
    """The labels leave the pair without gold.

    ``agreement`` is the share of its pairs of labels that agree (``None`` below two
    labels): disputed pairs with the lowest come first in the adjudication queue.
    """

    reason: OpenReason
    of: int
    agreement: float | None


Consensus = Settled | Open


def votes_among(labels: Iterable[tuple[Author, Outcome]], wanted: int) -> list[Outcome]:
    """What counts of the labels of one pair, given in the order in which they came.

    Each person has one vote, the newest. Labels of our own people were asked for by
    rounds and all count; outside ones fill up what is ``wanted``, the earliest first,
    however many a file brings (DESIGN rule 10). Planned repeats are not to be given.
    """
    newest: dict[Author, Outcome] = {}
    for author, outcome in labels:
        newest.pop(author, None)
        newest[author] = outcome
    ours = [said for author, said in newest.items() if author[0] is not None]
    outside = [said for author, said in newest.items() if author[0] is None]
    return ours + outside[: max(0, wanted - len(ours))]


def surplus_notes(wanted: int, surplus: int) -> tuple[str, ...]:
    """Say how many outside labels count for nothing, and why; nothing for none."""
    if not surplus:
        return ()
    labels = f"{surplus} outside labels settle"
    if surplus == 1:
        labels = "1 outside label settles"
    wants = "1 label" if wanted == 1 else f"{wanted} labels"
    note = (
        f"{labels} nothing: the set wants {wants} of each pair, and those pairs have "
        "them without these. Labels of the set's own rounds come first, then outside "
        "ones in the order in which they came."
    )
    return (note,)


def consensus(
    outcomes: Sequence[Outcome], rule: ConsensusRule, wanted: int
) -> Consensus:
    """Apply ``rule`` to the labels of one pair, of which ``wanted`` were asked for.

    Abstain is an answer like the others. With fewer labels than wanted the pair stays
    open, except under ``mode_or_tie``. Source: DESIGN rule 3. Raises ``ValueError``
    for a wanted number below 1 or a value that is no outcome or rule.
    """
    if wanted < 1:
        raise ValueError("at least one label must be wanted")
    rule = ConsensusRule(rule)
    counts = Counter(Outcome(outcome) for outcome in outcomes)
    if not counts:
        return Open(OpenReason.NO_LABELS, 0, None)
    if rule is ConsensusRule.MODE_OR_TIE:
        return _mode_or_tie(counts)
    of, agreement = counts.total(), pair_agreement(outcomes)
    if of < wanted:
        return Open(OpenReason.TOO_FEW_LABELS, of, agreement)
    outcome, support = counts.most_common(1)[0]
    if support >= _needed(rule, of):
        return Settled(outcome, support, of)
    return Open(OpenReason.DISPUTED, of, agreement)


def _needed(rule: ConsensusRule, labels: int) -> int:
    if rule is ConsensusRule.UNANIMOUS_ELSE_ADJUDICATE:
        return labels
    return labels // 2 + 1


def _mode_or_tie(counts: Counter[Outcome]) -> Settled:
    top = max(counts.values())
    modes = [outcome for outcome, count in counts.items() if count == top]
    outcome = modes[0] if len(modes) == 1 else Outcome.TIE
    return Settled(outcome, counts[outcome], counts.total())
