"""Rule 15: while a set is sealed, no door gives out anything of its held-out pairs.

Canaries in held-out notes, rulings and raw replies are sought behind every address.
"""

from __future__ import annotations

import json
from io import StringIO
from typing import TYPE_CHECKING

import pytest
from django.core.management import CommandError, call_command

from annotation.domain.consensus import ConsensusRule
from annotation.services.exporting import Part
from annotation.services.freezing import freeze_gold
from annotation.services.held_out import Viewer, refuse_if_seen
from annotation.services.look_plans import unseal
from annotation.services.seals import Sealed
from calibration.models import Look
from calibration.services import overviews
from calibration.services.compared_pairs import ComparedPart
from calibration.services.exports import ExportKind, ExportPlan, hand_out
from calibration.services.judge_comparison import judge_comparison
from calibration.services.looks import disclose, disclosed, without_held_out
from config.errors import Conflict
from tests.annotation.factory import START
from tests.calibration.sealed import CANARY, GOOD, seal, sealed_world
from tests.calibration.walking import asked, asked_outright, leaks
from tests.calibration.world import Told, World, make_world

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test import Client

    from config.accounts.models import User

pytestmark = pytest.mark.django_db


@pytest.fixture
def sealed(adjudicator: User) -> World:
    return sealed_world(adjudicator)


@pytest.mark.parametrize("who", ["lead", "auditor"])
def test_no_address_tells_anything(
    sealed: World,
    who: str,
    request: pytest.FixtureRequest,
    client_of: Callable[[User], Client],
) -> None:
    answers = asked(client_of(request.getfixturevalue(who)), sealed)
    assert leaks(answers) == []
    assert [a.path for a in answers if a.status >= 500] == []
    assert not Look.objects.filter(word="").exists()
    # The walk must have got somewhere: refused as sealed, not as unknown.
    refused = {a.path.split("?")[0] for a in answers if "are sealed" in a.text}
    name, report = sealed.gold_set.name, sealed.report().pk
    assert refused >= {
        f"/reports/{report}/cases/",
        f"/reports/{report}/disagreements/",
        f"/reports/{report}/disagreements/open",
        f"/api/v1/reports/{report}/cases/",
        f"/api/v1/reports/{report}/disagreements/",
        f"/gold-sets/{name}/rulings/",
        f"/gold-sets/{name}/gold/1/2/",
        f"/gold-sets/{name}/export",
        f"/api/v1/gold-sets/{name}/rulings/held-out/",
        f"/api/v1/gold-sets/{name}/gold/versions/1/changes/2",
        *(f"/api/v1/gold-sets/{name}/exports/{kind.value}" for kind in ExportKind),
    }


def test_the_same_walk_finds_them_once_the_seal_is_broken(
    sealed: World, lead: User, lead_client: Client
) -> None:
    unseal(gold_set=sealed.gold_set, reason="chosen", by=lead, now=START)
    found = "\n".join(leaks(asked_outright(lead_client, sealed)))
    for door in ("/rulings/", "/exports/labels", "/exports/rulings", "/export "):
        assert door in found


class TestReport:
    def test_every_form_holds_dev_alone(
        self, sealed: World, lead_client: Client
    ) -> None:
        report = sealed.report().pk
        for path in (f"/reports/{report}.json", f"/api/v1/reports/{report}/"):
            found = lead_client.get(path).json()
            assert found["splits"]["held_out"] is found["splits"]["all"] is None
            assert found["comparison"] is None
            assert found["looks"]["sealed"] is True
            assert found["splits"]["dev"]["n"] == 4
        for path in (f"/reports/{report}/", f"/reports/{report}.html"):
            page = lead_client.get(path).content.decode()
            assert "Held-out results are sealed." in page
        assert not Look.objects.exists()

    def test_nobody_gets_a_look_by_a_reason(self, sealed: World, lead: User) -> None:
        viewer = Viewer(user=lead, door="page", reason="please")
        with pytest.raises(Sealed):
            disclose(report=sealed.report(), viewer=viewer, now=START)

    def test_the_command_prints_dev_alone(self, sealed: World) -> None:
        out = StringIO()
        call_command("report", sealed.run.pk, "--json", stdout=out)
        found = json.loads(out.getvalue())
        assert found["splits"]["held_out"] is found["splits"]["all"] is None


