"""The dev figures of reports, worked out again where a bundle holds dev pairs alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from annotation.domain.digests import canonical_json
from calibration.domain.audit.documents import canonical, compare, document
from calibration.domain.audit.layout import DEV, SPLIT_REPORT, dev_report_file
from calibration.domain.audit.material import BadRow, Material, get, moment
from calibration.domain.audit.results import report_again
from calibration.domain.beside import FORMAT_SLICE
from calibration.domain.rules import REPORT_RULES, other_rules, rules_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from calibration.domain.audit.findings import Findings

    Row = Mapping[str, Any]

# These number reviewers or name slices in the order of the whole set.
OF_ALL = (
    "intersections", "single_reviewers", "alt_test", "between_reviewers", "human",
    "human_orders",
)  # fmt: skip


def check_dev_report(
    report: Row, material: Material, files: dict[str, bytes], found: Findings
) -> str:
    """Compare the dev figures of a report with what follows; give its file."""
    name = dev_report_file(get(report, "report", int))
    payload = files.get(name)
    if payload is None:
        raise BadRow(f"{name} is not there")
    stored = document(payload)
    if payload != canonical_json(stored):
        found.add(name, None, "it is not written as canonical JSON")
    if set(stored) - {*SPLIT_REPORT, "families", DEV}:
        found.add(name, None, "it tells more than the dev figures")
    if (rules := rules_of(stored)) != REPORT_RULES:
        found.not_ours(other_rules(name, rules, REPORT_RULES))
        return name
    again = report_again(
        material,
        material.runs[report["run"]],
        material.versions[report["version"]],
        moment(report, "created_at"),
        get(stored["bootstrap"], "seed", int),
        tuple(map(str, stored["families"])),
    )
    found.counts["reports"] += 1
    told = {each: again[each] for each in SPLIT_REPORT} | {DEV: again["splits"][DEV]}
    alike = _comparable(stored), _comparable(canonical(told))
    compare(name, *alike, found, drawn=_all_labelled(report, material))
    return name


def _all_labelled(report: Row, material: Material) -> bool:
    """Whether everybody labelled dev pairs; else reviewers of others took draws too."""
    known = {label.author for own in material.labels.values() for label in own}
    gold_set = material.versions[report["version"]].gold_set.name
    return {*material.draws[gold_set]} <= known


def _comparable(document_: Any) -> dict[str, Any]:
    """Leave out what depends on pairs that are not here."""
    block = {key: each for key, each in document_[DEV].items() if key not in OF_ALL}
    slices = block.get("slices") or {}
    block["slices"] = {key: one for key, one in slices.items() if key != FORMAT_SLICE}
    kept = {key: each for key, each in document_.items() if key != "families"}
    return {**kept, DEV: block}
