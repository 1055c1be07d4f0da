"""Checks on cases: repeated, nearly alike, and apart from what belongs with them."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from annotation.domain.hygiene import Check, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from annotation.services.set_material import CaseRow, SetMaterial

FLAGGED = {
    "evidence_differs": (
        Check.EVIDENCE_DIFFERS,
        "the two responses rest on different evidence",
    ),
    "attempts_differ": (
        Check.ATTEMPTS_DIFFER,
        "the two responses took a different number of attempts",
    ),
}


def case_findings(material: SetMaterial) -> Iterator[Finding]:
    """Everything that shows without the responses' texts."""
    yield from _torn_groups(material)
    yield from _repeated(material)
    yield from _nearly_alike(material)
    yield from _flagged(material)


def _torn_groups(material: SetMaterial) -> Iterator[Finding]:
    groups: defaultdict[str, list[CaseRow]] = defaultdict(list)
    for case in material.cases:
        if case.group and case.split:
            groups[case.group].append(case)
    for group, cases in groups.items():
        if len({case.split for case in cases}) > 1:
            yield _finding(
                Check.SPLIT_LEAKS,
                material,
                cases,
                f"group {group!r} lies in both splits",
            )


def _repeated(material: SetMaterial) -> Iterator[Finding]:
    """The same prompt, context and reference under several ids."""
    same: defaultdict[str, list[CaseRow]] = defaultdict(list)
    for case in material.cases:
        same[case.content].append(case)
    for cases in same.values():
        if len(cases) > 1 and not _one_group(cases):
            check = Check.SPLIT_LEAKS if _apart(cases) else Check.REPEATED_CASES
            text = f"{len(cases)} cases with the same texts"
            yield _finding(check, material, cases, text)


def _nearly_alike(material: SetMaterial) -> Iterator[Finding]:
    for near in material.near:
        cases = [material.cases[near.one], material.cases[near.other]]
        if cases[0].content == cases[1].content or _one_group(cases):
            continue
        check = Check.SPLIT_LEAKS if _apart(cases) else Check.NEAR_DUPLICATES
        text = f"the prompts share {near.similarity:.0%} of their wording"
        yield _finding(check, material, cases, text)


def _flagged(material: SetMaterial) -> Iterator[Finding]:
    for case in material.cases:
        for pair in material.pairs.get(case.pk, ()):
            for flag in pair.flags:
                if flag in FLAGGED:
                    check, text = FLAGGED[flag]
                    yield Finding(check, (case.external_id,), (pair.pk,), text)


def _finding(
    check: Check, material: SetMaterial, cases: Sequence[CaseRow], text: str
) -> Finding:
    """All cases are named; acting on it sets aside the pairs of all but the first."""
    pairs = [pair.pk for case in cases[1:] for pair in material.pairs.get(case.pk, ())]
    if _apart(cases):
        text = f"{text}; in different splits"
    return Finding(check, tuple(case.external_id for case in cases), tuple(pairs), text)


def _apart(cases: Sequence[CaseRow]) -> bool:
    return len({case.split for case in cases if case.split}) > 1


def _one_group(cases: Sequence[CaseRow]) -> bool:
    """Cases that a group ties together are meant to be alike."""
    groups = {case.group for case in cases}
    return len(groups) == 1 and "" not in groups
