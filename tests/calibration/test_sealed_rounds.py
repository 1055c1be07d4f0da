"""Which sealed pairs are disputed or without gold is told by no door of rounds."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Pair, Round
from annotation.services.look_plans import unseal
from tests.annotation.factory import START
from tests.calibration.reviews import review_world
from tests.calibration.sealed import seal
from tests.calibration.world import Told, World, make_world

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

    from config.accounts.models import User

pytestmark = pytest.mark.django_db

TOLD = (
    Told("dev", "B", "B", "B", labels="BB"),  # case-0000: settled
    Told("dev", "U", "B", "B", labels="BC"),  # case-0001: disputed
    Told("dev", "U", "B", "B"),  # case-0002: no label
    Told("held_out", "B", "B", "B", labels="BB"),
    Told("held_out", "U", "B", "B", labels="BC"),
    Told("held_out", "U", "B", "B"),
)
SEALED = ("case-0003", "case-0004", "case-0005")
WHICH = ("disputed", "without_gold")
RULE = {"consensus_rule": "majority_else_adjudicate", "labels_per_pair": 2}
LEFT_OUT = "left out: sealed"


@pytest.fixture
def sealed() -> World:
    made = review_world(TOLD, **RULE)  # type: ignore[arg-type]
    seal(made.gold_set)
    return made


def by_command(world: World, which: str, folder: Path, *cases: str, **rest: str) -> str:
    """What the command says, whether it opens a round or not."""
    out = StringIO()
    if cases:
        listed = folder / "cases.txt"
        listed.write_text("\n".join(cases))
        rest["cases"] = str(listed)
    try:
        call_command(
            "open_round", world.gold_set.name, "probe", which=which, stdout=out,
            stderr=out, **rest,
        )  # fmt: skip
    except CommandError as refused:
        return str(refused)
    return out.getvalue()


def by_api(client: Client, world: World, which: str, **pairs: Any) -> Any:
    sent = {"name": "probe", "which": which, **pairs}
    path = f"/api/v1/gold-sets/{world.gold_set.name}/rounds/"
    return client.post(path, sent, content_type="application/json")


def by_page(client: Client, world: World, which: str, act: str, case: str) -> Any:
    form = {
        "name": "probe", "labels_per_pair": "1", "which": which, "case_ids": case,
        "minutes": "30", "retest_percent": "0", "designed_percent": "0", act: "1",
    }  # fmt: skip
    return client.post(f"/gold-sets/{world.gold_set.name}/rounds/new", form)


@pytest.mark.parametrize("which", WHICH)
def test_the_command_says_the_same_of_each(
    sealed: World, which: str, tmp_path: Path
) -> None:
    said = {by_command(sealed, which, tmp_path, case) for case in SEALED}
    [words] = said
    assert words.startswith("A round needs at least one pair. 1 pair is left out: sea")
    assert not Round.objects.exists()


@pytest.mark.parametrize("which", WHICH)
def test_so_do_the_api_and_the_page(
    sealed: World, lead_client: Client, which: str
) -> None:
    replies = [by_api(lead_client, sealed, which, case_ids=[c]) for c in SEALED]
    assert {reply.status_code for reply in replies} == {400}
    assert len({reply.content for reply in replies}) == 1
    assert LEFT_OUT in replies[0].json()["message"]
    for act in ("preview", "open"):
        pages = [by_page(lead_client, sealed, which, act, case) for case in SEALED]
        assert {page.status_code for page in pages} == {200}
        for page in pages:
            assert LEFT_OUT in page.content.decode()
        if act == "preview":
            found = [page.context["preview"].chosen for page in pages]
            assert [(len(one.all), one.sealed) for one in found] == [(0, 1)] * 3
    assert not Round.objects.exists()


@pytest.mark.parametrize("which", WHICH)
def test_nor_how_many_a_split_has(sealed: World, which: str, tmp_path: Path) -> None:
    words = by_command(sealed, which, tmp_path, split="held_out")
    assert f"3 pairs are {LEFT_OUT}" in words
    assert not Round.objects.exists()


@pytest.mark.parametrize(
    ("which", "cases"),
    [("disputed", {"case-0001"}), ("without_gold", {"case-0001", "case-0002"})],
)
def test_a_round_of_the_whole_set_takes_the_open_ones(
    sealed: World, which: str, cases: set[str], tmp_path: Path
) -> None:
    words = by_command(sealed, which, tmp_path)
    assert f"3 pairs are {LEFT_OUT}" in words
    pairs = Pair.objects.filter(seats__round=Round.objects.get())
    assert set(pairs.values_list("case__external_id", flat=True)) == cases


def test_sealed_pairs_are_labelled_whatever_their_gold(
    sealed: World, tmp_path: Path
) -> None:
    words = by_command(sealed, "all", tmp_path, split="held_out")
    assert "3 pairs, 6 labels wanted" in words
    assert "left out" not in words


def test_the_same_texts_in_another_set_are_sealed_there_too(
    sealed: World, tmp_path: Path
) -> None:
    copy = make_world(TOLD, name="copy", **RULE)
    words = by_command(copy, "without_gold", tmp_path, *SEALED)
    assert words.startswith("A round needs at least one pair. 3 pairs are left out: s")
    assert sealed.gold_set != copy.gold_set


def test_unsealed_ones_are_found_again(
    sealed: World, lead: User, tmp_path: Path
) -> None:
    unseal(gold_set=sealed.gold_set, reason="chosen", by=lead, now=START)
    assert "1 pairs, 2 labels" in by_command(
        sealed, "disputed", tmp_path, split="held_out"
    )
