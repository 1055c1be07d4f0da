"""Judges side by side, and two reports: pages and API."""

from __future__ import annotations

import pytest

from annotation.domain.digests import digest_of
from annotation.domain.outcomes import Order, Outcome, choice_for
from annotation.models import Exposure
from calibration.models import Look, Report
from judging.models import JudgeConfig, Run
from tests.calibration.reviews import looked
from tests.calibration.several import several_world
from tests.calibration.views.test_reports import words
from tests.calibration.world import (
    DEV_ONLY,
    TOLD,
    Told,
    World,
    answer,
    make_config,
    make_run,
    make_world,
)

pytestmark = pytest.mark.django_db
DOORS = (
    "/gold-sets/{set}/compare/",
    "/gold-sets/{set}/compare/?judge={one}&judge=other&split=dev",
    "/reports/compare/",
    "/reports/compare/?before={before}&after={after}",
    "/api/v1/gold-sets/{set}/compare?judge={one}&judge=other",
    "/api/v1/reports/compare?before={before}&after={after}",
)


@pytest.fixture
def two(db):
    world = make_world()
    return world, world.run_again("other")


def asked(world: World, name: str, temperature: int) -> Run:
    config = make_config(f"{name}-base")
    fields = {f.attname: getattr(config, f.attname) for f in config._meta.fields}
    spec = {"model": "m", "params": {"temperature": temperature}}
    fields |= {"id": None, "name": name, "spec": spec, "digest": digest_of(spec)}
    return make_run(world.gold_set, JudgeConfig.objects.create(**fields))


def url(door, two, **more):
    one, other = two
    found = {
        "set": one.gold_set.name,
        "one": one.run.config.name,
        "before": one.report().pk,
        "after": other.report().pk,
    }
    return door.format(**found | more)


def sent(client, path):
    return client.post(path, {"look_reason": "due"}, content_type="application/json")


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("role", ["lead", "auditor"])
def test_leads_and_auditors_may_come(two, client_of, door, role, request):
    user = request.getfixturevalue(role)
    assert client_of(user).get(url(door, two)).status_code == 200


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("role", ["reviewer", "adjudicator", "outsider"])
def test_nobody_else_may(two, client_of, door, role, request):
    user = request.getfixturevalue(role)
    assert client_of(user).get(url(door, two)).status_code == 403
    assert not Look.objects.exists()


@pytest.mark.parametrize("door", DOORS)
def test_strangers_may_not(two, client, door):
    assert client.get(url(door, two)).status_code in (302, 401, 403)


