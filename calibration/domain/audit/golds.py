"""Following the chains of rulings, and working gold out again from labels and them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from annotation.domain.consensus import (
    ConsensusRule,
    Settled,
    consensus,
    votes_among,
)
from annotation.domain.digests import digest_of
from annotation.domain.rulings import (
    GoldSource,
    Ruling,
    RulingLink,
    verify_chain,
)
from calibration.domain.audit.layout import MANIFEST, ruling_head, table_file

if TYPE_CHECKING:
    from datetime import datetime

    from annotation.domain.outcomes import Outcome
    from calibration.domain.audit.findings import Findings
    from calibration.domain.audit.layout import Manifest
    from calibration.domain.audit.material import (
        ItemRow,
        Material,
        RulingRow,
        VersionRow,
    )

RULINGS = table_file("adjudications")
ITEMS = table_file("gold_items")
VERSIONS = table_file("gold_versions")
MOST_WANTED = 5


def check_rulings(material: Material, manifest: Manifest, findings: Findings) -> None:
    """Follow every pair's chain, and compare the newest rulings with the manifest."""
    newest: dict[str, dict[str, str]] = {name: {} for name in material.sets}
    for number, rulings in material.rulings.items():
        pair = material.pairs[number]
        _check_chain(pair.digest, rulings, material, findings)
        _check_replaced(number, rulings, material, findings)
        newest[pair.case.gold_set][pair.digest] = rulings[-1].digest
        findings.counts["rulings"] += len(rulings)
    for name, digests in newest.items():
        if manifest.heads.get(name) != ruling_head(digests):
            what = f"the newest rulings of {name} are not those that it names"
            findings.add(MANIFEST, None, what)
    for name in manifest.heads.keys() - newest.keys():
        findings.add(MANIFEST, None, f"it names rulings of {name}, which is not there")


def _check_chain(
    digest: str, rulings: list[RulingRow], material: Material, findings: Findings
) -> None:
    links = []
    for place, ruling in enumerate(rulings, start=1):
        raw = ruling.raw
        if raw.get("sequence") != place:
            what = f"it is ruling {raw.get('sequence')} of its pair in place {place}"
            findings.add(RULINGS, ruling.row, what)
        if raw.get("guideline") and raw["guideline"] not in material.guidelines:
            findings.add(RULINGS, ruling.row, "its guideline is not in the bundle")
        try:
            links.append(_link(digest, ruling))
        except (KeyError, TypeError, ValueError) as error:
            findings.add(RULINGS, ruling.row, f"it can't be read: {error}")
            return
    for problem in verify_chain(links):
        row = rulings[problem.link - 1].row
        findings.add(RULINGS, row, f"in the chain of its pair, {problem.reason}")


def _link(pair: str, ruling: RulingRow) -> RulingLink:
    raw = ruling.raw
    said = Ruling(
        pair=pair,
        outcome=ruling.outcome,
        category=str(raw["category"]),
        note=raw["note"],
        author=raw["adjudicator"],
        at=ruling.at,
        guideline=raw["guideline"] or "",
    )
    return RulingLink(said, raw["previous_digest"] or None, ruling.digest)


def _check_replaced(
    pair: int, rulings: list[RulingRow], material: Material, findings: Findings
) -> None:
    """What a ruling replaced is the one before, or what the labels settled."""
    gold_set = material.sets[material.pairs[pair].case.gold_set]
    labels = labels_at(material, pair, rulings[0].at, gold_set.wanted)
    standing = settled(labels, gold_set.rule, gold_set.wanted)
    for ruling in rulings:
        said = ruling.raw.get("replaced")
        if said != (standing.value if standing else None):
            findings.add(RULINGS, ruling.row, "it replaced something else than it says")
        standing = ruling.outcome


def labels_at(
    material: Material, pair: int, at: datetime, wanted: int
) -> list[Outcome]:
    """Give the votes on a pair at a time, were so many labels wanted of it."""
    labels = material.labels.get(pair, ())
    given = ((label.author, label.outcome) for label in labels if label.at <= at)
    return sorted(votes_among(given, wanted))


