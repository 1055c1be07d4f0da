"""Whether a sealed pair has gold, and who labelled it how, is told by no answer."""

from __future__ import annotations

import json
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Label, Pair, RulingRequest
from annotation.services.exporting import Part, labels_export
from annotation.services.look_plans import unseal
from tests.annotation.factory import START
from tests.calibration.reviews import review_world
from tests.calibration.sealed import seal
from tests.calibration.test_sealed_rounds import RULE, SEALED, TOLD

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

    from config.accounts.models import User
    from tests.calibration.world import World

pytestmark = pytest.mark.django_db
CLOSED, DEV = SEALED[0], "case-0000"  # r0 and r1 labelled either for the baseline
OUTCOMES = ("baseline", "candidate", "tie", "abstain")


@pytest.fixture
def sealed() -> World:
    made = review_world(TOLD, **RULE)  # type: ignore[arg-type]
    seal(made.gold_set)
    return made


def correct(client: Client, world: World, pair: str, control: str = DEV) -> Any:
    sent = {
        "pairs": [pair], "controls": [control], "category": "gold_wrong",
        "note": "the order was late",
    }  # fmt: skip
    path = f"/api/v1/gold-sets/{world.gold_set.name}/corrections/"
    return client.post(path, sent, content_type="application/json")


class TestCorrections:
    """One can be asked for where there is gold only."""

    def test_the_answer_is_the_same_for_each(
        self, sealed: World, lead_client: Client
    ) -> None:
        replies = [correct(lead_client, sealed, case) for case in SEALED]
        replies += [correct(lead_client, sealed, DEV, case) for case in SEALED]
        assert {reply.status_code for reply in replies} == {403}
        assert len({reply.content for reply in replies}) == 1
        assert replies[0].json()["code"] == "held_out_sealed"
        assert not RulingRequest.objects.exists()

    def test_and_by_page_and_command(
        self, sealed: World, lead: User, lead_client: Client, tmp_path: Path
    ) -> None:
        form = {"controls": DEV, "category": "gold_wrong", "note": "late"}
        path = f"/gold-sets/{sealed.gold_set.name}/corrections/"
        said = set()
        for case in SEALED:
            page = lead_client.post(path, {**form, "pairs": case})
            said.add((page.status_code, str(page.context["form"].errors)))
            for name, text in (("pairs", case), ("controls", DEV)):
                (tmp_path / name).write_text(text)
            with pytest.raises(CommandError, match="are sealed"):
                call_command(
                    "request_corrections", sealed.gold_set.name, note="late",
                    pairs=str(tmp_path / "pairs"), controls=str(tmp_path / "controls"),
                    category="gold_wrong", by=lead.username,
                )  # fmt: skip
        [(status, errors)] = said
        assert status == 400
        assert "are sealed" in errors

    def test_once_unsealed_it_tells_which_have_gold(
        self, sealed: World, lead: User, lead_client: Client
    ) -> None:
        unseal(gold_set=sealed.gold_set, reason="chosen", by=lead, now=START)
        statuses = [correct(lead_client, sealed, c).status_code for c in SEALED[::-1]]
        assert statuses == [409, 409, 201]


def imported(world: World, folder: Path, *rows: dict[str, Any]) -> str:
    """What the command says of labels that it is given."""
    file = folder / "labels.jsonl"
    systems = list(world.gold_set.system_names())
    lines = [json.dumps({"systems": systems, **row}) for row in rows]
    file.write_text("\n".join(lines))
    out = StringIO()
    try:
        call_command(
            "import_labels", str(file), gold_set=world.gold_set.name, stdout=out,
            stderr=out,
        )  # fmt: skip
    except CommandError as refused:
        return str(refused)
    return out.getvalue()


def row(case: str, outcome: str, reviewer: str = "r0", **more: Any) -> dict[str, Any]:
    label = {"case_id": case, "outcome": outcome, "reviewer": reviewer}
    return {**label, "note": f"note 0 on {case}", **more}


class TestImports:
    """A guess at a label is right where the file is taken, unless it is not told."""

    def test_the_answer_is_the_same_for_each_guess(
        self, sealed: World, tmp_path: Path
    ) -> None:
        before = list(Label.objects.order_by("pk").values())
        said = {imported(sealed, tmp_path, row(CLOSED, each)) for each in OUTCOMES}
        [words] = said
        assert "this label is on a sealed pair and stands already" in words
        assert list(Label.objects.order_by("pk").values()) == before

    def test_nor_by_the_id_of_a_label(self, sealed: World, tmp_path: Path) -> None:
        pair = Pair.objects.get(case__external_id=CLOSED)
        export = labels_export(gold_set=sealed.gold_set, part=Part.HELD_OUT)
        columns = list(export.columns)
        rows = [dict(zip(columns, one, strict=True)) for one in export.rows()]
        name = next(one["label_id"] for one in rows if one["case_id"] == CLOSED)
        said = {
            imported(sealed, tmp_path, row(CLOSED, each, "x", label_id=name))
            for each in OUTCOMES
        }
        assert len(said) == 1
        assert not Label.objects.filter(pair=pair, external_reviewer="x").exists()
        wrong = imported(sealed, tmp_path, row(SEALED[1], "tie", "x", label_id=name))
        assert "is the id of a label on another pair" in wrong

    def test_new_labels_come_in(self, sealed: World, tmp_path: Path) -> None:
        imported(sealed, tmp_path, row(CLOSED, "tie", "new"))
        assert Label.objects.get(external_reviewer="new").outcome == "tie"

    def test_an_open_pair_is_told_as_before(
        self, sealed: World, tmp_path: Path
    ) -> None:
        words = imported(sealed, tmp_path, row(DEV, "tie"))
        assert "'r0' already labelled this pair baseline" in words
        assert "sealed" not in imported(sealed, tmp_path, row(DEV, "baseline"))