class TestCommands:
    def test_exports_are_refused(self, sealed: World) -> None:
        for kind in ExportKind:
            with pytest.raises(CommandError, match="sealed"):
                call_command(
                    f"export_{kind.value}", sealed.gold_set.name, "--part", "held_out",
                    "--reason", "why", stdout=StringIO(),
                )  # fmt: skip

    def test_differences_of_gold_are_refused(self, sealed: World) -> None:
        with pytest.raises(CommandError, match="sealed"):
            call_command(
                "gold_diff", sealed.gold_set.name, 1, 2, "--held-out", stdout=StringIO()
            )

    def test_comparisons_of_judges_are_refused(self, sealed: World) -> None:
        sealed.run_again("other")
        with pytest.raises(CommandError, match="sealed"):
            call_command(
                "compare_judges", "--gold-set", sealed.gold_set.name, "--judges",
                f"{sealed.run.config.name},other", "--split", "held_out",
                stdout=StringIO(),
            )  # fmt: skip

    def test_dev_stays_open(self, sealed: World) -> None:
        out = StringIO()
        call_command("export_labels", sealed.gold_set.name, "--part", "dev", stdout=out)
        call_command("gold_diff", sealed.gold_set.name, 1, 2, stdout=out)
        assert CANARY not in out.getvalue()


class TestTheSamePairsElsewhere:
    """Another set holds the same texts, in dev: the seal lies on them there too."""

    @pytest.fixture
    def other(self, sealed: World) -> World:
        told = [
            Told("dev", t.gold, t.there, t.back, t.slices, t.labels, raw=t.raw)
            for t in GOOD
        ]
        return make_world(told, name="elsewhere")

    def test_not_even_its_dev_part_is_shown(
        self, other: World, lead: User, lead_client: Client
    ) -> None:
        report = other.report()
        viewer = Viewer(user=lead, door="page")
        with pytest.raises(Sealed):
            disclosed(report=report, viewer=viewer, now=START)
        with pytest.raises(Sealed):
            without_held_out(report)
        assert lead_client.get(f"/reports/{report.pk}/").status_code == 403
        rows = lead_client.get("/api/v1/reports/").json()["results"]
        mine = [row for row in rows if row["id"] == report.pk]
        assert [row["dev_agreement"] for row in mine] == [None]

    def test_nor_its_exports_or_comparisons(self, other: World, lead: User) -> None:
        from annotation.services.held_out import Viewer

        viewer = Viewer(user=lead, door="page", reason="why")
        for kind in ExportKind:
            plan = ExportPlan(gold_set="elsewhere", kind=kind, part=Part.DEV)
            with pytest.raises(Sealed):
                hand_out(plan=plan, viewer=viewer, now=START)
        other.run_again("another")
        with pytest.raises(Sealed):
            judge_comparison(
                gold_set="elsewhere",
                judges=[other.run.config.name, "another"],
                split=ComparedPart.DEV,
                viewer=viewer,
                now=START,
            )


def test_splits_of_a_sealed_set_stay(sealed: World, lead_client: Client) -> None:
    with pytest.raises(Conflict, match="sealed"):
        refuse_if_seen(sealed.gold_set)
    splits = f"/gold-sets/{sealed.gold_set.name}/splits"
    assert lead_client.get(f"/api/v1{splits}").json()["locked"] is True
    assert not lead_client.get(f"{splits}/").context["may_write"]


def test_counts_of_a_run_leave_sealed_pairs_out(
    lead: User, lead_client: Client
) -> None:
    """Less the dev part of a report they would tell how many were invalid."""
    told = [*GOOD, Told("dev", "B", "I", "I"), Told("held_out", "B", "I", "I")]
    world = make_world(told)
    seal(world.gold_set)

    def counts() -> tuple[object, ...]:
        pages = f"/api/v1/runs/{world.run.pk}/"
        found = lead_client.get(pages).json()["invalid"]
        live = lead_client.get(f"{pages}progress/").json()["invalid"]
        listed = overviews.runs().get(pk=world.run.pk).invalid
        return found, live, listed

    assert counts() == (*[[{"reason": "unparsed", "calls": 2}]] * 2, 2)
    unseal(gold_set=world.gold_set, reason="done", by=lead, now=START)
    assert counts() == (*[[{"reason": "unparsed", "calls": 4}]] * 2, 4)


def test_freezing_gold_goes_on_and_tells_no_outcome(
    sealed: World, lead_client: Client
) -> None:
    freeze_gold(
        gold_set=sealed.gold_set,
        rule=ConsensusRule.MODE_OR_TIE,
        by=None,
        now=START,
        leave_open=True,
    )
    page = lead_client.get(f"/gold-sets/{sealed.gold_set.name}/gold/")
    assert page.status_code == 200
    assert CANARY not in page.content.decode()