def settled(labels: list[Outcome], rule: str, wanted: int) -> Outcome | None:
    """Give what labels settle by a rule; ``None`` where they leave it open."""
    found = consensus(labels, ConsensusRule(rule), wanted)
    return found.outcome if isinstance(found, Settled) else None


def check_gold(material: Material, findings: Findings) -> None:
    """Work out every gold version again, and its digest."""
    for version in material.versions.values():
        items = material.items.get(version.number, [])
        _check_counts(version, items, findings)
        whole = not material.dev_only  # a digest is over all pairs
        if whole and _digest(version, items) != version.digest:
            what = f"gold version {version.version}: its pairs do not fit its digest"
            findings.add(VERSIONS, None, what)
        wrong = {w: _wrong(version, items, material, w) for w in _tries(version)}
        wanted = min(wrong, key=lambda w: (len(wrong[w]), w != version.gold_set.wanted))
        material.wanted[version.number] = wanted
        for item, what in wrong[wanted]:
            findings.add(ITEMS, item.row, what)
        findings.counts["gold pairs"] += len(items)


def _tries(version: VersionRow) -> tuple[int, ...]:
    """How many labels may have been wanted: a lead may have changed it since."""
    own = version.gold_set.wanted
    return (own, *(n for n in range(1, MOST_WANTED + 1) if n != own))


def _check_counts(
    version: VersionRow, items: list[ItemRow], findings: Findings
) -> None:
    still_open = sum(item.outcome is None for item in items)
    if (len(items), still_open) != (version.pairs, version.left_open):
        what = (
            f"gold version {version.version} has {version.pairs} pairs, "
            f"{version.left_open} of them open; {len(items)} and {still_open} are there"
        )
        findings.add(VERSIONS, None, what)


def _digest(version: VersionRow, items: list[ItemRow]) -> str:
    rows = sorted(items, key=lambda i: (i.pair.case.case_id, i.pair.digest))
    return digest_of(
        {
            "schema": "evenhand.gold/1",
            "set": version.gold_set.name,
            "systems": list(version.gold_set.systems),
            "rule": version.rule,
            "pairs": [
                {
                    "case": item.pair.case.case_id,
                    "pair": item.pair.digest,
                    "split": item.split.value if item.split else "",
                    "outcome": item.outcome.value if item.outcome else None,
                    "source": item.source,
                    "open_reason": item.open_reason,
                    "labels": list(item.labels),
                    "ruling": item.ruling,
                }
                for item in rows
            ],
        }
    )


def _wrong(
    version: VersionRow, items: list[ItemRow], material: Material, wanted: int
) -> list[tuple[ItemRow, str]]:
    """Give the pairs whose gold does not follow, were this many labels wanted."""
    found = []
    for item in items:
        says: dict[str, Any] = {
            "outcome": item.outcome,
            "source": item.source,
            "open_reason": item.open_reason,
            "labels": item.labels,
            "ruling": item.ruling,
        }
        follows = _follows(version, item, material, wanted)
        off = [name for name in says if says[name] != follows[name]]
        if off:
            name = off[0].replace("_", " ")
            what = (
                f"the {name} of its gold is {_said(says[off[0]])}; from labels and "
                f"rulings follows {_said(follows[off[0]])}"
            )
            found.append((item, what))
    return found


def _said(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "none"
    return str(value) if value else "none"


def _follows(
    version: VersionRow, item: ItemRow, material: Material, wanted: int
) -> dict[str, Any]:
    labels = labels_at(material, item.pair.number, version.at, wanted)
    rulings = material.rulings.get(item.pair.number, ())
    ruled = [ruling for ruling in rulings if ruling.at <= version.at]
    found: dict[str, Any] = {
        "outcome": None,
        "source": GoldSource.NONE.value,
        "open_reason": "",
        "labels": tuple(label.value for label in labels),
        "ruling": "",
    }
    if ruled:
        source = GoldSource.ADJUDICATION.value
        last = ruled[-1]
        return found | {
            "outcome": last.outcome, "source": source, "ruling": last.digest,
        }  # fmt: skip
    result = consensus(labels, ConsensusRule(version.rule), wanted)
    if isinstance(result, Settled):
        source = GoldSource.CONSENSUS.value
        return found | {"outcome": result.outcome, "source": source}
    return found | {"open_reason": result.reason.value}