class TestJudges:
    def test_the_choice_comes_first(self, two, lead_client):
        text = words(lead_client.get(url(DOORS[0], two)))
        assert two[0].run.config.name in text
        assert "Ranking" not in text

    def test_dev_is_no_look_and_says_that_they_are_alike(self, two, lead_client, lead):
        reply = lead_client.get(url(DOORS[1], two))
        text = words(reply)
        assert "do not tell it from" in text
        assert "not separable" in text
        assert "1 pair no judge got right" in text
        assert "case-0002" in text
        assert not Look.objects.exists()
        assert Exposure.objects.filter(user=lead).values("pair").distinct().count() == 1

    def test_held_out_is_a_look_at_each_and_names_no_case(self, two, lead_client):
        door = DOORS[1].replace("split=dev", "split=held_out")
        asking = words(lead_client.get(url(door, two)))
        assert "showing them is 2 looks: 0 of 10 are used, and these would add 2" in (
            asking
        )
        assert "Ranking" not in asking
        assert not Look.objects.exists()
        text = words(looked(lead_client, url(door, two)))
        assert "2 pairs no judge got right" in text
        assert "case-00" not in text
        assert Look.objects.count() == 2
        assert words(lead_client.get(url(door, two))) == text

    def test_a_judge_whose_report_was_seen_is_not_asked_for(self, two, lead_client):
        looked(lead_client, f"/reports/{two[0].report().pk}/")
        door = url(DOORS[1].replace("split=dev", "split=held_out"), two)
        text = words(lead_client.get(door))
        assert "is a look: 1 of 10 are used, and this would be one more" in text
        looked(lead_client, door)
        assert Look.objects.count() == 2

    def test_asking_leaves_no_report(self, two, lead_client):
        world, other = two
        door = "/gold-sets/{}/compare/?judge={}&judge=other&split=held_out"
        path = door.format(world.gold_set.name, world.run.config.name)
        assert "closed" in words(lead_client.get(path))
        assert "Say why you look" in words(lead_client.post(path, {"reason": " "}))
        assert not Look.objects.exists()
        assert not Report.objects.exists()
        assert other.run.status == "done"

    def test_past_the_budget_it_asks_for_a_reason(self, client_of, lead):
        world = make_world(look_budget=0)
        both = (world, world.run_again("other"))
        door = DOORS[1].replace("split=dev", "split=held_out")
        assert "needs a reason" in words(client_of(lead).get(url(door, both)))
        assert not Look.objects.exists()
        said = words(looked(client_of(lead), url(door, both)))
        assert "Ranking" in said
        assert Look.objects.count() == 2

    def test_pairs_of_one_case_are_told_apart(self, lead_client):
        world = several_world(["BBB BCC CBB"])
        text = words(lead_client.get(url(DOORS[1], (world, world.run_again("other")))))
        assert "They are: case-0000 v12|v14, case-0000 v13|v14." in text

    def test_one_judge_is_refused_in_words(self, two, lead_client):
        door = DOORS[1].replace("&judge=other", "")
        assert "Name two or more judges" in words(lead_client.get(url(door, two)))

    def test_a_set_without_runs(self, two, lead_client):
        world, _ = two
        world.gold_set.pk, world.gold_set.name = None, "empty"
        world.gold_set.save()
        assert "No run of a judge" in words(
            lead_client.get("/gold-sets/empty/compare/")
        )

    def test_the_api_says_the_same(self, two, lead_client, lead):
        found = lead_client.get(url(DOORS[4], two)).json()
        assert (found["pairs"], found["shared_wrong"]) == (3, 1)
        assert found["all_wrong"] == ["case-0002"]
        assert found["all_wrong_systems"] == [["v12", "v13"]]
        assert found["judges"][0]["not_separable"]
        (differ,) = found["configs"][0]["differ"]
        assert (differ["field"], differ["after"]) == ("rubric_version", "other")
        door = url(DOORS[4], two) + "&split=held_out"
        needed = lead_client.get(door)
        assert (needed.status_code, needed.json()["code"]) == (409, "look_needed")
        assert needed.json()["detail"]["n"] == 0
        assert not Look.objects.exists()
        held = sent(lead_client, door).json()
        assert (held["shared_wrong"], held["all_wrong"]) == (2, [])
        assert held["all_wrong_systems"] == held["all_wrong_pairs"] == []
        assert lead_client.get(door).json() == held
        assert {look.door for look in Look.objects.all()} == {"api"}

    def test_the_api_refuses(self, two, lead_client):
        base = "/api/v1/gold-sets/{set}/compare"
        assert lead_client.get(url(base, two)).status_code == 400
        reply = lead_client.get(url(base + "?judge=other&judge=nobody", two))
        assert (reply.status_code, reply.json()["code"]) == (404, "run_unknown")


