from __future__ import annotations

from datetime import UTC, datetime

import pytest

from calibration.domain.alarms import FEWEST_MOVED, Limits, alarms_of, overdue
from calibration.domain.jsonable import jsonable
from calibration.domain.monitor import Counted, watch


def point(*served, series=1, kind="part", cycle=1, **more):
    """A point with nothing in it but what a test says."""
    return {
        "series": series,
        "kind": kind,
        "cycle": cycle,
        "served_models": [
            {"model": model, "fingerprint": build, "calls": 1}
            for model, build in served
        ],
        "monitor": None,
        "watched_agreement": None,
        "against_first": None,
        **more,
    }


def kinds(now, *earlier, least=None, most=None):
    found = alarms_of(now, earlier, Limits(least, most))
    return [one.kind.value for one in found]


class TestServed:
    def test_the_first_answer_is_no_change(self):
        assert kinds(point(("m", "a"))) == []
        assert kinds(point()) == []
        assert kinds(point(("", ""))) == []

    def test_two_in_the_first_check_are(self):
        (one,) = alarms_of(point(("m", "a"), ("m", "b")), [], Limits())
        assert "m (a), m (b): more than one in one check" in one.detail

    def test_going_back_to_a_known_one_is_no_news(self):
        before = (point(("m", "a")), point(("m", "b")))
        assert kinds(point(("m", "a")), *before) == []

    def test_going_back_to_an_earlier_model_is(self):
        before = (point(("m", "a")), point(("n", "a")), point(("", "")))
        (one,) = alarms_of(point(("m", "a"), run=9), before, Limits())
        assert (one.kind.value, one.key) == ("served_model", "returned:1:9")
        assert "answered with m again; in the check before it was n." in one.detail
        stays = (*before, point(("m", "a"), run=9))
        assert kinds(point(("m", "a"), run=10), *stays) == []
        (more,) = alarms_of(point(("n", "a"), run=11), stays, Limits())
        assert more.key == "returned:1:11"

    def test_a_provider_that_says_nothing_once_is_no_news(self):
        assert kinds(point(("", "")), point(("m", "a"))) == []

    def test_new_builds_with_every_reply_tell_nothing_but_a_model_does(self):
        before = [point(*[("m", str(i)) for i in range(9)])]
        assert kinds(point(("m", "77")), *before) == []
        (one,) = alarms_of(point(("n", "78")), before, Limits())
        assert "answered with n; before it was m." in one.detail

    def test_each_change_has_a_key_of_its_own(self):
        before = (point(("m", "a")),)
        keys = {
            alarms_of(point(("m", build)), before, Limits())[0].key for build in "bcb"
        }
        assert len(keys) == 2


class TestDrift:
    def monitor(self, worse, better):
        found = watch([Counted(worse, better)])
        return {
            "evidence": found.evidence,
            "worse": worse,
            "better": better,
            "alarm": found.alarm,
        }

    def test_it_is_raised_at_twenty(self):
        assert kinds(point(monitor=self.monitor(14, 3))) == []
        (one,) = alarms_of(point(monitor=self.monitor(15, 3)), [], Limits())
        assert one.key == "drift:1"
        assert "15 groups of pairs got worse and 3 better" in one.detail
        assert "the evidence is 28.96" in one.detail

    def keys(self, *points):
        return [
            [one.key for one in alarms_of(now, points[:n], Limits())]
            for n, now in enumerate(points)
        ]

    def test_after_an_alarm_it_counts_anew_from_the_next_reference(self):
        """Evidence is multiplied over references: the second drift has its own part."""
        one, two = (Counted(15, 3), Counted(14, 3))
        points = [
            point(cycle=1, monitor=jsonable(watch([one]))),
            point(cycle=1, monitor=jsonable(watch([Counted(16, 3)]))),
            point(cycle=2, monitor=jsonable(watch([Counted(16, 3), two]))),
            point(cycle=2, monitor=jsonable(watch([Counted(16, 3), one]))),
        ]
        assert points[2]["monitor"]["alarm"]
        assert self.keys(*points) == [["drift:1"], ["drift:1"], [], ["drift:1:2"]]
        (again,) = alarms_of(points[3], points[:3], Limits())
        assert "15 groups of pairs got worse and 3 better" in again.detail
        assert "the evidence is 28.96" in again.detail

    def test_marks_have_their_own_words(self):
        now = point(monitor=self.monitor(15, 3), systems=[])
        (one,) = alarms_of(now, [], Limits())
        assert "15 groups of responses got lower marks and 3 higher" in one.detail


