"""A judge that does not change is looked at daily, by every alarm that there is."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from annotation.domain.outcomes import Outcome
from calibration.domain.alarms import Limits, alarms_of
from calibration.domain.drift import Twice, compare_runs
from calibration.domain.jsonable import jsonable
from calibration.domain.monitor import (
    ALPHA,
    Counted,
    alpha_of,
    confidence_sequence,
    watch,
)
from judging.domain.terms import JudgeOutcome

PAIRS, PARTS, DAYS, TRIALS = 42, 7, 56, 60
GOLD = Outcome.BASELINE
CHANCES = {
    JudgeOutcome.BASELINE: 0.75, JudgeOutcome.CANDIDATE: 0.15,
    JudgeOutcome.TIE: 0.06, JudgeOutcome.INVALID: 0.04,
}  # fmt: skip
LIMITS = Limits(least_agreement=0.7, most_invalid=0.06)


class Daily:
    """A reference and a part a day, of which each is judged anew by chance."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng, self.said, self.chances = rng, list(CHANCES), list(CHANCES.values())
        self.first = self.reference = self.run()
        self.counted: dict[str, list[Counted]] = {"monitor": [], "usable": []}
        self.wrong = self.invalid = self.seen = 0

    def run(self) -> list[JudgeOutcome]:
        """Each pair's verdict, drawn anew."""
        drawn = self.rng.choice(len(self.said), PAIRS, p=self.chances)
        return [self.said[i] for i in drawn]

    def points(self):
        for day in range(DAYS):
            cycle, part = divmod(day, PARTS + 1)
            now = self.run()
            yield (
                self._part(now, cycle + 1, part)
                if part
                else self._reference(now, cycle + 1)
            )

    def _reference(self, now, cycle):
        self.reference = now
        if cycle == 1:
            self.first = now
        for counted in self.counted.values():
            counted.append(Counted(0, 0))
        self.wrong = self.invalid = self.seen = 0
        first = jsonable(compare_runs(twice(self.first, now, range(PAIRS))))
        invalid = sum(one is JudgeOutcome.INVALID for one in now)
        return self._point("reference", cycle, first) | {
            "watched_invalid": rate(invalid, PAIRS, 2 * cycle - 1),
        }

    def _part(self, now, cycle, part):
        own = range((part - 1) * PAIRS // PARTS, part * PAIRS // PARTS)
        told = compare_runs(twice(self.reference, now, own))
        self._add("monitor", told.worse_groups, told.better_groups)
        self._add("usable", told.lost_groups, told.regained_groups)
        self.wrong += sum(now[i].value != GOLD.value for i in own)
        self.invalid += sum(now[i] is JudgeOutcome.INVALID for i in own)
        self.seen += len(own)
        return self._point("part", cycle, None) | {
            "watched_agreement": rate(self.wrong, self.seen, cycle),
            "watched_invalid": rate(self.invalid, self.seen, 2 * cycle),
        }

    def _add(self, name, worse, better):
        old = self.counted[name].pop()
        self.counted[name].append(Counted(old.worse + worse, old.better + better))

    def _point(self, kind, cycle, first):
        watched = {name: jsonable(watch(found)) for name, found in self.counted.items()}
        return {
            "series": 1, "kind": kind, "cycle": cycle, "against_first": first,
            "served_models": [], **watched,
        }  # fmt: skip


def twice(old, new, which):
    return [Twice(str(i), str(i), old[i], new[i], GOLD) for i in which]


def rate(hits, n, number):
    return jsonable(confidence_sequence(hits, n, 1 - alpha_of(number)))


@pytest.fixture(scope="module")
def raised():
    """In how many series each kind of alarm was raised at all."""
    found: Counter[str] = Counter()
    for seed in range(TRIALS):
        daily = Daily(np.random.default_rng(seed))
        points = list(daily.points())
        kinds = {one.kind.value for p in points for one in alarms_of(p, [], LIMITS)}
        found.update(kinds)
    return found


@pytest.mark.parametrize("kind", ["drift", "shift", "agreement", "invalid"])
def test_each_alarm_keeps_its_error_rate_however_often_one_looks(raised, kind):
    """The agreement and the invalid rate lie near their limits, yet within them."""
    most = ALPHA * (2 if kind == "invalid" else 1)  # that one has two ways
    assert raised[kind] / TRIALS <= most + 3 * (most * (1 - most) / TRIALS) ** 0.5


def test_a_test_a_day_would_have_cried_wolf():
    """The same data, each part's invalid or wrong verdicts tested afresh each day."""
    wolves = 0
    for seed in range(TRIALS):
        daily = Daily(np.random.default_rng(seed))
        tests = [
            compare_runs(twice(daily.first, daily.run(), range(PAIRS))).test.p_value
            for _ in range(DAYS)
        ]
        wolves += any(p is not None and p < ALPHA for p in tests)
    assert wolves / TRIALS > 0.3


def kinds_of(chances: dict[JudgeOutcome, float]) -> set[str]:
    """What is raised once a judge gives its verdicts by other chances than before."""
    daily = Daily(np.random.default_rng(1))
    points = daily.points()
    next(points)
    daily.chances = list(chances.values())
    daily.said = list(chances)
    return {
        one.kind.value
        for _ in range(DAYS - 1)
        for one in alarms_of(next(points), [], LIMITS)
    }


def test_what_does_change_is_found():
    assert kinds_of({JudgeOutcome.INVALID: 1.0}) == {"invalid", "agreement"}
    assert "drift" in kinds_of({JudgeOutcome.CANDIDATE: 1.0})
    assert kinds_of(CHANCES) == set()
