from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from django.db import IntegrityError, transaction

from annotation.models import Case
from calibration.models import SentinelPair, SentinelPanel
from calibration.services.sentinels.defining import (
    SentinelPlan,
    define_sentinel,
    end_sentinel,
    sentinel_named,
)
from config.errors import Conflict, DomainError, NotFound
from tests.annotation.factory import START, make_set
from tests.calibration.sentinels import make_watched
from tests.calibration.world import Told, make_world
from tests.judging.factory import ADDRESS, freeze_gold, make_judge
from tests.judging.pointwise_judges import pointwise_judge

pytestmark = pytest.mark.django_db
PLAN = SentinelPlan(name="daily", gold_set="set-1", judge="judge", parts=2)


def define(**changes):
    return define_sentinel(plan=replace(PLAN, **changes), by=None, now=START)


@pytest.fixture
def ready(db):
    gold_set = make_set(8)
    freeze_gold(gold_set)
    make_judge(ADDRESS)
    return gold_set


def test_pairs_are_fixed_by_digest_and_dealt_to_parts(ready):
    panel = define(parts=4, seed=9)
    members = panel.members.select_related("pair")
    assert sorted(m.part for m in members) == [1, 1, 2, 2, 3, 3, 4, 4]
    assert all(m.digest == m.pair.digest for m in members)
    other = define(name="other", parts=4, seed=9)
    assert _parts(panel) == _parts(other)
    assert _parts(panel) != _parts(define(name="third", parts=4, seed=10))


def _parts(panel):
    return list(panel.members.order_by("pair").values_list("pair", "part"))


def test_a_part_of_the_pairs_is_drawn_by_the_seed(ready):
    assert define(pairs=4).members.count() == 4
    assert define(name="all", pairs=80).members.count() == 8


def told(*splits_and_gold):
    make_judge(ADDRESS)
    return make_world([Told(split, gold, "T", "T") for split, gold in splits_and_gold])


def test_held_out_pairs_are_never_watched():
    """Also those that only another set holds out."""
    told(("held_out", "B"), *[("dev", "B")] * 5)
    other = make_set(2, name="other")
    Case.objects.filter(gold_set=other, external_id="case-0001").update(
        split="held_out"
    )
    cases = define().members.values_list("pair__case__external_id", flat=True)
    assert sorted(cases) == [f"case-{i:04d}" for i in range(2, 6)]


def test_pairs_without_gold_are_left_out():
    told(("dev", "U"), *[("dev", letter) for letter in "BCTA"])
    assert define().members.count() == 4


def test_a_set_of_none_is_refused():
    told(("dev", "U"), ("held_out", "B"))
    with pytest.raises(Conflict, match="no pair that could be watched"):
        define()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"name": "a b"}, "letters, digits"),
        ({"parts": 0}, "parts: must be 1"),
        ({"period_hours": 0}, "period_hours"),
        ({"pairs": 0}, "pairs"),
        ({"seed": -1}, "seed"),
        ({"concurrency": 0}, "concurrency"),
        ({"least_agreement": Decimal("NaN")}, "least_agreement"),
        ({"least_agreement": Decimal("1.2")}, "least_agreement"),
        ({"least_agreement": Decimal("0.8005")}, "least_agreement"),
        ({"judge": "nobody"}, "no judge 'nobody'"),
        ({"gold_set": "nothing"}, "nothing"),
        ({"production": "nothing"}, "nothing"),
        ({"parts": 9}, "8 groups of pairs can't be cut into 9 parts"),
        ({"pointwise_judge": "judge"}, "gives no marks"),
    ],
)
def test_what_is_refused(ready, change, words):
    with pytest.raises(DomainError, match=words):
        define(**change)
    assert not SentinelPanel.objects.exists()


def test_a_pointwise_judge_has_its_own_place(ready):
    marker = pointwise_judge(name="marker")
    with pytest.raises(Conflict, match="marks single responses"):
        define(judge="marker")
    assert define(pointwise_judge="marker").pointwise_judge == marker.name


def test_a_name_is_given_once(ready):
    define()
    with pytest.raises(Conflict, match="already"):
        define()


def test_ending_is_once_and_nothing_else_changes(ready, lead):
    panel = end_sentinel(panel=define(), by=lead, now=START)
    assert (panel.ended_by, panel.ended_at) == (lead, START)
    with pytest.raises(Conflict, match="ended already"):
        end_sentinel(panel=panel, by=lead, now=START)
    for rows, change in (
        (SentinelPanel.objects, {"seed": 5}),
        (SentinelPair.objects, {"part": 1}),
    ):
        with pytest.raises(IntegrityError, match="guard"), transaction.atomic():
            rows.update(**change)
    with pytest.raises(IntegrityError, match="guard"), transaction.atomic():
        SentinelPanel.objects.all()._raw_delete("default")


def test_panels_by_name():
    watched = make_watched()
    assert sentinel_named("daily").pk == watched.panel.pk
    with pytest.raises(NotFound, match="no sentinel panel 'weekly'"):
        sentinel_named("weekly")