class TestShift:
    def now(self, p_value, kind="reference", cycle=2):
        test = {"p_value": p_value, "n": 9}
        return point(kind=kind, cycle=cycle, against_first={"test": test})

    @pytest.mark.parametrize(
        ("p_value", "cycle", "raised"),
        [(0.024, 2, True), (0.026, 2, False), (0.008, 3, True), (0.009, 3, False)],
    )
    def test_each_reference_has_its_share_of_five_percent(self, p_value, cycle, raised):
        assert kinds(self.now(p_value, cycle=cycle)) == ["shift"] * raised

    def test_a_second_one_after_all_was_well_is_another(self):
        points = [self.now(p, cycle=n) for n, p in enumerate((0.001, 0.03, 0.001), 2)]
        well = [self.now(p, cycle=n) for n, p in enumerate((0.001, 0.4, 0.0001), 2)]
        for series, key in ((points, "shift:1"), (well, "shift:1:2")):
            (one,) = alarms_of(series[-1], series[:-1], Limits())
            assert one.key == key

    def test_parts_and_undefined_tests_raise_none(self):
        assert kinds(self.now(0.0001, kind="part")) == []
        assert kinds(self.now(None)) == []


class TestShares:
    """Shares of verdicts are tested beside worse against better: half the rate each."""

    def now(self, exact, shares, moved=FEWEST_MOVED):
        first = {
            "test": {"p_value": exact, "n": 9},
            "shares": {"p_value": shares, "n": moved},
        }
        return point(kind="reference", cycle=2, against_first=first)

    @pytest.mark.parametrize(
        ("exact", "shares", "raised"),
        [
            (0.0125, None, True),
            (0.013, 0.013, False),
            (None, 0.0125, True),
            (None, 0.013, False),
        ],
    )
    def test_either_raises_it_at_half_the_rate(self, exact, shares, raised):
        assert kinds(self.now(exact, shares)) == ["shift"] * raised

    def test_both_together_are_one_alarm_that_names_both(self):
        (one,) = alarms_of(self.now(0.001, 0.002), [], Limits())
        assert "exact test p = 0.001 over 9 groups" in one.detail
        assert "Stuart-Maxwell) p = 0.002 over 10 groups" in one.detail

    def test_few_changes_are_too_few_for_chi_squared(self):
        assert kinds(self.now(None, 0.0001, FEWEST_MOVED - 1)) == []


class TestInvalid:
    def lost(self, lost, regained, **more):
        return point(usable=jsonable(watch([Counted(lost, regained)])), **more)

    def test_verdicts_that_become_unusable_are_told_at_twenty(self):
        assert kinds(self.lost(5, 0)) == []
        (one,) = alarms_of(self.lost(6, 0), [], Limits())
        assert (one.kind.value, one.key) == ("invalid", "lost:1")
        assert "6 groups of verdicts are invalid since their reference" in one.detail
        (one,) = alarms_of(self.lost(6, 0, systems=[]), [], Limits())
        assert "6 groups of marks" in one.detail

    def test_getting_usable_again_is_no_alarm(self):
        assert kinds(self.lost(0, 40)) == []

    @pytest.mark.parametrize(
        ("low", "most", "raised"),
        [(0.06, 0.05, True), (0.05, 0.05, False), (0.06, None, False), (0.01, 0, True)],
    )
    def test_more_than_was_allowed(self, low, most, raised):
        watched = {"low": low, "level": 0.975, "denominator": 40}
        found = alarms_of(point(watched_invalid=watched), [], Limits(None, most))
        assert [one.key for one in found] == ["invalid:1"] * raised

    def test_a_rate_of_nothing_raises_none(self):
        assert kinds(point(watched_invalid={"low": None}), most=0.05) == []


class TestAgreement:
    def now(self, low, value=None):
        watched = {"low": low, "value": value, "level": 0.975, "denominator": 40}
        return point(watched_agreement=watched)

    def test_a_second_fall_after_all_was_well_is_another(self):
        fell, low, well = self.now(0.3, 0.5), self.now(0.1, 0.3), self.now(0.1, 0.1)
        for between, key in ((low, "agreement:1"), (well, "agreement:1:2")):
            (one,) = alarms_of(fell, [fell, between], Limits(0.8))
            assert one.key == key

    def test_only_what_is_surely_below_is_told(self):
        assert kinds(self.now(0.3), least=0.8) == ["agreement"]
        assert kinds(self.now(0.2), least=0.8) == []
        assert kinds(self.now(0.1), least=0.8) == []
        assert kinds(self.now(None), least=0.8) == []
        assert kinds(self.now(0.3)) == []


def test_overdue_is_one_alarm_a_gap():
    since = datetime(2030, 5, 6, 9, tzinfo=UTC)
    one = overdue(since, 7, 24)
    assert (one.kind.value, one.key) == ("overdue", "overdue:7")
    assert "since 2030-05-06 09:00 UTC" in one.detail