class TestReports:
    def test_side_by_side_with_what_moved(self, two, lead_client):
        asking = words(lead_client.get(url(DOORS[3], two)))
        assert "showing them is 2 looks" in asking
        assert "What moved, dev" in asking
        assert "What moved, held-out" not in asking
        assert not Look.objects.exists()
        text = words(looked(lead_client, url(DOORS[3], two)))
        assert "Nothing is shown to have moved" in text
        assert "What moved, dev" in text
        assert "What moved, held-out" in text
        assert "Dev, before" in text
        assert "Rubric version" in text
        assert Look.objects.count() == 2

    def test_of_one_judge_that_ran_twice_nothing_differs(self, lead_client):
        world = make_world()
        again = looked(lead_client, url(DOORS[3], (world, world.run_again())))
        assert "Nothing that a verdict depends on" in words(again)

    def test_a_changed_judge_that_differs_in_one_part(self, lead_client):
        told = [Told("dev", "B", "C", "C") for _ in range(12)]
        world = make_world(told)
        before, after = (
            asked(world, name, heat) for name, heat in (("warm", 1), ("cold", 0))
        )
        for pair in world.gold_set.pairs.all():
            for order in Order:
                for run, said in (
                    (before, Outcome.CANDIDATE),
                    (after, Outcome.BASELINE),
                ):
                    answer(run, pair, order, choice_for(said, order).value)
        both = tuple(World(world.gold_set, world.gold, run) for run in (before, after))
        text = words(lead_client.get(url(DOORS[3], both)))
        assert "Shown to have moved: exact agreement on dev, false candidate" in text
        assert "12 pairs before and after" in text
        assert "Body fields: temperature 1 0" in text
        assert "Nothing else differs" in text
        door = "/gold-sets/{set}/compare/?judge=warm&judge=cold&split=dev"
        text = words(lead_client.get(url(door, both)))
        assert "cold agrees with gold more often than every other" in text
        assert "Body fields: temperature warm less cold: -100.0 points" in text

    def test_past_the_budget_dev_alone(self, lead_client):
        world = make_world(look_budget=0)
        both = (world, world.run_again("other"))
        text = words(lead_client.get(url(DOORS[3], both)))
        assert "dev only" in text
        assert "What moved, held-out" not in text
        assert not Look.objects.exists()

    def test_a_budget_of_one_shows_both_or_none(self, lead_client):
        world = make_world(look_budget=1)
        both = (world, world.run_again("other"))
        assert "dev only" in words(lead_client.get(url(DOORS[3], both)))
        assert not Look.objects.exists()

    def test_the_same_report_twice_is_refused(self, two, lead_client):
        door = "/reports/compare/?before={before}&after={before}"
        assert "two different reports" in words(lead_client.get(url(door, two)))
        api = "/api/v1/reports/compare?before={before}&after={before}"
        assert lead_client.get(url(api, two)).status_code == 400

    def test_different_gold_is_said(self, lead_client):
        one = make_world(DEV_ONLY, name="one")
        other = make_world(DEV_ONLY, name="two")
        text = words(lead_client.get(url(DOORS[3], (one, other))))
        assert "on different gold" in text
        assert "What moved, dev" not in text
        found = lead_client.get(url(DOORS[5], (one, other))).json()
        assert found["moved"] is None
        assert found["why_not"].startswith("The reports are on different gold")

    def test_the_api_gives_the_paired_figures(self, two, lead_client):
        door = url(DOORS[5], two)
        needed = lead_client.get(door).json()
        assert needed["held_out_left_out"]
        assert "is 2 looks" in needed["look_needed"]
        assert needed["moved"]["held_out"] is None
        assert not Look.objects.exists()
        unsaid = lead_client.post(door, {}, content_type="application/json")
        assert unsaid.status_code == 400
        found = sent(lead_client, door).json()
        assert (found["held_out_left_out"], found["look_needed"]) == (False, "")
        assert lead_client.get(door).json() == found
        assert set(found["moved"]) == {"dev", "held_out"}
        assert found["moved"]["held_out"] is not None
        first = found["moved"]["dev"]["moves"][0]
        assert (first["figure"], first["gained"]) == ("exact_agreement", 0)
        assert found["before"]["judge"] == two[0].run.config.name


def test_reports_on_a_set_without_splits_are_compared_on_all_pairs(lead_client):
    world = make_world([Told("", t.gold, t.there, t.back) for t in TOLD])
    two = world, world.run_again("other")
    found = lead_client.get(url(DOORS[5], two)).json()["moved"]
    assert (found["dev"]["pairs"], found["all"]["pairs"]) == (0, 7)
    page = lead_client.get(url(DOORS[3], two)).content.decode()
    assert "What moved, all pairs" in page
