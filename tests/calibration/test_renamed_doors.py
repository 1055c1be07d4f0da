"""Sealed texts that are imported again under other names are sealed there as well.

The copy has other cases, systems, sides and splits; no door of it tells anything.
"""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Case
from annotation.services.held_out import Viewer
from annotation.services.look_plans import unseal
from annotation.services.seals import Sealed, sealed_of
from calibration.models import Look
from calibration.services.compared_pairs import ComparedPart
from calibration.services.exports import ExportKind
from calibration.services.judge_comparison import judge_comparison
from calibration.services.looks import disclose, without_held_out
from calibration.services.releases import disclose_run
from tests.annotation.crawling import ask
from tests.annotation.factory import START, add_case
from tests.calibration.copies import renamed_copy
from tests.calibration.sealed import sealed_world
from tests.calibration.walking import asked, asked_outright, leaks

if TYPE_CHECKING:
    from django.test import Client

    from config.accounts.models import User
    from tests.calibration.world import World

pytestmark = pytest.mark.django_db
TURNED = {"dev": "held_out", "held_out": "dev"}


@pytest.fixture
def sealed(adjudicator: User) -> World:
    return sealed_world(adjudicator)


@pytest.fixture(params=["same", "turned"])
def copy(sealed: World, adjudicator: User, request: pytest.FixtureRequest) -> World:
    """The copy, its splits as they were or exchanged."""
    splits = TURNED if request.param == "turned" else None
    return renamed_copy(sealed, splits=splits, ruler=adjudicator)


def test_the_seal_lies_on_the_copy(sealed: World, copy: World) -> None:
    there, here = sealed_of(sealed.gold_set), sealed_of(copy.gold_set)
    assert len(there) == len(here) == 20
    assert there.isdisjoint(here)


def test_no_address_of_the_copy_tells_anything(
    copy: World, lead_client: Client
) -> None:
    answers = asked(lead_client, copy)
    assert leaks(answers) == []
    assert [a.path for a in answers if a.status >= 500] == []
    assert (
        not Look.objects.filter(word="", gold_set=copy.gold_set)
        .exclude(report=None)
        .exists()
    )
    export = f"/gold-sets/{copy.gold_set.name}/export"
    form = {"kind": "labels", "part": "all", "form": "jsonl", "reason": "x"}
    answers.append(ask(lead_client, "POST", export, form))
    assert leaks(answers) == []
    # The walk must have got somewhere: refused as sealed, and not as unknown.
    refused = {a.path.split("?")[0] for a in answers if "are sealed" in a.text}
    name, report = copy.gold_set.name, copy.report().pk
    assert refused >= {
        f"/reports/{report}/cases/",
        f"/reports/{report}/disagreements/",
        f"/api/v1/reports/{report}/cases/",
        f"/api/v1/reports/{report}/disagreements/",
        export,
        *(f"/api/v1/gold-sets/{name}/exports/{kind.value}" for kind in ExportKind),
    }


def test_the_same_walk_finds_it_once_the_seal_is_broken(
    sealed: World, adjudicator: User, lead: User, lead_client: Client
) -> None:
    copy = renamed_copy(sealed, ruler=adjudicator)
    unseal(gold_set=sealed.gold_set, reason="chosen", by=lead, now=START)
    found = "\n".join(leaks(asked_outright(lead_client, copy)))
    for door in ("/exports/labels", "/exports/rulings", "/export "):
        assert door in found


def test_services_refuse_it(copy: World, lead: User) -> None:
    viewer = Viewer(user=lead, door="page", reason="please")
    report = copy.report()
    with pytest.raises(Sealed):
        disclose(report=report, viewer=viewer, now=START)
    with pytest.raises(Sealed):
        disclose_run(run=copy.run, viewer=viewer, now=START)
    copy.run_again("other")
    sealed_split = "dev" if _turned(copy) else "held_out"
    with pytest.raises(Sealed):
        judge_comparison(
            gold_set=copy.gold_set.name,
            judges=[copy.run.config.name, "other"],
            split=ComparedPart(sealed_split),
            viewer=viewer,
            now=START,
        )


def test_commands_refuse_it(copy: World) -> None:
    name = copy.gold_set.name
    for part in ("all", "dev" if _turned(copy) else "held_out"):
        for kind in ExportKind:
            with pytest.raises(CommandError, match="sealed"):
                call_command(
                    f"export_{kind.value}", name, "--part", part, "--reason", "why",
                    stdout=StringIO(),
                )  # fmt: skip
    with pytest.raises(CommandError, match="sealed"):
        call_command("export_audit", name, "--reason", "why", stdout=StringIO())


def test_dev_is_shown_only_where_nothing_of_it_is_sealed(copy: World) -> None:
    if _turned(copy):
        with pytest.raises(Sealed):
            without_held_out(copy.report())
    else:
        found = without_held_out(copy.report())["splits"]
        assert (found["dev"]["n"], found["held_out"], found["all"]) == (4, None, None)


def test_the_words_of_a_refusal_name_the_sealed_set(
    sealed: World, copy: World, lead: User
) -> None:
    viewer = Viewer(user=lead, door="page")
    with pytest.raises(Sealed) as refused:
        disclose(report=copy.report(), viewer=viewer, now=START)
    assert refused.value.detail == {"gold_set": sealed.gold_set.name}


def test_another_text_is_not_under_the_seal(sealed: World, copy: World) -> None:
    """One character more, and these are others: near-duplicates are for the checks."""
    before = sealed_of(copy.gold_set)
    pair = sealed.gold_set.pairs.filter(case__split="held_out")[0]
    texts = (f"{pair.candidate.text}!", pair.baseline.text)
    systems = list(copy.gold_set.systems.order_by("position"))
    add_case(copy.gold_set, systems, "near", texts, prompt=pair.case.prompt)
    assert sealed_of(copy.gold_set) == before


def _turned(copy: World) -> bool:
    held_out = Case.objects.filter(gold_set=copy.gold_set, split="held_out")
    return held_out.count() == 4
