"""Looking a gold set over before a round opens, and keeping what was found."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from annotation.domain.estimates import Estimate, Undefined
from annotation.domain.hygiene import Check, Finding, LengthBalance, Severity
from annotation.domain.intervals import SignTest
from annotation.models import SetCheck
from annotation.services.case_checks import case_findings
from annotation.services.identity_flags import names_digest
from annotation.services.response_checks import response_findings
from annotation.services.set_material import read_material
from annotation.services.splitting import splits_digest
from config.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from annotation.models import GoldSet
    from config.accounts.models import User

# Of each check, so many findings are kept; all are counted.
MOST_KEPT = 2000


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The findings of one check; ``count`` may exceed those that were kept."""

    check: Check
    count: int
    findings: tuple[Finding, ...]

    @property
    def severity(self) -> Severity:
        """How much they matter."""
        return self.check.severity


@dataclass(frozen=True, slots=True)
class SetFindings:
    """What all checks found in a set as it was at a time.

    ``stale`` says that cases were added, or splits or aliases changed since.
    """

    results: tuple[CheckResult, ...]
    lengths: tuple[LengthBalance, ...]
    cases: int
    pairs: int
    set_aside: int
    checked_at: datetime
    checked_by: User | None
    stale: bool

    def of(self, check: Check) -> CheckResult:
        """The result of one check."""
        return next(result for result in self.results if result.check is check)

    def count(self, severity: Severity) -> int:
        """How many findings are this severe."""
        return sum(r.count for r in self.results if r.severity is severity)

    def telling_pairs(self) -> tuple[int, ...]:
        """The pairs of findings that say which system wrote what."""
        found = (
            pair
            for result in self.results
            if result.check.tells_systems
            for finding in result.findings
            for pair in finding.pairs
        )
        return tuple(dict.fromkeys(found))


def check_set(*, gold_set: GoldSet, by: User | None, now: datetime) -> SetFindings:
    """Run all checks over a set and keep what they find.

    Pairs that were set aside are left out. Nothing is locked meanwhile: 100,000 cases
    take about a minute.
    """
    material = read_material(gold_set)
    if not material.cases:
        raise InvalidInput("set_empty", f"{gold_set.name} has no cases yet.")
    responses = response_findings(gold_set, material)
    found = [*case_findings(material), *responses.findings]
    content = {
        "checks": _stored_checks(found),
        "lengths": [asdict(balance) for balance in responses.lengths],
        "pairs": material.pair_count,
        "set_aside": material.set_aside,
        "names_digest": names_digest(gold_set),
    }
    row = SetCheck.objects.create(
        gold_set=gold_set,
        cases=len(material.cases),
        content=content,
        splits_digest=material.splits_digest,
        checked_at=now,
        checked_by=by,
    )
    return _read(row, stale=False)


def last_check(gold_set: GoldSet) -> SetFindings | None:
    """What the last run of the checks found, if there was one."""
    row = gold_set.set_checks.select_related("checked_by").order_by("-pk").first()
    if row is None:
        return None
    now = splits_digest(gold_set.cases.values_list("external_id", "split"))
    names = names_digest(gold_set)
    # Runs from before names were noted count as they did.
    renamed = row.content.get("names_digest", names) != names
    return _read(row, stale=renamed or now != row.splits_digest)


def _stored_checks(found: Iterable[Finding]) -> dict[str, Any]:
    checks: dict[str, Any] = {
        check.value: {"count": 0, "findings": []} for check in Check
    }
    for finding in found:
        entry = checks[finding.check.value]
        entry["count"] += 1
        if entry["count"] <= MOST_KEPT:
            entry["findings"].append(
                [list(finding.cases), list(finding.pairs), finding.detail]
            )
    return checks


def _read(row: SetCheck, *, stale: bool) -> SetFindings:
    content: Mapping[str, Any] = row.content
    return SetFindings(
        results=tuple(_result(check, content["checks"]) for check in Check),
        lengths=tuple(_lengths(stored) for stored in content["lengths"]),
        cases=row.cases,
        pairs=content["pairs"],
        set_aside=content["set_aside"],
        checked_at=row.checked_at,
        checked_by=row.checked_by,
        stale=stale,
    )


def _result(check: Check, stored: Mapping[str, Any]) -> CheckResult:
    entry = stored.get(check.value, {"count": 0, "findings": []})
    findings = tuple(
        Finding(check, tuple(cases), tuple(pairs), detail)
        for cases, pairs, detail in entry["findings"]
    )
    return CheckResult(check, entry["count"], findings)


def _lengths(stored: Mapping[str, Any]) -> LengthBalance:
    figure, test = stored["longer_share"], stored["test"]
    return LengthBalance(
        **{
            **stored,
            "longer_share": (
                Estimate(**figure) if "value" in figure else Undefined(**figure)
            ),
            "test": SignTest(**test) if "p_value" in test else Undefined(**test),
        }
    )
