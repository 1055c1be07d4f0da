"""What identifies a pair, and what makes its two responses hard to compare."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from annotation.domain.digests import digest_of
from annotation.domain.texts import Text, text_to_json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class PairFlag(StrEnum):
    """Why a lead should look at a pair before it is labelled."""

    EVIDENCE_DIFFERS = "evidence_differs"
    ATTEMPTS_DIFFER = "attempts_differ"
    IDENTICAL_RESPONSES = "identical_responses"


def pair_digest(
    *,
    case_id: str,
    prompt: Text,
    context: Text | None,
    reference: Text | None,
    systems: Sequence[str],
    responses: Sequence[str],
) -> str:
    """Digest of a pair: its case's texts, its systems, its responses' digests.

    ``systems`` and ``responses`` (from ``text_digest_of``) are both baseline first.
    Slices, split and designed outcome are left out, so that the same material is known
    again under another set (DESIGN rule 15).
    """
    return digest_of(
        {
            "case_id": case_id,
            "prompt": text_to_json(prompt),
            "context": None if context is None else text_to_json(context),
            "reference": None if reference is None else text_to_json(reference),
            "systems": list(systems),
            "responses": list(responses),
        }
    )


def pair_flags(
    responses: Sequence[str],
    baseline: Mapping[str, object],
    candidate: Mapping[str, object],
) -> tuple[PairFlag, ...]:
    """Flag a pair by its responses' digests and their metadata.

    Evidence counts as different when either side names a digest the other lacks.
    Source: DESIGN, pairs file.
    """
    flags = []
    if baseline.get("evidence_sha256") != candidate.get("evidence_sha256"):
        flags.append(PairFlag.EVIDENCE_DIFFERS)
    if baseline.get("attempts") != candidate.get("attempts"):
        flags.append(PairFlag.ATTEMPTS_DIFFER)
    if responses[0] == responses[1]:
        flags.append(PairFlag.IDENTICAL_RESPONSES)
    return tuple(flags)
