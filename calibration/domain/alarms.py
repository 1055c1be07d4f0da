"""Which alarms a point of a sentinel calls for, and in what words."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from calibration.domain.monitor import ALARM_AT, alpha_of
from calibration.domain.sentinels import AlarmKind, CheckKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    Payload = Mapping[str, Any]

FEWEST_MOVED = 10  # groups with changed verdicts from which chi-squared is near enough
MOST_BUILDS = 8  # past these, a provider that names a new build each time tells nothing


class NoticeFailed(Exception):
    """An alarm could not be sent; says why, without secrets."""


@dataclass(frozen=True, slots=True)
class Raised:
    """An alarm; ``key`` is the same for what is raised only once."""

    kind: AlarmKind
    key: str
    detail: str


@dataclass(frozen=True, slots=True)
class Limits:
    """What a panel was defined with; ``None`` is not watched."""

    least_agreement: float | None = None
    most_invalid: float | None = None


def alarms_of(
    point: Payload, earlier: Sequence[Payload], limits: Limits
) -> tuple[Raised, ...]:
    """What a point raises, given the earlier points of its series."""
    found = [*_served(point, earlier), *_drift(point), *_shift(point), *_lost(point)]
    if limits.least_agreement is not None:
        found += _agreement(point, limits.least_agreement)
    if limits.most_invalid is not None:
        found += _invalid(point, limits.most_invalid)
    return tuple(found)


def overdue(since: datetime, last: int, hours: int) -> Raised:
    """No check has ended in time; ``last`` numbers the one that did, 0 for none."""
    return Raised(
        AlarmKind.OVERDUE,
        f"overdue:{last}",
        f"No check has been finished since {since:%Y-%m-%d %H:%M} UTC, though one is "
        f"due every {hours} hours.",
    )


def _drift(point: Payload) -> Iterator[Raised]:
    monitor = point.get("monitor")
    if not monitor or not monitor["alarm"]:
        return
    marks = "systems" in point
    what = "responses got lower marks" if marks else "pairs got worse"
    yield Raised(
        AlarmKind.DRIFT,
        f"drift:{point['series']}",
        f"The judge drifts: {monitor['worse']} groups of {what} and "
        f"{monitor['better']} {'higher' if marks else 'better'} since their reference; "
        "the evidence is "
        f"{monitor['evidence']:.4g}, and {ALARM_AT:g} or more comes up in at most 5 % "
        "of judges that do not drift, however often one looks.",
    )


def _shift(point: Payload) -> Iterator[Raised]:
    """A whole new reference beside the first one: each of them a look of its own.

    Of verdicts there are two tests, for worse against better and for shares whatever
    the gold: half of the error rate each.
    """
    if point["kind"] != CheckKind.REFERENCE.value or point["cycle"] < 2:  # noqa: PLR2004 - the first is what others are compared with
        return
    first = point["against_first"]
    tests = [("exact test", first["test"], 1), *_shares(first)]
    allowed = alpha_of(point["cycle"] - 1) / len(tests)
    found = [
        f"{name} p = {test['p_value']:.2g} over {test['n']} groups that changed"
        for name, test, least in tests
        if test["p_value"] is not None
        and test["p_value"] <= allowed
        and test["n"] >= least
    ]
    if found:
        yield Raised(
            AlarmKind.SHIFT,
            f"shift:{point['series']}",
            f"Reference {point['cycle']} differs from the first one: "
            f"{' and '.join(found)}; a test may raise an alarm from {allowed:.2g} "
            "down, so that all references together keep 5 %.",
        )


def _shares(first: Payload) -> Iterator[tuple[str, Payload, int]]:
    if "shares" in first:
        yield "shares of verdicts (Stuart-Maxwell)", first["shares"], FEWEST_MOVED


def _lost(point: Payload) -> Iterator[Raised]:
    """Verdicts, or marks, that have become unusable since their reference."""
    usable = point.get("usable")
    if not usable or not usable["alarm"]:
        return
    yield Raised(
        AlarmKind.INVALID,
        f"lost:{point['series']}",
        f"Replies have become unusable: {usable['worse']} groups of "
        f"{_judged_what(point)} are invalid since their reference and "
        f"{usable['better']} no more; the evidence is {usable['evidence']:.4g}, and "
        f"{ALARM_AT:g} or more comes up in at most 5 % of judges that do not change.",
    )


def _invalid(point: Payload, most: float) -> Iterator[Raised]:
    watched = point.get("watched_invalid")
    if not watched or watched["low"] is None or watched["low"] <= most:
        return
    yield Raised(
        AlarmKind.INVALID,
        f"invalid:{point['series']}",
        f"More than {100 * most:.1f} % of {_judged_what(point)} are invalid: at least "
        f"{100 * watched['low']:.1f} % at {100 * watched['level']:.4g} % confidence "
        f"at all times, over {watched['denominator']} groups of cycle "
        f"{point['cycle']}.",
    )


def _judged_what(point: Payload) -> str:
    return "marks" if "systems" in point else "verdicts"


def _agreement(point: Payload, least: float) -> Iterator[Raised]:
    watched = point.get("watched_agreement")
    if not watched or watched["low"] is None or 1 - watched["low"] >= least:
        return
    yield Raised(
        AlarmKind.AGREEMENT,
        f"agreement:{point['series']}",
        f"Agreement with gold has fallen below {100 * least:.1f} %: at most "
        f"{100 * (1 - watched['low']):.1f} % at {100 * watched['level']:.4g} % "
        f"confidence at all times, over {watched['denominator']} groups of pairs of "
        f"cycle {point['cycle']}.",
    )


def _served(point: Payload, earlier: Sequence[Payload]) -> Iterator[Raised]:
    """A model, or a build of it, that had not answered in this series before."""
    known = {name for one in earlier for name in _names(one)}
    now = set(_names(point))
    if len(known | now) > MOST_BUILDS:
        known, now = ({(model, "") for model, _ in each} for each in (known, now))
    new = now - known if known else now
    if not new or (not known and len(now) < 2):  # noqa: PLR2004 - one model is none other
        return
    words = ", ".join(_shown(*name) for name in sorted(new))
    key = hashlib.sha256(words.encode()).hexdigest()[:32]
    before = ", ".join(_shown(*name) for name in sorted(known))
    said = f"; before it was {before}" if before else ": more than one in one check"
    yield Raised(
        AlarmKind.SERVED_MODEL,
        f"served:{point['series']}:{key}",
        f"The provider answered with {words}{said}.",
    )


def _names(point: Payload) -> Iterator[tuple[str, str]]:
    for served in point["served_models"]:
        if served["model"] or served["fingerprint"]:
            yield served["model"], served["fingerprint"]


def _shown(model: str, build: str) -> str:
    return (model or "an unnamed model") + (f" ({build})" if build else "")
