"""Exports through the page, the API and the commands."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from annotation.domain.exports import BOM
from annotation.models import Exposure, Label, Pair, Round
from annotation.services.rounds import close_round
from calibration.models import Look
from tests.annotation.factory import START, Clock, Desk, make_round
from tests.calibration.world import World, make_world

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from django.test import Client

    from config.accounts.models import User

pytestmark = pytest.mark.django_db
FORM = {"kind": "labels", "part": "dev", "form": "jsonl", "version": "1"}


@pytest.fixture
def world() -> World:
    made = make_world()
    for pair in Pair.objects.filter(gold_set=made.gold_set):
        Label.objects.create(
            pair=pair,
            external_reviewer="ann",
            outcome="tie",
            note="=1",
            created_at=START,
        )
    return made


def url(world: World) -> str:
    return f"/gold-sets/{world.gold_set.name}/export"


def api(world: World, kind: str) -> str:
    return f"/api/v1/gold-sets/{world.gold_set.name}/exports/{kind}"


def body(reply: Any) -> bytes:
    assert reply.streaming
    return b"".join(reply.streaming_content)


def test_the_page_offers_and_the_form_downloads(
    lead_client: Client, world: World
) -> None:
    page = lead_client.get(url(world))
    assert page.status_code == 200
    reply = lead_client.post(url(world), FORM)
    name = f"{world.gold_set.name}-labels.jsonl"
    assert reply["Content-Disposition"] == f'attachment; filename="{name}"'
    assert reply["Cache-Control"].startswith("max-age=0")
    rows = [json.loads(line) for line in body(reply).splitlines()]
    assert [row["split"] for row in rows] == ["dev"] * 3
    assert not Look.objects.exists()


def test_csv_for_excel(lead_client: Client, world: World) -> None:
    data = body(lead_client.post(url(world), FORM | {"form": "csv-excel"}))
    assert data.startswith(BOM)
    table = list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))
    assert {row["note"] for row in table} == {"'=1"}


def test_held_out_rows_are_a_look_by_every_door(
    lead_client: Client, auditor_client: Client, world: World
) -> None:
    reply = lead_client.post(url(world), FORM | {"part": "all", "kind": "gold"})
    assert len(body(reply).splitlines()) == 7
    address = f"{api(world, 'gold')}?part=held_out"
    needed = auditor_client.get(address)
    assert (needed.status_code, needed.json()["code"]) == (409, "look_needed")
    assert Look.objects.count() == 1
    asked = {"look_reason": "an audit"}
    reply = auditor_client.post(address, asked, content_type="application/json")
    assert len(body(reply).splitlines()) == 4
    # What they have seen they may have again.
    assert len(body(auditor_client.get(address)).splitlines()) == 4
    call_command(
        "export_gold", world.gold_set.name, part="held_out", stdout=io.StringIO()
    )
    assert list(Look.objects.order_by("pk").values_list("door", flat=True)) == [
        "page",
        "api",
        "command",
    ]
    page = lead_client.get(f"/gold-sets/{world.gold_set.name}/")
    assert "gold export" in page.content.decode()


def test_past_the_budget_each_door_asks_for_a_reason(
    lead_client: Client, world: World
) -> None:
    world.gold_set.look_budget = 0
    world.gold_set.save()
    all_of_it = FORM | {"part": "all"}
    page = lead_client.post(url(world), all_of_it)
    assert not page.streaming
    assert "a further one needs a reason" in page.content.decode()
    refused = lead_client.get(api(world, "labels"), {"part": "all"})
    assert (refused.status_code, refused.json()["code"]) == (409, "looks_spent")
    with pytest.raises(CommandError, match="Give one with --reason"):
        call_command("export_labels", world.gold_set.name, part="all")
    assert not Look.objects.exists()
    reply = lead_client.post(url(world), all_of_it | {"reason": "an audit"})
    assert len(body(reply).splitlines()) == 7
    assert Look.objects.get().reason == "an audit"


def test_asking_for_the_head_of_a_file_is_no_look(
    lead_client: Client, world: World
) -> None:
    assert lead_client.head(api(world, "gold"), {"part": "all"}).status_code == 405
    assert lead_client.head(url(world)).status_code == 405
    assert not Look.objects.exists()


@pytest.mark.parametrize("name", ["format", "file"])
def test_the_api_streams_either_form(
    name: str, auditor_client: Client, world: World
) -> None:
    reply = auditor_client.get(
        api(world, "labels"), {name: "csv", "bom": "1"}, headers={"Accept": "text/csv"}
    )
    assert reply["Content-Type"] == "text/csv; charset=utf-8"
    jsonl = auditor_client.get(api(world, "gold"), {name: "jsonl"})
    assert jsonl["Content-Type"].startswith("application/x-ndjson")
    body(jsonl)
    for said in ({name: "xlsx"}, {"format": "csv", "file": "jsonl"}):
        refused = auditor_client.get(api(world, "labels"), said)
        assert refused.status_code == 400
        assert refused.json()["code"] == "invalid"
    assert body(reply).startswith(BOM + b"case_id,systems,reviewer,")
    assert body(auditor_client.get(api(world, "rulings"))) == b""
    bad = auditor_client.get(api(world, "labels"), {"part": "everything"})
    assert bad.status_code == 400


@pytest.mark.parametrize("kind", ["labels", "gold"])
def test_the_api_discloses_a_round_only_to_who_names_it(
    kind: str, lead_client: Client, lead: User, reviewer: User, world: World
) -> None:
    """Following an address neither ends a round for good nor spoils pairs unsaid."""
    clock = Clock()
    round_ = make_round(world.gold_set, reviewer)
    Desk(round_, reviewer, clock).label_all()
    close_round(round_=round_, by=None, now=clock.now)
    refused = lead_client.get(api(world, kind))
    assert (refused.status_code, refused.json()["code"]) == (409, "would_disclose")
    named = [{"id": round_.pk, "name": round_.name}]
    assert refused.json()["detail"] == {"rounds": named}
    assert Round.objects.filter(disclosed_at__isnull=True).count() == 1
    assert not Exposure.objects.filter(user=lead).exists()
    wrong = lead_client.get(api(world, kind), {"disclose": round_.pk + 1})
    assert wrong.status_code == 409

    given = lead_client.get(api(world, kind), {"disclose": round_.pk})
    assert given.status_code == 200
    body(given)
    assert Round.objects.filter(disclosed_at__isnull=True).count() == 0
    dev = Pair.objects.filter(gold_set=world.gold_set, case__split="dev")
    seen = Exposure.objects.filter(user=lead, kind="labels")
    assert {*seen.values_list("pair", flat=True)} == {*dev.values_list("pk", flat=True)}
    again = lead_client.get(api(world, kind))
    assert again.status_code == 200
    body(again)


@pytest.mark.parametrize("role", ["reviewer", "adjudicator", "outsider"])
def test_nobody_else_exports(
    role: str,
    world: World,
    request: pytest.FixtureRequest,
    client_of: Callable[..., Client],
) -> None:
    client = client_of(request.getfixturevalue(role))
    assert client.get(url(world)).status_code == 403
    assert client.post(url(world), FORM).status_code == 403
    for kind in ("labels", "rulings", "gold"):
        assert client.get(api(world, kind)).status_code == 403


@pytest.mark.parametrize(
    "change", [{"kind": "x"}, {"part": ""}, {"form": "xlsx"}, {"version": "9"}]
)
def test_a_form_that_is_not_valid(
    lead_client: Client, world: World, change: dict[str, str]
) -> None:
    reply = lead_client.post(url(world), FORM | change)
    assert not reply.streaming
    assert not Look.objects.exists()


def test_commands_write_a_file_whole_or_not_at_all(
    world: World, tmp_path: Path
) -> None:
    target = tmp_path / "labels.csv"
    said = io.StringIO()
    call_command(
        "export_labels",
        world.gold_set.name,
        format="csv",
        bom=True,
        output=str(target),
        stderr=said,
    )
    assert target.read_bytes().startswith(BOM)
    assert target.read_bytes().count(b"\r\n") == 4
    assert [path.name for path in tmp_path.iterdir()] == ["labels.csv"]
    with pytest.raises(CommandError, match="Cannot write"):
        call_command(
            "export_labels", world.gold_set.name, output=str(tmp_path / "no" / "x")
        )


def test_commands_print(world: World) -> None:
    said = io.StringIO()
    call_command("export_rulings", world.gold_set.name, stdout=said)
    assert said.getvalue() == ""
    call_command("export_gold", world.gold_set.name, gold_version=1, stdout=said)
    assert [json.loads(line)["version"] for line in said.getvalue().splitlines()] == [
        1
    ] * 3
    with pytest.raises(CommandError, match="no gold set 'x'"):
        call_command("export_labels", "x")
    with pytest.raises(CommandError, match="no version 9"):
        call_command("export_gold", world.gold_set.name, gold_version=9)
