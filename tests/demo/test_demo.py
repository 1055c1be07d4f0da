"""What `demo --no-serve` leaves behind."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client

from annotation.domain.outcomes import Order, Outcome, Split
from annotation.models import (
    Adjudication,
    Case,
    GoldItem,
    GoldSet,
    GoldVersion,
    Label,
    Pair,
    Round,
)
from calibration.management.demo import gold, judge, release, watching
from calibration.management.demo.people import LOGINS, PASSWORD
from calibration.models import (
    Decision,
    SentinelAlarm,
    SentinelPanel,
    SentinelPoint,
)
from config.accounts.models import User
from config.accounts.roles import Role
from judging.models import Call, JudgeConfig, Run, RunPurpose, RunStatus
from tests.annotation.commands.imports import row_counts
from tests.demo.conftest import Demo, run_demo

if TYPE_CHECKING:
    from collections.abc import Iterable

LIMIT_SECONDS = 90


def simulated_labels() -> Iterable[Label]:
    return Label.objects.filter(seat__round__name=gold.SIMULATED_ROUND).select_related(
        "pair__case", "reviewer"
    )


def demo_set() -> GoldSet:
    return GoldSet.objects.get(name="demo-support")


def test_it_ends_in_time(demo: Demo) -> None:
    assert demo.seconds < LIMIT_SECONDS


def test_it_says_what_it_does_and_who_may_sign_in(demo: Demo) -> None:
    places = [demo.said.index(f"[{n}/7]") for n in range(1, 8)]
    assert places == sorted(places)
    assert "All of it is simulated" in demo.said
    assert "SIMULATED JUDGE" in demo.said
    logins = demo.said[demo.said.index("Logins, all with the password") :]
    assert PASSWORD in logins
    for role in Role:
        assert f"\n  {role.value} " in logins


def test_running_it_again_changes_nothing(demo: Demo) -> None:
    before = row_counts()
    said = run_demo()
    assert row_counts() == before
    assert "is complete already" in said
    assert "Calibration report" in said


def test_another_port_when_the_usual_one_is_taken(demo: Demo) -> None:
    config = JudgeConfig.objects.get()
    assert config.provider is not None
    assert f":{judge.PORT}/" not in config.provider.base_url
    assert config.provider.simulated


def test_the_set_is_marked_as_simulated_and_has_what_is_promised(demo: Demo) -> None:
    found = demo_set()
    assert found.simulated
    assert found.question
    cases = Case.objects.filter(gold_set=found)
    assert cases.count() >= 60
    slices = [case.slices for case in cases]
    assert len({s["category"] for s in slices}) == 3
    assert len({s["language"] for s in slices}) == 2
    assert Case.objects.filter(critical=True).exists()
    assert {case.split for case in cases} == {"dev", "held_out"}
    designed = set(Pair.objects.values_list("designed", flat=True))
    assert {"tie", "abstain"} <= designed
    flags = {flag for pair in Pair.objects.all() for flag in pair.flags}
    assert "identity_leak" in flags


def test_every_fixture_label_went_through_the_queue_once(demo: Demo) -> None:
    stored = {
        (label.reviewer.username, label.pair.case.external_id): label.outcome
        for label in simulated_labels()
        if label.reviewer is not None
    }
    wanted = {key: said.outcome.value for key, said in demo.fixture.labels.items()}
    assert stored == wanted
    assert not Label.objects.filter(seat__isnull=True).exists()


def test_slots_are_balanced(demo: Demo) -> None:
    labels = list(simulated_labels())
    strata = {
        "all": labels,
        **{
            split.value: [x for x in labels if x.pair.case.split == split.value]
            for split in Split
        },
    }
    passes = demo_set().labels_per_pair
    for name, rows in strata.items():
        counts = Counter(label.order for label in rows)
        difference = counts[Order.BASELINE_FIRST] - counts[Order.CANDIDATE_FIRST]
        # At most one for each labelling pass.
        assert abs(difference) <= passes, name


def test_gold_is_frozen_with_rulings_and_their_notes(demo: Demo) -> None:
    version = GoldVersion.objects.get()
    assert version.digest
    assert version.left_open == len(demo.fixture.unlabelled) > 0
    outcomes = Counter(GoldItem.objects.values_list("outcome", flat=True))
    assert all(outcomes[name] for name in ("baseline", "candidate", "tie", "abstain"))
    rulings = Adjudication.objects.all()
    assert rulings.count() == len(demo.fixture.rulings) > 0
    assert all(ruling.note.strip() for ruling in rulings)


def test_every_pair_is_judged_once_in_both_orders(demo: Demo) -> None:
    runs = Run.objects.exclude(purpose=RunPurpose.SENTINEL)
    assert [run.status for run in runs] == [RunStatus.DONE] * 2
    calls = Call.objects.filter(run__in=runs)
    assert calls.filter(reply__isnull=False).count() == 2 * Pair.objects.count()
    assert {call.attempts.count() for call in calls} == {1}


def test_the_open_round_holds_only_fresh_pairs(demo: Demo) -> None:
    round_ = Round.objects.get(name=gold.OPEN_ROUND)
    assert round_.is_open
    assert not Round.objects.get(name=gold.SIMULATED_ROUND).is_open
    ids = set(round_.seats.values_list("pair__case__external_id", flat=True))
    assert ids == demo.fixture.unlabelled


def test_the_open_round_asks_for_all_that_a_round_can(demo: Demo) -> None:
    round_ = Round.objects.get(name=gold.OPEN_ROUND)
    chosen = round_.seats.filter(retest_wanted=True)
    assert chosen.values("pair").distinct().count() == 3
    browser = Client()
    assert browser.login(username=Role.REVIEWER.value, password=PASSWORD)
    page = browser.get(f"/label/{round_.pk}/").content.decode()
    assert "Much better" in page, "the guideline speaks of strength"
    assert "Invented account action" in page
    assert "Answers the question" in page


@pytest.mark.parametrize("role", [Role.REVIEWER, Role.ADJUDICATOR])
def test_who_labels_can_start_at_once(demo: Demo, role: Role) -> None:
    browser = Client()
    assert browser.login(username=role.value, password=PASSWORD)
    round_ = Round.objects.get(name=gold.OPEN_ROUND)
    home = browser.get("/", follow=True).content.decode()
    assert f"/label/{round_.pk}/" in home
    page = browser.get(f"/label/{round_.pk}/")
    assert page.status_code == 200
    assert round_.assignments.filter(reviewer__username=role.value).count() == 1


@pytest.mark.parametrize("role", [Role.LEAD, Role.AUDITOR])
def test_who_reads_finds_the_report(demo: Demo, role: Role) -> None:
    browser = Client()
    assert browser.login(username=role.value, password=PASSWORD)
    home = browser.get("/", follow=True)
    assert home.status_code == 200
    assert demo_set().title in home.content.decode()


def test_simulated_people_can_not_sign_in(demo: Demo) -> None:
    names = {login.username for login in LOGINS}
    others = User.objects.exclude(username__in=names)
    assert others.count() >= 4
    assert not any(user.has_usable_password() is True for user in others)
    for login in LOGINS:
        groups = User.objects.get(username=login.username).groups
        assert list(groups.values_list("name", flat=True)) == [login.role.value]


@pytest.mark.django_db
def test_it_refuses_where_it_is_not_asked_for(monkeypatch: Any) -> None:
    monkeypatch.setattr(settings, "EVENHAND_DEMO", False)
    monkeypatch.setattr(settings, "DEBUG", False)
    with pytest.raises(CommandError, match="EVENHAND_DEMO=1"):
        call_command("demo", no_serve=True)
    assert not User.objects.exists()


def test_it_ends_with_a_decision_on_simulated_data(demo: Demo) -> None:
    """Planted: a better candidate, and a judge that follows the first slot."""
    decision = Decision.objects.get()
    payload = json.loads(decision.payload)
    results = {one["key"]: one["result"] for one in payload["conditions"]}
    assert decision.policy.frozen_at is not None
    assert decision.policy.frozen_at < decision.run.created_at
    assert payload["simulated"]
    assert decision.result == "hold"
    assert results["minimumCandidatePreferenceLowerBound"] == "pass"
    assert results["maximumSwapFlipRate"] == "fail"
    said = demo.said[demo.said.index("[6/7]") : demo.said.index("[7/7]")]
    assert "SIMULATED DATA" in said
    assert "Hold: at least one condition" in said


def test_the_planted_share_lies_in_the_release_interval(demo: Demo) -> None:
    """Of decisive cases 62 / 84 go to the candidate, less what the judge gets wrong."""
    share = json.loads(Decision.objects.get().payload)["summary"]["preference"]
    planted = Counter(case["outcome"] for case in release.cases(demo.fixture))
    won, lost = planted[Outcome.CANDIDATE], planted[Outcome.BASELINE]
    found = share["decisive_share"]
    assert found["low"] <= won / (won + lost) <= found["high"]


def test_the_judge_is_watched_and_has_not_drifted(demo: Demo, client: Client) -> None:
    panel = SentinelPanel.objects.get()
    assert (panel.name, panel.members.count()) == (watching.SENTINEL, watching.PAIRS)
    assert not Case.objects.filter(
        pairs__in=panel.members.values("pair"), split="held_out"
    ).exists()
    points = SentinelPoint.objects.order_by("pk")
    kinds = [json.loads(point.payload)["kind"] for point in points]
    assert kinds == ["reference", *["part"] * watching.PARTS]
    assert not SentinelAlarm.objects.exists()
    client.force_login(User.objects.get(username="lead"))
    page = client.get(f"/sentinels/panels/{panel.name}/").content.decode()
    assert "No drift of simulated-judge v1 is shown so far." in page
    assert "SIMULATED JUDGE" in page
