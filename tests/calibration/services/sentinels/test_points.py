from __future__ import annotations

from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from annotation.models import Adjudication
from calibration.domain.monitor import evidence
from calibration.models import SentinelAlarm, SentinelCheck, SentinelPoint
from calibration.services.sentinels.points import payload_of
from calibration.services.sentinels.tending import settle_sentinels
from judging.models import RunPurpose, RunStatus
from judging.services.run_options import RunOptions
from judging.services.starting import start_run
from tests.annotation.factory import START, make_set
from tests.calibration.sentinels import DAY, Watched, finish, make_watched
from tests.calibration.services.sentinels.marking import mark
from tests.judging.pointwise_judges import pointwise_judge

pytestmark = pytest.mark.django_db


def payloads(kind: str = "") -> list[dict[str, Any]]:
    rows = SentinelPoint.objects.order_by("pk")
    if kind:
        rows = rows.filter(sentinel_check__kind=kind)
    return [payload_of(point) for point in rows]


def counts(figure: dict[str, Any]) -> tuple[int, int]:
    return figure["numerator"], figure["denominator"]


def pairs_of(watched: Watched, part: int) -> list[int]:
    rows = watched.panel.members.filter(part=part).order_by("pair")
    return list(rows.values_list("pair", flat=True))


def test_a_reference_has_agreement_and_nothing_to_compare_with():
    watched = make_watched(8)
    told = watched.check("B")
    (point,) = payloads()
    assert [p.pk for p in told.points] == [SentinelPoint.objects.get().pk]
    assert (point["kind"], point["cycle"], point["part"]) == ("reference", 1, 0)
    assert (point["agreement"]["numerator"], point["agreement"]["denominator"]) == (
        8,
        8,
    )
    assert point["against_first"] is point["against_reference"] is None
    assert point["monitor"]["evidence"] == 1.0
    assert point["changed"] == []
    assert point["judge"]["digest"] == watched.panel.series.get().judge_digest


def test_a_part_is_compared_with_the_reference_and_its_changes_are_named():
    watched = make_watched(8)
    watched.check("B")
    one, two, *_ = pairs_of(watched, 1)
    watched.check({one: "C", two: "I"})
    point = payloads()[-1]
    drift = point["against_first"]
    assert drift["counts"] == {
        "n": 3, "left_out": 1, "changed": 1, "worse": 1, "better": 0, "neutral": 0,
    }  # fmt: skip
    assert drift["test"]["p_value"] == 1.0
    assert counts(drift["change_rate"]) == (1, 3)
    keys = ("pair", "before", "now", "change")
    assert [tuple(each[key] for key in keys) for each in point["changed"]] == [
        (one, "baseline", "candidate", "worse"),
        (two, "baseline", "invalid", "left_out"),
    ]
    assert point["monitor"]["evidence"] == pytest.approx(evidence(1, 0))
    assert point["invalid_rate"]["numerator"] == 1
    assert point["agreement"]["numerator"] == 2
    assert (
        point["watched_agreement"]["low"] <= 0.5 <= point["watched_agreement"]["high"]
    )


def test_evidence_adds_up_over_parts_and_multiplies_over_references():
    watched = make_watched(8, parts=2)
    watched.check("B")
    watched.check("C")
    watched.check("C")
    assert payloads()[-1]["monitor"]["worse"] == 8
    assert payloads()[-1]["monitor"]["evidence"] == pytest.approx(evidence(8, 0))
    watched.check("C")
    fresh = payloads()[-1]
    assert (fresh["kind"], fresh["cycle"]) == ("reference", 2)
    assert fresh["against_first"]["counts"]["worse"] == 8
    assert fresh["monitor"]["evidence"] == pytest.approx(evidence(8, 0))
    watched.check("B")
    last = payloads()[-1]
    assert last["monitor"]["references"] == 2
    assert last["monitor"]["evidence"] == pytest.approx(evidence(8, 0) * evidence(0, 4))


