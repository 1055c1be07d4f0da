"""The rows of a verdicts file: every bad one is named before anything is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotation.domain.answer_rows import iter_verdicts
from annotation.domain.readers.base import FileKind
from annotation.domain.rows import Problems
from annotation.models import Pair
from annotation.services.importing import refuse_if_bad
from annotation.services.importing_labels import pairs_by_key, unknown_case

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from annotation.domain.records import VerdictRecord
    from annotation.models import GoldSet
    from annotation.services.intake import Intake

    PairKey = tuple[str, str, str]

# The command's word for taking the stored choices, and that of the form and the API.
HOW = "--use-choice of the command; `stated` as verdict format on the page and by API"
LACKING = {
    "choice": f"missing, and the stored choices are to be taken ({HOW})",
    "raw": f"missing; of a file with parsed choices alone, take those ({HOW})",
}
ORDERS = 2


def key_of(record: VerdictRecord) -> PairKey:
    """The case and the two systems of a row."""
    return (record.case_id, *record.systems)


def read_rows(
    intake: Intake, gold_set: GoldSet, *, use_choice: bool
) -> tuple[list[VerdictRecord], dict[PairKey, Pair]]:
    """The verdicts and the pairs that they are about.

    Raises ``ImportRefused`` with every row that can't be read, that is about no pair of
    the set, or that lacks what is to be read from it.
    """
    problems, systems = Problems(), gold_set.system_names()
    rows = intake.rows(FileKind.VERDICTS, systems, problems)
    records = list(iter_verdicts(rows, systems, problems))
    keys = pairs_by_key(gold_set)
    field = "choice" if use_choice else "raw"
    for record in records:
        if key_of(record) not in keys:
            error = unknown_case(record.line, record.case_id)
            problems.error(error.line, error.field, error.reason)
        if getattr(record, field) is None:
            problems.error(record.line, field, LACKING[field])
    _count_from_1(records, problems)
    refuse_if_bad(problems)
    own = Pair.objects.filter(gold_set=gold_set)
    by_pk = {p.pk: p for p in own.select_related("baseline", "candidate")}
    return records, {key: by_pk[pk] for key, pk in keys.items()}


def _count_from_1(records: Sequence[VerdictRecord], problems: Problems) -> None:
    """Repeats that begin higher would all be taken as following some that are lost."""
    if records and all(record.repeat > 1 for record in records):
        first = records[0]
        reason = f"{first.repeat}, and no row of the file has 1: count repeats from 1"
        problems.error(first.line, "repeat", reason)


def calls_missing(
    records: Sequence[VerdictRecord],
    pairs: Mapping[PairKey, Pair],
    repeats: int,
) -> int:
    """How many calls of the judged pairs, in both orders, the file does not hold."""
    judged = {pairs[key_of(record)].pk for record in records}
    return len(judged) * ORDERS * repeats - len(records)
