from __future__ import annotations

from datetime import UTC, datetime

import pytest

from calibration.domain.alarms import alarms_of, overdue
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


def kinds(now, *earlier, least=None):
    return [one.kind.value for one in alarms_of(now, earlier, least)]


class TestServed:
    def test_the_first_answer_is_no_change(self):
        assert kinds(point(("m", "a"))) == []
        assert kinds(point()) == []
        assert kinds(point(("", ""))) == []

    def test_two_in_the_first_check_are(self):
        (one,) = alarms_of(point(("m", "a"), ("m", "b")), [], None)
        assert "m (a), m (b): more than one in one check" in one.detail

    def test_going_back_to_a_known_one_is_no_news(self):
        before = (point(("m", "a")), point(("m", "b")))
        assert kinds(point(("m", "a")), *before) == []

    def test_a_provider_that_says_nothing_once_is_no_news(self):
        assert kinds(point(("", "")), point(("m", "a"))) == []

    def test_new_builds_with_every_reply_tell_nothing_but_a_model_does(self):
        before = [point(*[("m", str(i)) for i in range(9)])]
        assert kinds(point(("m", "77")), *before) == []
        (one,) = alarms_of(point(("n", "78")), before, None)
        assert "answered with n; before it was m." in one.detail

    def test_each_change_has_a_key_of_its_own(self):
        before = (point(("m", "a")),)
        keys = {alarms_of(point(("m", build)), before, None)[0].key for build in "bcb"}
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
        (one,) = alarms_of(point(monitor=self.monitor(15, 3)), [], None)
        assert one.key == "drift:1"
        assert "15 groups of pairs got worse and 3 better" in one.detail
        assert "the evidence is 28.96" in one.detail

    def test_marks_have_their_own_words(self):
        now = point(monitor=self.monitor(15, 3), systems=[])
        (one,) = alarms_of(now, [], None)
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

    def test_parts_and_undefined_tests_raise_none(self):
        assert kinds(self.now(0.0001, kind="part")) == []
        assert kinds(self.now(None)) == []


class TestAgreement:
    def now(self, low):
        watched = {"low": low, "level": 0.975, "denominator": 40}
        return point(watched_agreement=watched)

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
