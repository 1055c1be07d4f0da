"""Writing cases, responses and pairs in batches, flagged and with their digests."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING

from annotation.domain.identity import NameScanner
from annotation.domain.pairs import pair_digest, pair_flags
from annotation.domain.records import (
    plain_text,
    text_digest_of,
    text_length,
    text_to_json,
)
from annotation.domain.same_texts import single_digests
from annotation.models import Case, GoldSet, Pair, Response, System
from annotation.services.identity_flags import IDENTITY_LEAK
from config.db.bulk import insert_all

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from annotation.domain.records import CaseRecord, Text
    from annotation.services.import_checks import CaseNote

BATCH = 1000


class CaseWriter:
    """Writes the new cases of a set; counts pairs and flags as it goes."""

    def __init__(self, gold_set: GoldSet) -> None:
        self.gold_set = gold_set
        self.systems = list(gold_set.systems.order_by("position"))
        self.scanner = NameScanner(
            name for s in self.systems for name in (s.name, *s.aliases)
        )
        self.names = {system.pk: system.name for system in self.systems}
        self.pairs = 0
        self.flagged = 0
        self.flags: Counter[str] = Counter()

    def write(self, records: Sequence[tuple[CaseRecord, CaseNote]]) -> None:
        """Write cases, each given with what was noted of it."""
        cases = [self._case(record, note.digest) for record, note in records]
        insert_all(cases)
        rows = [
            (record, case, self._responses(record, case), note.texts)
            for (record, note), case in zip(records, cases, strict=True)
        ]
        insert_all([response for row in rows for response in row[2]])
        pairs = [pair for row in rows for pair in self._pairs(*row)]
        insert_all(pairs)
        self.pairs += len(pairs)
        self.flagged += sum(1 for pair in pairs if pair.flags)
        self.flags.update(flag for pair in pairs for flag in pair.flags)

    def _case(self, record: CaseRecord, digest: str) -> Case:
        return Case(
            gold_set_id=self.gold_set.pk,
            external_id=record.case_id,
            prompt=text_to_json(record.prompt),
            context=_optional(record.context),
            reference=_optional(record.reference),
            slices=dict(record.slices),
            critical=record.critical,
            group=record.group or "",
            split=record.split.value if record.split else "",
            extra=dict(record.extra),
            digest=digest,
        )

    def _responses(self, record: CaseRecord, case: Case) -> list[Response]:
        return [
            _response(record, case, system)
            for system in self.systems
            if system.name in record.responses
        ]

    def _pairs(
        self,
        record: CaseRecord,
        case: Case,
        responses: Sequence[Response],
        texts: bytes,
    ) -> Iterable[Pair]:
        leaks = {r.system_id for r in responses if self._leaks(record, r)}
        # The systems' own order: of a pair, the earlier one is the baseline.
        both = zip(combinations(responses, 2), single_digests(texts), strict=True)
        for (baseline, candidate), digest in both:
            names = (self.names[baseline.system_id], self.names[candidate.system_id])
            designed = record.designed.get(names)
            hashes = (baseline.sha256, candidate.sha256)
            found = pair_flags(hashes, baseline.meta, candidate.meta)
            flags = [flag.value for flag in found]
            if leaks & {baseline.system_id, candidate.system_id}:
                flags.append(IDENTITY_LEAK)
            yield Pair(
                gold_set_id=self.gold_set.pk,
                case_id=case.pk,
                baseline_id=baseline.pk,
                candidate_id=candidate.pk,
                designed=designed.value if designed else "",
                flags=flags,
                digest=pair_digest(
                    case_id=record.case_id,
                    prompt=record.prompt,
                    context=record.context,
                    reference=record.reference,
                    systems=names,
                    responses=hashes,
                ),
                texts_digest=digest,
            )

    def _leaks(self, record: CaseRecord, response: Response) -> bool:
        text = record.responses[self.names[response.system_id]]
        return bool(self.scanner.scan(plain_text(text)))


def _optional(text: Text | None) -> object:
    return None if text is None else text_to_json(text)


def _response(record: CaseRecord, case: Case, system: System) -> Response:
    text = record.responses[system.name]
    return Response(
        case_id=case.pk,
        system_id=system.pk,
        text=text_to_json(text),
        sha256=text_digest_of(text),
        length=text_length(text),
        meta=dict(record.response_meta.get(system.name, {})),
    )
