"""Which alarms a point of a sentinel calls for, and in what words."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from calibration.domain.monitor import ALARM_AT, ALPHA, alpha_of
from calibration.domain.sentinels import AlarmKind, CheckKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from datetime import datetime

    Payload = Mapping[str, Any]

FEWEST_MOVED = 10  # groups with changed verdicts from which chi-squared is near enough
MOST_BUILDS = 8  # past these, a provider that names a new build each time tells nothing
LEAST = 1e-300  # evidence that fell out of what a float holds
NO_EVIDENCE: Payload = {"evidence": 1.0, "worse": 0, "better": 0, "alarm": False}


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
    """What a point raises, given the earlier points of its series.

    What stands on is one alarm. Once the series was well again, or a new reference has
    begun after one, what comes next is another.
    """
    series = (*earlier, point)
    found = [*_served(point, earlier), *_returned(point, earlier)]
    found += _anew(series, "monitor", _drift)
    found += _anew(series, "usable", _lost)
    found += _again(series, _shift, _no_shift)
    if (least := limits.least_agreement) is not None:
        found += _again(
            series,
            lambda one: _agreement(one, least),
            lambda one: _within(one, "watched_agreement", 1 - least),
        )
    if (most := limits.most_invalid) is not None:
        found += _again(
            series,
            lambda one: _invalid(one, most),
            lambda one: _within(one, "watched_invalid", most),
        )
    return tuple(found)


def _anew(
    series: Sequence[Payload],
    name: str,
    raised: Callable[[Payload, Payload], Raised],
) -> Iterator[Raised]:
    """Raise what evidence calls for; after an alarm it counts from the next reference.

    Each begin is a watch of its own, with 5 % of false alarms of its own.
    """
    point, base, last, times = series[-1], NO_EVIDENCE, NO_EVIDENCE, 0
    alarmed_in = None
    for one in series:
        if not one.get(name):
            continue
        if alarmed_in is not None and one["cycle"] > alarmed_in:
            base, alarmed_in = last, None
        last, told = one[name], _since(one[name], base)
        if alarmed_in is None and told["alarm"]:
            times, alarmed_in = times + 1, one["cycle"]
        if one is point and told["alarm"]:
            yield _numbered(raised(point, told), times)


def _since(told: Payload, base: Payload) -> Payload:
    if base is NO_EVIDENCE:
        return told
    evidence = told["evidence"] / max(base["evidence"], LEAST)
    return {
        "evidence": evidence,
        "worse": told["worse"] - base["worse"],
        "better": told["better"] - base["better"],
        "alarm": evidence >= ALARM_AT,
    }


def _again(
    series: Sequence[Payload],
    raises: Callable[[Payload], Iterator[Raised]],
    is_well: Callable[[Payload], bool],
) -> Iterator[Raised]:
    """Raise what a point calls for; once all was well between, as another alarm.

    The 5 % are of its ever being called for, so that a second one costs nothing.
    """
    times, stands, found = 0, False, None
    for one in series:
        found = next(raises(one), None)
        if found is not None:
            times += not stands
            stands = True
        elif is_well(one):
            stands = False
    if found is not None:
        yield _numbered(found, times)


def _numbered(one: Raised, times: int) -> Raised:
    return one if times == 1 else replace(one, key=f"{one.key}:{times}")


def overdue(since: datetime, last: int, hours: int) -> Raised:
    """No check has ended in time; ``last`` numbers the one that did, 0 for none."""
    return Raised(
        AlarmKind.OVERDUE,
        f"overdue:{last}",
        f"No check has been finished since {since:%Y-%m-%d %H:%M} UTC, though one is "
        f"due every {hours} hours.",
    )


def _drift(point: Payload, monitor: Payload) -> Raised:
    marks = "systems" in point
    what = "responses got lower marks" if marks else "pairs got worse"
    return Raised(
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


def _no_shift(point: Payload) -> bool:
    """Whether a new reference is as the first one, by any test."""
    if point["kind"] != CheckKind.REFERENCE.value or point["cycle"] < 2:  # noqa: PLR2004 - as above
        return False
    first = point["against_first"]
    tests = (first["test"], *(test for _, test, _ in _shares(first)))
    return all(each["p_value"] is None or each["p_value"] > ALPHA for each in tests)


def _within(point: Payload, name: str, most: float) -> bool:
    """Whether a watched rate is at most what is allowed, as far as it was seen."""
    watched = point.get(name) or {}
    value = watched.get("value")
    return value is not None and value <= most


def _shares(first: Payload) -> Iterator[tuple[str, Payload, int]]:
    if "shares" in first:
        yield "shares of verdicts (Stuart-Maxwell)", first["shares"], FEWEST_MOVED


def _lost(point: Payload, usable: Payload) -> Raised:
    """Verdicts, or marks, that have become unusable since their reference."""
    return Raised(
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


def _returned(point: Payload, earlier: Sequence[Payload]) -> Iterator[Raised]:
    """A model that had answered in this series, and not in the check before this one.

    Of models alone: builds take turns wherever a provider has several machines.
    """
    models = [{model for model, _ in _names(one)} for one in earlier]
    named = [each for each in models if each]
    if not named:
        return
    back = ({model for model, _ in _names(point)} - named[-1]) & set().union(*named)
    if not back:
        return
    words = ", ".join(_shown(model, "") for model in sorted(back))
    before = ", ".join(_shown(model, "") for model in sorted(named[-1]))
    yield Raised(
        AlarmKind.SERVED_MODEL,
        f"returned:{point['series']}:{point['run']}",
        f"The provider answered with {words} again; in the check before it was "
        f"{before}.",
    )


def _names(point: Payload) -> Iterator[tuple[str, str]]:
    for served in point["served_models"]:
        if served["model"] or served["fingerprint"]:
            yield served["model"], served["fingerprint"]


def _shown(model: str, build: str) -> str:
    return (model or "an unnamed model") + (f" ({build})" if build else "")
