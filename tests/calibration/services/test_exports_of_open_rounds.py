"""What an export may show while people label, and which rounds it shows first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from annotation.domain.outcomes import SlotChoice
from annotation.models import Case, Exposure, Round
from annotation.services.disclosure import rounds_agreed
from annotation.services.held_out import Viewer
from annotation.services.rounds import close_round, reopen_round
from calibration.models import AuditExport, Look
from calibration.services.audits.exporting import export_audit
from calibration.services.audits.scopes import Wanted
from calibration.services.exports import (
    ExportKind,
    ExportPlan,
    hand_out,
    rounds_first_shown,
)
from config.errors import Conflict
from tests.annotation.factory import START, Clock, Desk, make_round, make_set

if TYPE_CHECKING:
    from django.test import Client

    from config.accounts.models import User

pytestmark = pytest.mark.django_db
KINDS = [ExportKind.LABELS, ExportKind.RULINGS]


@pytest.fixture
def open_round(reviewer: User) -> Round:
    """A round in which one label was given."""
    round_ = make_round(make_set(cases=2), reviewer)
    desk = Desk(round_, reviewer, Clock())
    desk.submit(desk.claim(), SlotChoice.FIRST)
    return round_


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_of_an_open_round_is_exported(
    open_round: Round, lead: User, kind: ExportKind
) -> None:
    viewer = Viewer(user=lead, door="page")
    plan = ExportPlan(open_round.gold_set.name, kind)
    with pytest.raises(Conflict, match=open_round.name) as refused:
        hand_out(plan=plan, viewer=viewer, now=START)
    assert refused.value.code == "rounds_open"
    assert not Exposure.objects.exists()
    assert not Look.objects.exists()
    open_round.refresh_from_db()
    assert open_round.disclosed_at is None


@pytest.mark.parametrize("kind", KINDS)
def test_closed_it_is_exported_and_said_before(
    open_round: Round, lead: User, kind: ExportKind
) -> None:
    gold_set = open_round.gold_set
    assert rounds_first_shown(gold_set) == ()
    close_round(round_=open_round, by=None, now=START)
    assert rounds_first_shown(gold_set) == (open_round,)
    viewer = Viewer(user=lead, door="page")
    hand_out(plan=ExportPlan(gold_set.name, kind), viewer=viewer, now=START)
    assert rounds_first_shown(gold_set) == ()


def test_the_page_names_the_rounds(
    open_round: Round, client: Client, lead: User
) -> None:
    close_round(round_=open_round, by=None, now=START)
    client.force_login(lead)
    page = client.get(reverse("calibration:export", args=[open_round.gold_set.name]))
    assert f"“{open_round.name}” for the first time" in page.content.decode()


COMMAND = Viewer(user=None, door="command", actor="ci", reason="backup")


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_command_takes_is_disclosed_too(
    open_round: Round, kind: ExportKind
) -> None:
    """Else its labels could be changed after they were handed out."""
    gold_set = open_round.gold_set
    close_round(round_=open_round, by=None, now=START)
    hand_out(plan=ExportPlan(gold_set.name, kind), viewer=COMMAND, now=START)
    with pytest.raises(Conflict) as refused:
        reopen_round(round_=Round.objects.get(), now=START)
    assert refused.value.code == "round_disclosed"
    assert not Exposure.objects.exists()


@pytest.mark.parametrize("dev_only", [False, True])
def test_so_is_what_a_command_puts_into_a_bundle(
    open_round: Round, dev_only: bool
) -> None:
    close_round(round_=open_round, by=None, now=START)
    Case.objects.update(split="dev")
    wanted = Wanted(gold_set=open_round.gold_set.name, dev_only=dev_only)
    bundle = export_audit(wanted=wanted, viewer=COMMAND, now=START)
    assert b"".join(bundle.download().pieces)
    with pytest.raises(Conflict) as refused:
        reopen_round(round_=Round.objects.get(), now=START)
    assert refused.value.code == "round_disclosed"


@pytest.mark.parametrize("door", ["audit/bundles/", "notes", "page"])
@pytest.mark.parametrize("dev_only", [False, True])
def test_by_page_and_api_a_round_is_disclosed_only_to_who_names_it(
    open_round: Round, lead: User, client: Client, door: str, dev_only: bool
) -> None:
    close_round(round_=open_round, by=None, now=START)
    Case.objects.update(split="dev")
    client.force_login(lead)
    name, pk = open_round.gold_set.name, open_round.pk

    def ask(*disclose: int) -> Any:
        if door == "notes":
            address = f"/api/v1/gold-sets/{name}/exports/notes"
            return client.get(address, {"disclose": disclose})
        if door == "page":
            what = "dev" if dev_only else "bundle"
            form = {"what": what, "gold_set": name, "disclose": disclose}
            return client.post("/audit/", form)
        body = {"gold_set": name, "dev_only": dev_only, "disclose": list(disclose)}
        return client.post(f"/api/v1/{door}", body, content_type="application/json")

    for unsaid in ((), (pk + 1,)):
        refused = ask(*unsaid)
        if door == "page":
            text = refused.content.decode()
            assert "shows labels of a round for the first time" in text
            assert f'name="disclose" value="{pk}" autofocus> {open_round.name}' in text
        else:
            assert refused.status_code == 409
            assert refused.json()["code"] == "would_disclose"
            named = [{"id": pk, "name": open_round.name}]
            assert refused.json()["detail"] == {"rounds": named}
        open_round.refresh_from_db()
        assert open_round.disclosed_at is None
        assert not Exposure.objects.filter(user=lead).exists()
        assert not AuditExport.objects.exists()

    given = ask(pk)
    assert given.streaming
    assert b"".join(given.streaming_content)
    open_round.refresh_from_db()
    assert open_round.disclosed_at is not None
    again = ask()  # what was disclosed needs no word any more
    assert b"".join(again.streaming_content)


def test_what_is_no_number_names_no_round() -> None:
    assert rounds_agreed(["7", "x", "²", "9" * 5000, ""]) == {7}


def test_the_audit_page_keeps_what_was_ticked_while_it_asks_for_the_rest(
    open_round: Round, other_reviewer: User, lead_client: Client
) -> None:
    gold_set = open_round.gold_set
    close_round(round_=open_round, by=None, now=START)
    second = make_round(gold_set, other_reviewer, name="Round two")
    desk = Desk(second, other_reviewer, Clock())
    desk.submit(desk.claim(), SlotChoice.FIRST)
    close_round(round_=second, by=None, now=START)
    form = {"what": "bundle", "gold_set": gold_set.name, "disclose": [second.pk]}
    text = lead_client.post("/audit/", form).content.decode()
    assert f'value="{second.pk}" checked> Round two' in text
    assert f'value="{open_round.pk}" autofocus> {open_round.name}' in text
    assert not AuditExport.objects.exists()
