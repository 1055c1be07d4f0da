"""What a round was opened without, in sentences that all interfaces say alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

SEALED = "sealed, so that it is not told which of such pairs have gold or are disputed"


def shortfalls(facts: Mapping[str, object]) -> tuple[str, ...]:
    """What was left out of a round, or was asked for and not there, one a sentence.

    ``facts`` are kept with the round; older ones may lack some.
    """
    found = (
        _fewer(facts, "sample", "sample_taken", "pairs meet the conditions"),
        _fewer(facts, "designed_wanted", "designed", "designed pairs are to be had"),
        _left_out(facts, "set_aside", "set aside after the checks"),
        _left_out(facts, "under_adjudication", "before an adjudicator now"),
        _left_out(facts, "sealed", SEALED),
        *label_notes(facts),
        *check_notes(facts),
        *name_notes(facts),
    )
    return tuple(note for note in found if note)


def label_facts(*, wanted: int, asked: int, people: int) -> dict[str, object]:
    """What keeps a round from bringing the labels that its set wants of a pair.

    ``people`` belong to the round when it is opened; none is told of elsewhere.
    """
    found: dict[str, object] = {}
    if asked < wanted:
        found |= {"labels_asked": asked, "labels_wanted": wanted}
    if 0 < people < asked:
        found |= {"labels_asked": asked, "people": people}
    return found


def label_notes(facts: Mapping[str, object]) -> tuple[str, ...]:
    """What becomes of pairs for which a round brings too few labels, in sentences."""
    asked, wanted = facts.get("labels_asked"), facts.get("labels_wanted")
    people, found = facts.get("people"), []
    if isinstance(asked, int) and isinstance(wanted, int):
        found.append(
            f"The round asks {_labels(asked)} of each pair, and the set wants "
            f"{wanted}: a pair that gets no others stays open with too few labels, and "
            "goes to no adjudicator even where its labels disagree."
        )
    if isinstance(asked, int) and isinstance(people, int):
        belonged = "1 person belongs" if people == 1 else f"{people} people belong"
        found.append(
            f"{belonged} to it as it opens, and each labels a pair once: "
            f"{_labels(asked)} of each pair need as many people."
        )
    return tuple(found)


def _labels(count: int) -> str:
    return "1 label" if count == 1 else f"{count} labels"


def check_notes(facts: Mapping[str, object]) -> tuple[str, ...]:
    """What the checks of the set left to settle before a round, in sentences."""
    found = []
    if facts.get("unchecked"):
        found.append("The checks of the set have not been run before this round.")
    checks, findings = facts.get("checks_to_settle"), facts.get("findings_to_settle")
    if isinstance(checks, int) and checks:
        some = "1 check has" if checks == 1 else f"{checks} checks have"
        what = "1 finding" if findings == 1 else f"{findings} findings"
        found.append(f"{some} {what} to settle first.")
    if facts.get("checks_stale"):
        found.append("The set was changed after its checks were run.")
    return tuple(found)


def name_notes(facts: Mapping[str, object]) -> tuple[str, ...]:
    """What reviewers were to read that named a system as the round was opened."""
    told = facts.get("names_told")
    return tuple(map(str, told)) if isinstance(told, list) else ()


def _fewer(facts: Mapping[str, object], asked: str, taken: str, what: str) -> str:
    wanted, got = facts.get(asked), facts.get(taken)
    if not isinstance(wanted, int) or not isinstance(got, int) or got >= wanted:
        return ""
    return f"{got} of {wanted} asked for were taken: no more {what}."


def _left_out(facts: Mapping[str, object], name: str, why: str) -> str:
    count = facts.get(name)
    if not isinstance(count, int) or not count:
        return ""
    some = "1 pair is" if count == 1 else f"{count} pairs are"
    return f"{some} left out: {why}."
