"""Held-out results of a panel are looked at, and sealed, like those of any judge.

A panel's run has no calls of its own: its votes are those of its members' runs.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from annotation.domain.digests import digest_of
from annotation.services.held_out import LookNeeded, Viewer
from annotation.services.seals import Sealed
from calibration.models import Look
from calibration.services.looks import disclose, disclosed, held_out_digest
from calibration.services.report_cases import CaseFilter, cases, open_held_out
from calibration.services.sealed_looks import look_sealed
from judging.domain.panels import PanelSpec, panel_to_json
from judging.models import ConfigKind, PanelSeat
from tests.annotation.factory import START
from tests.calibration.sealed import GOOD, seal
from tests.calibration.world import World, make_config, make_run, make_world
from tests.guards import change

if TYPE_CHECKING:
    from django.test import Client

    from config.accounts.models import User

pytestmark = pytest.mark.django_db


@pytest.fixture
def member() -> World:
    return make_world(GOOD)


@pytest.fixture
def panel(member: World) -> World:
    """The same judge twice, under two names, as a panel."""
    other = member.run_again("other")
    config = make_config("panel")
    digests = tuple(world.run.config.digest for world in (member, other))
    spec = panel_to_json(PanelSpec(members=digests))
    kind = ConfigKind.PANEL.value
    change(config, kind=kind, spec=spec, digest=digest_of(spec))
    run = make_run(member.gold_set, config)
    for world in (member, other):
        PanelSeat.objects.create(run=run, member_run=world.run)
    return World(member.gold_set, member.gold, run)


def test_its_held_out_pairs_are_those_of_its_members(
    member: World, panel: World
) -> None:
    found = held_out_digest(panel.report())
    assert found is not None
    assert found == held_out_digest(member.report())


def test_seeing_them_is_a_look(panel: World, lead: User) -> None:
    report, viewer = panel.report(), Viewer(user=lead, door="page")
    with pytest.raises(LookNeeded):
        disclose(report=report, viewer=replace(viewer, asked=False), now=START)
    shown = disclosed(report=report, viewer=viewer, now=START)
    assert shown["splits"]["held_out"]["n"] == 20
    assert shown["looks"]["n"] == shown["looks"]["this"] == 1
    assert Look.objects.get().report == report
    panel.gold_set.refresh_from_db()
    assert panel.gold_set.held_out_seen_at == START


def test_one_by_one_it_is_another(panel: World, lead: User) -> None:
    report, viewer = panel.report(), Viewer(user=lead, door="page")
    open_held_out(report=report, viewer=viewer, now=START)
    assert cases(report, CaseFilter(split="held_out"), lead).count() == 20
    assert Look.objects.count() == 1


def test_sealed_ones_are_not_shown(
    panel: World, lead: User, lead_client: Client
) -> None:
    seal(panel.gold_set)
    report, viewer = panel.report(), Viewer(user=lead, door="page")
    with pytest.raises(Sealed):
        disclose(report=report, viewer=viewer, now=START)
    for path in (f"/reports/{report.pk}.json", f"/api/v1/reports/{report.pk}/"):
        found = lead_client.get(path).json()
        assert found["splits"]["held_out"] is found["splits"]["all"] is None
        assert found["looks"]["sealed"] is True
    assert look_sealed(report=report, viewer=viewer, now=START).word == "passed"
