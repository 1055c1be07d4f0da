"""What rows about sentinels have to be beside rows of other tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from calibration.domain.audit.beside_people import not_before
from calibration.domain.audit.material import BadRow, known, moment
from calibration.domain.audit.tables import CLOCKS
from calibration.domain.sentinels import MOST_PARTS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from calibration.domain.audit.beside_people import Seen

    Row = Mapping[str, Any]


def _sentinel(row: Row, seen: Seen) -> None:
    version = known(seen.rows["gold_versions"], row["version"], "a gold version")
    not_before(row, "created_at", version, "created_at", "its gold was frozen")
    if row["name"] in seen.rows["sentinel names"]:
        raise BadRow("a sentinel of this name is there already")
    if not 1 <= row["parts"] <= MOST_PARTS:
        raise BadRow(f"its parts are {row['parts']!r}")
    if row["period_hours"] < 1 or row["concurrency"] < 1 or row["seed"] < 0:
        raise BadRow("its period, concurrency or seed is too small")
    least, most = row["least_agreement"], row["most_invalid"]
    if (least is not None and not 0 < float(least) <= 1) or (
        most is not None and not 0 <= float(most) < 1
    ):
        raise BadRow("a limit of it is no share")
    seen.rows["sentinels"][row["sentinel"]] = row
    seen.rows["sentinel names"][row["name"]] = row


def _pair(row: Row, seen: Seen) -> None:
    panel = known(seen.rows["sentinels"], row["sentinel"], "a sentinel")
    if not 1 <= row["part"] <= panel["parts"]:
        raise BadRow(f"its part is {row['part']!r}; there are {panel['parts']}")


def _series(row: Row, seen: Seen) -> None:
    panel = known(seen.rows["sentinels"], row["sentinel"], "a sentinel")
    judge = known(seen.rows["judges"], row["judge"], "a judge")
    not_before(row, "began_at", panel, "created_at", "its sentinel was defined")
    not_before(row, "began_at", judge, "frozen_at", "its judge was frozen")
    key = row["sentinel"], row["judge_digest"], row["rubric_digest"]
    if key in seen.rows["series of"]:
        raise BadRow("its sentinel has a series of this instrument already")
    seen.rows["series of"][key] = seen.rows["series"][row["series"]] = row


def _check(row: Row, seen: Seen) -> None:
    series = known(seen.rows["series"], row["series"], "a series")
    run = known(seen.rows["runs"], row["run"], "a run")
    not_before(row, "started_at", series, "began_at", "its series began")
    began, started = moment(run, "created_at"), moment(row, "started_at")
    if abs(started - began) > CLOCKS or row["started_by"] != run["created_by"]:
        raise BadRow("its run was started at another time, or by somebody else")
    panel = seen.rows["sentinels"][series["sentinel"]]
    ended = panel["ended_at"]
    if ended is not None and started > moment(panel, "ended_at") + CLOCKS:
        raise BadRow("it was started after its sentinel was ended")
    if row["run"] in seen.rows["checks of"]:
        raise BadRow("its run is another check's already")
    seen.rows["checks of"][row["run"]] = seen.rows["checks"][row["check"]] = row


def _point(row: Row, seen: Seen) -> None:
    check = known(seen.rows["checks"], row["check"], "a check")
    run = known(seen.rows["runs"], check["run"], "a run")
    if run["status"] != "done":
        raise BadRow(f"the run of its check is {run['status']}")
    not_before(row, "recorded_at", run, "finished_at", "the run of its check finished")
    seen.rows["points"][row["check"]] = row


def _alarm(row: Row, seen: Seen) -> None:
    panel = known(seen.rows["sentinels"], row["sentinel"], "a sentinel")
    not_before(row, "raised_at", panel, "created_at", "its sentinel was defined")
    noted = row["acknowledged_at"] is not None
    if noted and not (row["acknowledged_by"] or row["actor"]):
        raise BadRow("nobody took note of it")
    if not noted and (row["acknowledged_by"] or row["actor"]):
        raise BadRow("it was taken note of at no time")
    if (row["sentinel"], row["key"]) in seen.rows["alarms"]:
        raise BadRow("the same was raised already")
    seen.rows["alarms"][row["sentinel"], row["key"]] = row
    if row["check"] is None:
        return
    point = known(seen.rows["points"], row["check"], "a point")
    apart = abs(moment(row, "raised_at") - moment(point, "recorded_at"))
    if apart > CLOCKS:
        raise BadRow("it was not raised when its point was recorded")


SENTINELS: dict[str, Callable[[Row, Seen], None]] = {
    "sentinels": _sentinel,
    "sentinel_pairs": _pair,
    "sentinel_series": _series,
    "sentinel_checks": _check,
    "sentinel_points": _point,
    "sentinel_alarms": _alarm,
}