def test_noise_of_a_rerun_stands_beside():
    watched = make_watched(8)
    watched.check("B")
    assert payloads()[-1]["rerun"] is None
    config = watched.panel.series.get().config
    for purpose, said in ((RunPurpose.CALIBRATION, "B"), (RunPurpose.NOISE, "C")):
        run = start_run(
            config=config,
            gold_set=watched.gold_set,
            concurrency=1,
            by=None,
            now=START,
            options=RunOptions(purpose=purpose),
        )
        finish(SimpleNamespace(run=run), {pairs_of(watched, 1)[0]: said})
    watched.check("B")
    assert counts(payloads()[-1]["rerun"]) == (1, 4)


def test_a_check_that_cannot_be_read_holds_no_other_up():
    broken, fine = make_watched(name="broken"), make_watched(name="fine", judge="two")
    (one,), (other,) = broken.start(), fine.start()
    one.run.status = RunStatus.DONE  # though its calls have no answers
    one.run.save()
    finish(other)
    told = settle_sentinels(now=fine.now)
    assert [point.sentinel_check for point in told.points] == [other]
    assert "broken: Run" in told.problems[0]


def test_points_are_recorded_once_and_stay():
    watched = make_watched()
    watched.check()
    assert settle_sentinels(now=watched.now).points == ()
    for change in ({"payload": "{}"}, {"digest": "1" * 64}):
        with pytest.raises(IntegrityError, match="guard"), transaction.atomic():
            SentinelPoint.objects.update(**change)
    with pytest.raises(IntegrityError, match="guard"), transaction.atomic():
        SentinelCheck.objects.update(part=3, kind="part")


def test_runs_under_way_have_no_point():
    watched = make_watched()
    watched.start()
    assert settle_sentinels(now=watched.now).points == ()


def test_all_invalid_is_said_and_proves_nothing():
    watched = make_watched()
    watched.check("B")
    watched.check("I")
    point = payloads()[-1]
    assert point["against_first"]["counts"]["n"] == 0
    assert point["against_first"]["test"]["p_value"] is None
    assert point["against_first"]["change_rate"]["value"] is None
    assert point["invalid_rate"]["value"] == 1.0
    assert not SentinelAlarm.objects.filter(kind="drift").exists()


def test_verdicts_that_became_unusable_are_evidence_of_their_own():
    watched = make_watched(16, parts=2, most_invalid=None)
    watched.check("B")
    watched.check("I")  # 8 of 8: evidence 94.6
    point = payloads()[-1]
    assert point["usable"]["evidence"] == pytest.approx(evidence(8, 0))
    assert (point["monitor"]["worse"], point["monitor"]["evidence"]) == (0, 1.0)
    assert [alarm.kind for alarm in SentinelAlarm.objects.all()] == ["invalid"]
    assert "8 groups of verdicts are invalid" in SentinelAlarm.objects.get().detail


def test_a_judge_that_never_gave_a_verdict_is_told_at_its_first_reference():
    watched = make_watched(8)
    watched.check("I")
    point = payloads()[-1]
    assert counts(point["watched_invalid"]) == (8, 8)
    assert point["watched_invalid"]["level"] == pytest.approx(0.975)
    (alarm,) = SentinelAlarm.objects.all()
    assert (alarm.kind, alarm.key) == ("invalid", f"invalid:{point['series']}")
    assert "More than 5.0 % of verdicts are invalid: at least" in alarm.detail


def test_invalid_verdicts_of_a_cycle_add_up_over_its_parts():
    watched = make_watched(8, parts=2, most_invalid=Decimal("0.9"))
    watched.check("I")
    assert payloads()[-1]["watched_invalid"]["denominator"] == 8
    for seen in (4, 8):
        watched.check("I")
        found = payloads()[-1]["watched_invalid"]
        assert (found["denominator"], found["level"]) == (seen, 1 - 0.05 / 6)
    watched.check("I")
    assert payloads()[-1]["watched_invalid"]["level"] == 1 - 0.05 / 12
    assert not SentinelAlarm.objects.exists()


def test_what_changed_since_the_reference_adds_up_over_its_parts():
    watched = make_watched(8, parts=2)
    watched.check("B")
    assert payloads()[-1]["since_reference"] is None
    watched.check({pairs_of(watched, 1)[0]: "C"})
    assert counts(payloads()[-1]["since_reference"]["change_rate"]) == (1, 4)
    watched.check(dict.fromkeys(pairs_of(watched, 2), "T"))
    since = payloads()[-1]["since_reference"]
    assert counts(since["change_rate"]) == (5, 8)
    assert (since["worse_groups"], since["test"]["n"]) == (5, 5)
    watched.check("B")
    assert payloads()[-1]["since_reference"] is None
    watched.check("B")
    assert counts(payloads()[-1]["since_reference"]["change_rate"]) == (0, 4)


