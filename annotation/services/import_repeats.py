"""Pairs of a file whose texts stand already, here or in another set, by any name."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from annotation.domain.outcomes import Split
from annotation.domain.same_texts import SIZE, single_digests
from annotation.models import LookPlan, Pair

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from annotation.domain.rows import Problems
    from annotation.models import GoldSet
    from annotation.services.import_checks import CaseNote

CHUNK = 1000
FIELD = "prompt, responses"
COLUMNS = (
    "texts_digest", "gold_set", "gold_set__name", "case__external_id", "case__split",
)  # fmt: skip
HELD_OUT, DEV = Split.HELD_OUT.value, Split.DEV.value


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a pair's texts stand already; ``line`` where it is in the same file."""

    case_id: str
    split: str
    gold_set: str = ""
    own: bool = True
    sealed: bool = False
    line: int | None = None

    @property
    def weight(self) -> tuple[bool, ...]:
        """The heavier, the more a lead has to know of it."""
        return self.sealed, self.split == HELD_OUT, self.split == DEV, self.own

    def __str__(self) -> str:
        name = f"case {self.case_id!r}"
        if self.line is not None:
            return f"{name} on line {self.line}"
        return f"{name} of this set" if self.own else f"{name} of {self.gold_set}"


def notice_repeats(
    fresh: Sequence[CaseNote], gold_set: GoldSet | None, problems: Problems
) -> None:
    """Say of new cases which of their pairs have texts that stand already.

    Such a pair is under the same seal, and looks at it count, wherever it goes. Only
    into the sealed set itself it can't come: in another split than its twin it would
    take the dev results with it. ``gold_set`` is None for a set that is to be made.
    """
    sealed = set(LookPlan.objects.sealing().values_list("gold_set", flat=True))
    own = gold_set.pk if gold_set else None
    before: dict[str, Standing] = {}
    stored = Pair.objects.exists()
    for notes in _chunks(fresh):
        digests = {digest for note in notes for digest in single_digests(note.texts)}
        found = _stored(digests, own, sealed) if stored else {}
        for note in notes:
            _notice(note, found, before, problems, sealed=own in sealed)


def _chunks(notes: Sequence[CaseNote]) -> Iterator[Sequence[CaseNote]]:
    """Cases with about as many pairs as one query asks for."""
    pairs = len(notes[0].texts) // SIZE if notes else 1
    size = max(1, CHUNK // max(1, pairs))
    return (notes[at : at + size] for at in range(0, len(notes), size))


def _stored(
    digests: set[str], own: int | None, sealed: set[int]
) -> Mapping[str, list[Standing]]:
    found: defaultdict[str, list[Standing]] = defaultdict(list)
    pairs = Pair.objects.filter(texts_digest__in=digests).order_by("pk")
    for digest, pk, name, case_id, split in pairs.values_list(*COLUMNS):
        hidden = pk in sealed and split == HELD_OUT
        found[digest].append(Standing(case_id, split, name, pk == own, hidden))
    return found


def _notice(
    note: CaseNote,
    found: Mapping[str, list[Standing]],
    before: dict[str, Standing],
    problems: Problems,
    *,
    sealed: bool,
) -> None:
    """Report the pairs of one case; ``sealed`` is whether its own set is."""
    mine = Standing(
        note.case_id,
        note.split,
        sealed=sealed and note.split == HELD_OUT,
        line=note.line,
    )
    said: dict[str, None] = {}
    for digest in single_digests(note.texts):
        earlier = before.setdefault(digest, mine)
        places = [*found.get(digest, ()), *([] if earlier is mine else [earlier])]
        if sealed and (torn := _torn(note, places)):
            problems.error(note.line, FIELD, _refusal(torn))
            return
        if places:
            said[_words(note, places)] = None
    for words in said:
        problems.notice(note.line, words)


def _torn(note: CaseNote, places: Sequence[Standing]) -> Standing | None:
    """A twin in the same set that is held out where this one isn't, or the reverse."""
    here = note.split == HELD_OUT
    own = (place for place in places if place.own)
    return next((place for place in own if (place.split == HELD_OUT) != here), None)


def _refusal(twin: Standing) -> str:
    return (
        f"are those of {twin}, and only one of the two is held out; the set is sealed, "
        "and results of the other would tell what is"
    )


def _words(note: CaseNote, places: Sequence[Standing]) -> str:
    first = max(places, key=lambda place: place.weight)
    more = len(places) - 1
    also = f" (and {more} more)" if more else ""
    texts = f"{FIELD}: those of case {note.case_id!r} stand already in {first}{also}"
    return f"{texts}{_meaning(note, first)}"


def _meaning(note: CaseNote, there: Standing) -> str:
    """What it means that the texts stand there too."""
    if there.sealed:
        return ", sealed: nothing is shown of them here either"
    if there.split == HELD_OUT and note.split == HELD_OUT:
        return ", held out as well: looks count for both"
    if there.split == HELD_OUT:
        return ", held out: a judge tuned on them here has seen what it is measured on"
    if there.split == DEV and note.split == HELD_OUT:
        return ", in dev: held out here they are no fresh material"
    return ""
