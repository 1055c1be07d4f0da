"""What the checks of a set read of its cases and pairs, without keeping long texts."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from annotation.domain.digests import digest_of
from annotation.domain.near import NearPair, near_duplicates
from annotation.domain.scripts import Script, script_of
from annotation.domain.texts import plain_text
from annotation.models import Pair, SetAside
from annotation.services.splitting import splits_digest
from annotation.services.stored_texts import read_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from annotation.models import GoldSet

AT_ONCE = 500
LANGUAGE = "language"
NAMES = ("baseline__system__name", "candidate__system__name")


class CaseRow(NamedTuple):
    """A case without its texts; ``content`` is the digest of what reviewers see."""

    pk: int
    external_id: str
    split: str
    group: str
    language: str
    script: Script | None
    content: str


class PairRow(NamedTuple):
    """A pair without its texts."""

    pk: int
    systems: tuple[str, str]
    designed: str
    flags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SetMaterial:
    """The cases with a pair in use, these pairs, and which prompts are nearly alike.

    ``near`` names cases by their place in ``cases``, which are in row order.
    """

    cases: Sequence[CaseRow]
    pairs: Mapping[int, Sequence[PairRow]]
    near: Sequence[NearPair]
    set_aside: int
    splits_digest: str

    @property
    def pair_count(self) -> int:
        """How many pairs were looked at."""
        return sum(map(len, self.pairs.values()))


@dataclass
class _Reader:
    """Reads the cases once, handing their prompts on as it goes."""

    gold_set: GoldSet
    wanted: Mapping[int, Sequence[PairRow]]
    rows: list[CaseRow] = field(default_factory=list)

    def prompts(self) -> Iterator[str]:
        cases = self.gold_set.cases.order_by("pk").iterator(chunk_size=AT_ONCE)
        for case in cases:
            if case.pk not in self.wanted:
                continue
            prompt = plain_text(read_text(case.prompt))
            self.rows.append(
                CaseRow(
                    pk=case.pk,
                    external_id=case.external_id,
                    split=case.split,
                    group=case.group,
                    language=str(case.slices.get(LANGUAGE, "")),
                    script=script_of(prompt),
                    content=digest_of([case.prompt, case.context, case.reference]),
                )
            )
            yield prompt


def read_material(gold_set: GoldSet) -> SetMaterial:
    """Read a set for its checks; pairs that were set aside are only counted."""
    pairs = _pairs(gold_set)
    reader = _Reader(gold_set, pairs)
    aside = SetAside.objects.in_force().filter(pair__gold_set=gold_set).count()
    splits = splits_digest(gold_set.cases.values_list("external_id", "split"))
    near = near_duplicates(reader.prompts())
    return SetMaterial(reader.rows, pairs, near, aside, splits)


def _pairs(gold_set: GoldSet) -> Mapping[int, Sequence[PairRow]]:
    found: defaultdict[int, list[PairRow]] = defaultdict(list)
    rows = Pair.objects.filter(gold_set=gold_set).usable().in_order()
    columns = ("pk", "case_id", *NAMES, "designed", "flags")
    for pk, case, one, two, designed, flags in rows.values_list(*columns).iterator():
        found[case].append(PairRow(pk, (one, two), designed, tuple(flags)))
    return found