def test_marks_that_became_invalid_are_evidence_too():
    pointwise_judge(name="marker", scale={"kind": "pass_fail"})
    watched = make_watched(6, pointwise_judge="marker")
    for marks in ({}, {"v12": None, "v13": None}):
        pairs, marked = watched.start()
        finish(pairs, "B")
        mark(marked, marks)
        settle_sentinels(now=watched.now)
    last = payloads()[-1]
    assert last["usable"]["evidence"] == pytest.approx(evidence(3, 0))
    assert counts(last["watched_invalid"]) == (3, 3)
    assert last["since_reference"]["left_out"] == 6
    assert {(one["before"], one["now"]) for one in last["changed"]} == {
        ("1", "invalid")
    }


class TestFresh:
    def ruled(self, gold_set, number, outcome, user, days=1):
        pair = gold_set.pairs.get(case__external_id=f"live-{number:04d}")
        before = Adjudication.objects.filter(pair=pair).count()
        return Adjudication.objects.create(
            pair=pair,
            sequence=1 + before,
            previous_digest="f" * 64 if before else "",
            adjudicator=user,
            outcome=outcome,
            category="unclear",
            note="said so",
            digest=f"{Adjudication.objects.count():0>64}",
            created_at=START + days * DAY,
        )

    @pytest.fixture
    def live(self, adjudicator):
        from tests.annotation.factory import add_case

        gold_set = make_set(0, name="production")
        systems = list(gold_set.systems.all())
        for number in range(3):
            add_case(gold_set, systems, f"live-{number:04d}", prompt=f"Live {number}")
        add_case(gold_set, systems, "live-0003", split="held_out", prompt="Live 3")
        return gold_set

    def test_newly_ruled_pairs_are_judged_once_beside_the_panel(
        self, live, adjudicator
    ):
        watched = make_watched(production="production")
        self.ruled(live, 0, "baseline", adjudicator, days=-1)  # before the panel
        self.ruled(live, 1, "candidate", adjudicator, days=0.1)
        self.ruled(live, 2, "candidate", adjudicator, days=0.2)
        self.ruled(live, 2, "baseline", adjudicator, days=0.3)
        self.ruled(live, 3, "baseline", adjudicator, days=0.4)  # held out
        watched.check("B")
        (point,) = payloads("fresh")
        assert point["pairs"] == 2
        assert point["agreement"]["numerator"] == 1
        assert point["monitor"] is point["against_first"] is None
        watched.check("B")
        assert len(payloads("fresh")) == 1
        assert payloads()[-1]["part"] == 1

    def test_none_without_a_production_set(self, live, adjudicator):
        watched = make_watched()
        self.ruled(live, 1, "candidate", adjudicator)
        watched.check("B")
        assert payloads("fresh") == []


def test_marks_over_time_are_rates_by_system_and_changes():
    pointwise_judge(name="marker", scale={"kind": "pass_fail"})
    watched = make_watched(6, pointwise_judge="marker")
    for marks in ({}, {"v13": 0}):
        pairs, marked = watched.start()
        finish(pairs, "B")
        mark(marked, marks)
        settle_sentinels(now=watched.now)
    _, first, _, last = payloads()
    assert "systems" not in payloads()[0]
    assert [s["pass_rate"]["value"] for s in first["systems"]] == [1.0, 1.0]
    assert [s["pass_rate"]["value"] for s in last["systems"]] == [1.0, 0.0]
    assert [s["pass_rate"]["denominator"] for s in last["systems"]] == [3, 3]
    assert (last["against_first"]["lower"], last["against_first"]["higher"]) == (3, 0)
    assert last["against_first"]["n"] == 6
    assert last["monitor"]["evidence"] == pytest.approx(evidence(3, 0, two_sided=True))
    assert {one["system"] for one in last["changed"]} == {"v13"}
