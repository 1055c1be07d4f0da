"""Leads are told where they write a system name that reviewers would read."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO
from typing import TYPE_CHECKING

import pytest
from django.core.management import call_command

from annotation.domain.answers import Option
from annotation.domain.readers.base import FileKind
from annotation.domain.round_notes import shortfalls
from annotation.models import Round
from annotation.services.gold_sets import SetPlan, add_guideline
from annotation.services.importing import import_pairs
from annotation.services.intake import Source
from annotation.services.previewing import ImportPlan, preview
from annotation.services.told_names import names_before_round, names_told
from tests.annotation.commands.imports import case, lines
from tests.annotation.factory import START, make_round, make_set
from tests.guards import change

if TYPE_CHECKING:
    from django.test import Client

    from annotation.models import GoldSet
    from config.accounts.models import User

pytestmark = pytest.mark.django_db


@pytest.fixture
def gold_set() -> GoldSet:
    return make_set(cases=1, title="v12 against v13")


def what(told: tuple[str, ...]) -> list[str]:
    return [one.split(",")[0].removeprefix("Reviewers read ") for one in told]


def test_every_text_that_reviewers_read_is_searched(gold_set: GoldSet) -> None:
    change(
        gold_set, question="Is V-13 better?",
        critical_errors=[{"code": "x", "label": "The v12 error"}],
        ruling_categories=[{"code": "v13_slip", "label": "Slip"}],
    )  # fmt: skip
    criteria = [Option("tone", "As v12")]
    add_guideline(
        gold_set=gold_set, text="As in v13.", by=None, now=START, criteria=criteria
    )
    assert what(names_before_round(gold_set, round_name="v12 again")) == [
        "the round's name", "the title", "the question", "the list of critical errors",
        "the list of ruling categories", "the guideline", "the criteria",
    ]  # fmt: skip


def test_a_set_that_names_none_tells_nothing() -> None:
    quiet = make_set(cases=1, title="Replies of version v120")
    assert names_told(quiet) == ()
    assert "names_told" not in make_round(quiet).selection


def test_a_round_keeps_it_among_its_notes(
    gold_set: GoldSet, reviewer: User, lead_client: Client
) -> None:
    round_ = make_round(gold_set, reviewer)
    (note,) = [one for one in shortfalls(round_.selection) if "Reviewers read" in one]
    assert note.startswith("Reviewers read the title, and it names v12, v13")
    page = lead_client.get(f"/rounds/{round_.pk}/")
    assert "Reviewers read the title" in page.content.decode()


def test_the_commands_print_it(gold_set: GoldSet, reviewer: User) -> None:
    out, told = StringIO(), StringIO()
    call_command("check_gold_set", gold_set.name, stdout=out, stderr=told)
    assert "Reviewers read the title, and it names v12, v13" in told.getvalue()
    name = gold_set.name
    call_command("open_round", name, "One", "--reviewer", "reviewer", stdout=out)
    assert "Reviewers read the title" in out.getvalue()
    assert Round.objects.get().selection["names_told"] == list(names_told(gold_set))


def test_an_import_says_it() -> None:
    plan = SetPlan(name="box", systems=("v12", "v13"), question="Is v13 better?")
    source = Source(lines(case("c-1")), "p.jsonl")
    done = import_pairs(plan=plan, source=source, by=None, now=START)
    assert what(done.notices) == ["the question"]


def test_a_preview_says_it_of_a_new_set_and_of_one_there_is(gold_set: GoldSet) -> None:
    plan = ImportPlan(
        kind=FileKind.PAIRS, gold_set="box", systems=("v12", "v13"), title="v12 or not",
        question="Is v13 better?",
    )  # fmt: skip
    source = Source(lines(case("c-1")), "p.jsonl")
    assert what(preview(plan=plan, sources=[source]).notices) == [
        "the title", "the question",
    ]  # fmt: skip
    quiet = replace(plan, title="One or other", question="Which?")
    assert preview(plan=quiet, sources=[source]).notices == ()
    # A set that exists keeps its own title.
    known = replace(quiet, gold_set=gold_set.name)
    assert what(preview(plan=known, sources=[source]).notices) == ["the title"]


def test_pages_and_api_say_it(gold_set: GoldSet, lead_client: Client) -> None:
    base = f"gold-sets/{gold_set.name}"
    for page in ("settings", "checks"):
        text = lead_client.get(f"/{base}/{page}/").content.decode()
        assert "Reviewers read the title" in text, page
    found = lead_client.get(f"/api/v1/{base}/settings").json()
    assert what(tuple(found["notices"])) == ["the title"]
    body = {"text": "As v12 does."}
    added = lead_client.post(f"/api/v1/{base}/guideline", body, "application/json")
    assert what(tuple(added.json()["notices"])) == ["the guideline"]
    page = lead_client.get(f"/{base}/guideline/").content.decode()
    assert "Reviewers read the guideline" in page
