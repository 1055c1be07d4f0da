"""Checking sentinels: panels are cut again, points and alarms are made again."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from calibration.domain.audit.alarms_again import check_alarms, ours
from calibration.domain.audit.documents import canonical, compare, lasting
from calibration.domain.audit.layout import table_file
from calibration.domain.audit.material import BadRow
from calibration.domain.audit.points_again import Again
from calibration.domain.audit.tables import CLOCKS
from calibration.domain.audit.watched import POINTWISE
from calibration.domain.rules import SENTINEL_RULES, other_rules, rules_of
from calibration.domain.sentinels import CheckKind, cut, next_step

if TYPE_CHECKING:
    from collections.abc import Iterator

    from calibration.domain.audit.findings import Findings
    from calibration.domain.audit.material import Material
    from calibration.domain.audit.sentinel_material import (
        CheckRow,
        PointRow,
        SentinelRow,
        SeriesRow,
    )

PANELS, SERIES = table_file("sentinels"), table_file("sentinel_series")
CHECKS, POINTS = table_file("sentinel_checks"), table_file("sentinel_points")
MOST = 3
# What a point of other rules has to agree in all the same.
LASTING = (
    "sentinel", "series", "judge.name", "judge.version", "judge.digest",
    "judge.rubric_digest", "gold.set", "gold.version", "gold.digest", "kind", "cycle",
    "part", "run", "served_models", "pairs", "verdicts", "first_run", "reference_run",
)  # fmt: skip
BAD = (BadRow, KeyError, TypeError, ValueError, AttributeError, ArithmeticError)


def check_sentinels(material: Material, found: Findings) -> None:
    """Check every panel with its series; then every alarm."""
    watched, again = material.watched, Again(material)
    for panel in watched.sentinels.values():
        with _named(found, PANELS, panel.row):
            _check_parts(panel, material, found)
    for series in watched.series.values():
        with _named(found, SERIES, series.row):
            _check_series(series, material, again, found)
    for point in watched.points.values():
        with _named(found, POINTS, point.row):
            _check_point(point, again, found)
    with _named(found, POINTS, None):
        _tell_other_rules(material, found)
    for panel in watched.sentinels.values():
        with _named(found, PANELS, panel.row):
            check_alarms(panel, material, found)


@contextmanager
def _named(found: Findings, file: str, row: int | None) -> Iterator[None]:
    """Name what can't be worked out again, whatever a forger wrote there."""
    try:
        yield
    except BAD as error:
        words = str(error) or type(error).__name__
        what = " ".join(f"it can't be worked out again: {words}".split())
        found.add(file, row, what[:400])


def _check_parts(panel: SentinelRow, material: Material, found: Findings) -> None:
    """Its pairs are cut into the parts that its seed deals them to."""
    pairs = [material.pairs[number] for number in panel.pairs]
    if len(pairs) != panel.size:
        what = f"it has {panel.size} pairs; {len(pairs)} are there"
        found.add(PANELS, panel.row, what)
    clusters = {pair.digest: pair.case.cluster for pair in pairs}
    try:
        dealt = cut(clusters, panel.parts, panel.seed)
    except ValueError as error:
        found.add(PANELS, panel.row, str(error))
        return
    if any(dealt[pair.digest] != panel.pairs[pair.number] for pair in pairs):
        what = "its pairs are not in the parts that its seed deals them to"
        found.add(PANELS, panel.row, what)


def _check_series(
    series: SeriesRow, material: Material, again: Again, found: Findings
) -> None:
    """Its checks follow each other, each with its point, from its first day on."""
    checks = material.watched.checks_of(series)
    if not checks or abs(checks[0].started - series.began) > CLOCKS:
        found.add(SERIES, series.row, "it began with no check")
    steps = [one for one in checks if one.step.kind is not CheckKind.FRESH]
    for place, check in enumerate(steps):
        done = [one.step for one in steps[:place] if one.run.status == "done"]
        if check.step != next_step(done, series.sentinel.parts):
            found.add(CHECKS, check.row, "it is not the step that was due")
        lacks = check.run.status == "done" and check.number not in (
            material.watched.points
        )
        if lacks and place + 1 < len(steps):
            found.add(CHECKS, check.row, "it has no point, and another came after it")
    for check in checks:
        _check_asked(check, material, again, found)


def _check_asked(
    check: CheckRow, material: Material, again: Again, found: Findings
) -> None:
    """It asked about pairs of its part, or beside its panel, and about nothing else."""
    if check.run.status != "done":
        return
    panel, step = check.series.sentinel, check.step
    own = {
        number
        for number, part in panel.pairs.items()
        if step.kind is not CheckKind.PART or part == step.part
    }
    pointwise = check.series.judge.kind == POINTWISE
    asked = set(
        again.marks(check.run) if pointwise else map(int, again.verdicts(check.run))
    )
    if pointwise:
        pairs = [material.pairs[number] for number in own]
        own = {side.number for p in pairs for side in (p.baseline, p.candidate)}
    fits = not asked & own if step.kind is CheckKind.FRESH else asked <= own
    if not asked or not fits:
        found.add(CHECKS, check.row, "its run did not ask about the pairs of its part")


def _check_point(point: PointRow, again: Again, found: Findings) -> None:
    made = again.payload(point)
    stored: dict[str, Any] = dict(point.payload)
    if rules_of(stored) != SENTINEL_RULES:
        for one in list(lasting(stored, canonical(made), LASTING))[:MOST]:
            found.add(POINTS, point.row, str(one))
        return
    found.counts["points"] += 1
    before = len(found.problems)
    compare(POINTS, stored, made, found)
    for place, problem in enumerate(found.problems[before:], start=before):
        found.problems[place] = type(problem)(POINTS, point.row, problem.what)


def _tell_other_rules(material: Material, found: Findings) -> None:
    others = Counter(
        (point.check.series.sentinel.name, rules_of(point.payload))
        for point in material.watched.points.values()
        if not ours(point)
    )
    for (name, rules), count in sorted(others.items()):
        what = f"a part of sentinel {name} ({count} of its points)"
        found.not_ours(other_rules(what, rules, SENTINEL_RULES))
