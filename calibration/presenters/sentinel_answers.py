"""The headline of a sentinel's page: what the evidence allows to say, and no more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from calibration.domain.monitor import ALARM_AT
from calibration.domain.sentinels import AlarmKind
from calibration.domain.standing import Sign, Stands
from calibration.presenters.figures import count_text, rounded

if TYPE_CHECKING:
    from collections.abc import Mapping

    from calibration.domain.standing import Standing
    from calibration.services.sentinels.reading import SentinelView, SeriesView

ALARMS = {
    AlarmKind.DRIFT: "{judge} drifts to the worse.",
    AlarmKind.INVALID: "Too many replies of {judge} can't be used.",
    AlarmKind.AGREEMENT: "{judge} agrees with gold less than was asked.",
    AlarmKind.SHIFT: "{judge} no longer judges as at its first reference.",
    AlarmKind.SERVED_MODEL: "Another model or build answers for {judge}.",
}
MARK_ALARMS = {AlarmKind.DRIFT: "The marks of {judge} drift."}
SIGNS = {
    Sign.WORSE: "More verdicts of {judge} got worse than better; it is no alarm yet.",
    Sign.BETTER: "More verdicts of {judge} got better than worse.",
    Sign.SHARES: "{judge} gives its verdicts in other shares than before.",
    Sign.RATE: "{changed} of {compared} verdicts of {judge} have changed.",
}
MARK_SIGNS = {
    Sign.WORSE: "More marks of {judge} fell than rose; it is no alarm yet.",
    Sign.BETTER: "More marks of {judge} rose than fell; it is no alarm yet.",
    Sign.RATE: "{changed} of {compared} marks of {judge} have changed.",
}
OTHERS = {
    Stands.UNMEASURED: "Nothing has been measured yet.",
    Stands.REFERENCE: "{judge} has a reference, and nothing to compare with it yet.",
    Stands.TOO_LITTLE: "Too little was judged again to say whether {judge} drifts.",
    Stands.NOTHING_SHOWN: "No drift of {judge} is shown so far.",
}
LATE = "No check has finished in time: what {judge} does now is not known."
NOTHING_YET = "The first check judges all pairs; later ones are compared with it."
SEE_BELOW = "The alarms below say why."
GRAVE = (Stands.ALARM, Stands.CHANGED)


@dataclass(frozen=True, slots=True)
class Answer:
    """A headline, what it rests on, and whether it asks for care."""

    answer: str
    basis: str
    caution: bool


def sentinel_answer(view: SentinelView) -> Answer:
    """Of the series that measures now; of marks only where they are what is grave."""
    pairs = [one for one in view.series if not one.pointwise][-1:]
    marks = [one for one in view.series if one.pointwise][-1:]
    found = [*(one for one in pairs + marks if _grave(one)), *pairs]
    shown = found[0] if found else None
    if view.late and (shown is None or not _grave(shown)):
        return Answer(LATE.format(judge=view.panel.judge), _basis(shown), caution=True)
    if shown is None:
        return Answer(OTHERS[Stands.UNMEASURED], NOTHING_YET, caution=False)
    return Answer(_words(shown), _basis(shown), caution=_grave(shown))


def _grave(series: SeriesView) -> bool:
    return series.standing.stands in GRAVE


def _words(series: SeriesView) -> str:
    found, judge = series.standing, series.series.config
    template = OTHERS.get(found.stands, "")
    if found.alarm is not None:
        own = MARK_ALARMS if series.pointwise else {}
        template = own.get(found.alarm, ALARMS[found.alarm])
    elif found.stands is Stands.CHANGED:
        template = (MARK_SIGNS if series.pointwise else SIGNS)[found.signs[0]]
    return template.format(judge=judge, changed=found.changed, compared=found.compared)


def _basis(series: SeriesView | None) -> str:
    points = (
        [p.payload for p in series.points if p.payload["monitor"]] if series else []
    )
    if series is None or not points:
        return NOTHING_YET
    said = [SEE_BELOW if series.standing.stands is Stands.ALARM else ""]
    if not any(one["against_reference"] for one in points):
        return " ".join(filter(None, [*said, NOTHING_YET]))
    said.append(_compared(series.standing, pointwise=series.pointwise))
    worse, better = ("lower", "higher") if series.pointwise else ("worse", "better")
    monitor = points[-1]["monitor"]
    said.append(
        f"{count_text(monitor['worse'], 'group')} of "
        f"{'responses' if series.pointwise else 'pairs'} got {worse} and "
        f"{monitor['better']:,} {better}, of those judged again so far. The evidence "
        f"is {evidence_text(monitor)}; from {ALARM_AT:g} it is an alarm, which at most "
        "5 % of judges that do not drift ever raise, however often one looks."
    )
    return " ".join(filter(None, said))


def _compared(found: Standing, *, pointwise: bool) -> str:
    what = "mark" if pointwise else "verdict"
    left = found.left_out
    out = f"; {left:,} more {'was' if left == 1 else 'were'} invalid either time"
    if not found.compared and not left:
        return ""
    which = f"reference {found.reference}" if found.reference else "the first reference"
    return (
        f"{found.changed:,} of {count_text(found.compared, what)} "
        f"{'differs' if found.changed == 1 else 'differ'} from {which}"
        f"{out if left else ''}."
    )


def evidence_text(monitor: Mapping[str, Any]) -> str:
    """An e-value as people read it."""
    value = float(monitor["evidence"])
    if value >= 1_000_000:  # noqa: PLR2004 - more digits say no more
        return "over 1,000,000"
    return rounded(value, 2) if value >= 0.01 else "under 0.01"  # noqa: PLR2004 - two places
