"""Reading what was watched: each panel, series, check, point and alarm."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from annotation.domain.digests import digest_of
from annotation.domain.outcomes import Split
from calibration.domain.audit.material import (
    BadRow,
    Material,
    get,
    known,
    maybe,
    moment,
)
from calibration.domain.audit.sentinel_material import (
    AlarmRow,
    CheckRow,
    PointRow,
    SentinelRow,
    SeriesRow,
)
from calibration.domain.point_payloads import rubric_digest_of
from calibration.domain.sentinels import AlarmKind, CheckKind, Step

if TYPE_CHECKING:
    from collections.abc import Mapping

    Row = Mapping[str, Any]

POINTWISE = "pointwise"


def sentinels(row: Row, number: int, material: Material) -> None:
    """A panel."""
    version = known(material.versions, row["version"], "a gold version")
    found = SentinelRow(
        number=get(row, "sentinel", int),
        row=number,
        name=get(row, "name", str),
        version=version,
        judge=get(row, "judge", str),
        pointwise_judge=get(row, "pointwise_judge", str),
        size=get(row, "pairs", int),
        parts=get(row, "parts", int),
        seed=get(row, "seed", int),
        period_hours=get(row, "period_hours", int),
        least_agreement=_share(row, "least_agreement"),
        most_invalid=_share(row, "most_invalid"),
        production=maybe(row, "production", str),
        created=moment(row, "created_at"),
        gold={
            item.pair.number: item.outcome
            for item in material.items[version.number]
            if item.outcome is not None and item.split is not Split.HELD_OUT
        },
    )
    material.watched.sentinels[found.number] = found


def _share(row: Row, name: str) -> float | None:
    said = maybe(row, name, str)
    return None if said is None else float(said)


def sentinel_pairs(row: Row, _number: int, material: Material) -> None:
    """A pair of a panel: it had gold, and was not held out."""
    panel = known(material.watched.sentinels, row["sentinel"], "a sentinel")
    pair = known(material.pairs, row["pair"], "a pair")
    if get(row, "digest", str) != pair.digest:
        raise BadRow("its digest is that of another pair")
    if pair.number not in panel.gold:
        raise BadRow("its pair has no gold to be watched by, or is held out")
    panel.pairs[pair.number] = get(row, "part", int)


def sentinel_series(row: Row, number: int, material: Material) -> None:
    """An instrument: the judge, by the digest of all and of its rubric."""
    panel = known(material.watched.sentinels, row["sentinel"], "a sentinel")
    judge = known(material.judges, row["judge"], "a judge")
    named = panel.pointwise_judge if judge.kind == POINTWISE else panel.judge
    if judge.name != named:
        raise BadRow("its judge is not the one that its sentinel names")
    digests = judge.digest, rubric_digest_of(judge.raw)
    if (row["judge_digest"], row["rubric_digest"]) != digests:
        raise BadRow("its digests are not those of its judge")
    found = SeriesRow(
        number=get(row, "series", int),
        row=number,
        sentinel=panel,
        judge=judge,
        rubric_digest=row["rubric_digest"],
        began=moment(row, "began_at"),
    )
    material.watched.series[found.number] = found


def sentinel_checks(row: Row, number: int, material: Material) -> None:
    """A run of a series."""
    series = known(material.watched.series, row["series"], "a series")
    run = known(material.runs, row["run"], "a run")
    if series.sentinel.number != row["sentinel"]:
        raise BadRow("its series is of another sentinel")
    if run.purpose != "sentinel" or run.judge is not series.judge:
        raise BadRow("its run is none of its series")
    kind = CheckKind(get(row, "kind", str))
    fresh, panel = kind is CheckKind.FRESH, series.sentinel
    owner = panel.production if fresh else panel.version.gold_set.name
    if run.gold_set.name != owner:
        raise BadRow("its run is on another set than its sentinel watches")
    found = CheckRow(
        number=get(row, "check", int),
        row=number,
        series=series,
        run=run,
        step=Step(kind, get(row, "cycle", int), get(row, "part", int)),
        started=moment(row, "started_at"),
    )
    material.watched.checks[found.number] = found


def sentinel_points(row: Row, number: int, material: Material) -> None:
    """What a check came to; it is worked out again later."""
    payload = get(row, "payload", dict)
    if digest_of(payload) != get(row, "digest", str):
        raise BadRow("its document does not fit its digest")
    check = known(material.watched.checks, row["check"], "a check")
    if check.series.sentinel.number != row["sentinel"]:
        raise BadRow("its check is of another sentinel")
    found = PointRow(
        number=get(row, "point", int),
        row=number,
        check=check,
        payload=payload,
        at=moment(row, "recorded_at"),
    )
    if found.check.number in material.watched.points:
        raise BadRow("its check has another point already")
    material.watched.points[found.check.number] = found


def sentinel_alarms(row: Row, number: int, material: Material) -> None:
    """An alarm."""
    panel = known(material.watched.sentinels, row["sentinel"], "a sentinel")
    series, check = maybe(row, "series", int), maybe(row, "check", int)
    if (series is None) != (check is None):
        raise BadRow("it names a series or a check alone")
    if check is not None:
        found = known(material.watched.checks, check, "a check")
        if found.series.number != series or found.series.sentinel is not panel:
            raise BadRow("its check is of another series or sentinel")
    alarm = AlarmRow(
        number=get(row, "alarm", int),
        row=number,
        sentinel=panel,
        series=series,
        check=check,
        kind=AlarmKind(get(row, "kind", str)).value,
        key=get(row, "key", str),
        detail=get(row, "detail", str),
        at=moment(row, "raised_at"),
    )
    material.watched.alarms.append(alarm)
