"""An import says which texts stand already, by whatever names they come."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Case, GoldSet, LookMode, Pair
from annotation.services.gold_sets import SetPlan, gold_set_named
from annotation.services.import_repeats import CHUNK
from annotation.services.importing import Imported, ImportRefused, Source, import_pairs
from annotation.services.look_plans import fix_plan, unseal
from annotation.services.seals import sealed_of
from config.errors import Conflict
from tests.annotation.commands.imports import Imports, case, lines
from tests.annotation.factory import START
from tests.annotation.views.test_imports import api_send, file, send

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

    from config.accounts.models import User

pytestmark = pytest.mark.django_db
ROW = case("x")
ONE, OTHER = ROW["responses"].values()
TEXTS = "prompt, responses: those of case"


@pytest.fixture(autouse=True)
def var_dir(tmp_path: Path, settings: Any) -> None:
    settings.VAR_DIR = tmp_path


def bring(*rows: dict[str, Any], name: str = "box", **rest: Any) -> Imported:
    plan = SetPlan(name=name, systems=rest.get("systems", ("v12", "v13")))
    source = Source(lines(*rows), "p.jsonl")
    return import_pairs(plan=plan, source=source, by=None, now=START)


def seal(name: str = "box") -> GoldSet:
    gold_set = gold_set_named(name)
    limits = {"agreement": 0.5}
    fix_plan(
        gold_set=gold_set, mode=LookMode.SEALED, budget=3, limits=limits, by=None,
        now=START,
    )  # fmt: skip
    return gold_set


def renamed(case_id: str = "copy-9", **fields: Any) -> dict[str, Any]:
    """The same texts under other names, sides exchanged, in another form."""
    return case(
        case_id,
        prompt=[{"role": "user", "content": f"{ROW['prompt']}\r\n"}],
        responses={"left": f"  {OTHER}", "right": ONE},
        context="elsewhere",
        **fields,
    )


def bring_renamed(*rows: dict[str, Any]) -> Imported:
    return bring(*(rows or (renamed(),)), name="copy", systems=("left", "right"))


@pytest.mark.parametrize(
    ("there", "here", "meaning"),
    [
        ("", "", ""),
        ("dev", "dev", ""),
        ("dev", "held_out", ", in dev: held out here they are no fresh material"),
        ("held_out", "held_out", ", held out as well: looks count for both"),
        (
            "held_out",
            "dev",
            ", held out: a judge tuned on them here has seen what it is measured on",
        ),
    ],
)
def test_texts_of_another_set_are_named(there: str, here: str, meaning: str) -> None:
    bring(case("a1", **({"split": there} if there else {})), case("a2", prompt="Else?"))
    found = bring_renamed(renamed(**({"split": here} if here else {})))
    assert found.notices == (
        f"line 1: {TEXTS} 'copy-9' stand already in case 'a1' of box{meaning}",
    )
    assert found.added == 1


@pytest.mark.parametrize("split", ["dev", "held_out", ""])
def test_sealed_texts_are_sealed_wherever_they_go(split: str) -> None:
    bring(case("a1", split="held_out"))
    seal()
    found = bring_renamed(renamed(**({"split": split} if split else {})))
    (notice,) = found.notices
    assert notice == (
        f"line 1: {TEXTS} 'copy-9' stand already in case 'a1' of box, sealed: "
        "nothing is shown of them here either"
    )
    copy = gold_set_named("copy")
    assert sealed_of(copy) == set(copy.pairs.values_list("pk", flat=True)) != set()


def test_the_gravest_place_is_named_and_the_others_counted() -> None:
    bring(case("a1", split="dev"), name="first")
    bring(case("a2", split="held_out"), name="second")
    bring(case("a3"), name="third")
    (notice,) = bring(case("a4")).notices
    assert "stand already in case 'a2' of second (and 2 more), held out" in notice


def test_the_same_file_and_the_same_set() -> None:
    first = bring(case("a1"), case("a2", prompt="Else?"), case("a3"))
    assert first.notices == (
        f"line 3: {TEXTS} 'a3' stand already in case 'a1' on line 1",
    )
    second = bring(case("a1"), case("a4"))
    assert second.notices == (
        f"line 2: {TEXTS} 'a4' stand already in case 'a1' of this set (and 1 more)",
    )


def test_what_is_known_already_or_differs_is_not_named() -> None:
    rows = [case("a1"), case("a2", prompt="Else?")]
    bring(*rows)
    assert bring(*rows).notices == ()
    other = case("a1", responses={"v12": ONE, "v13": "Ask  the carrier."})
    assert bring(other, name="other").notices == ()


def test_pairs_that_say_the_same_are_told_once() -> None:
    rows = {"v12": "One", "v13": "Two", "v14": "Two"}
    systems = ("v12", "v13", "v14")
    bring(case("a1", responses=rows), name="three", systems=systems)
    found = bring(case("b1", responses=rows), name="again", systems=systems)
    assert found.pairs == 3
    both, one = sorted(found.notices, key=len, reverse=True)
    assert both.endswith("case 'a1' of three (and 1 more)")
    assert one.endswith("case 'a1' of three")
    assert Pair.objects.values("texts_digest").distinct().count() == 2


class TestIntoTheSealedSetItself:
    @pytest.fixture(autouse=True)
    def box(self) -> None:
        bring(
            case("a1", split="held_out"),
            case("a2", split="dev", prompt="Else?"),
        )
        seal()

    @pytest.mark.parametrize(
        "row",
        [
            case("a3", split="dev"),
            case("a3"),
            case("a3", split="held_out", prompt="Else?"),
        ],
    )
    def test_a_twin_in_another_split_is_refused(self, row: dict[str, Any]) -> None:
        with pytest.raises(ImportRefused) as refused:
            bring(row)
        (error,) = refused.value.errors
        assert (error.line, error.field) == (1, "prompt, responses")
        assert "of this set, and only one of the two is held out" in error.reason
        assert Case.objects.count() == 2

    def test_so_are_twins_in_one_file(self) -> None:
        splits = enumerate(("dev", "held_out"))
        rows = [case(f"n{n}", split=split, prompt="New?") for n, split in splits]
        with pytest.raises(ImportRefused, match="case 'n0' on line 1, and only one"):
            bring(*rows)

    def test_one_in_the_same_split_comes_in(self) -> None:
        (notice,) = bring(case("a3", split="held_out")).notices
        assert "case 'a1' of this set, sealed" in notice

    def test_unsealed_it_is_said_and_no_more_refused(self, lead: User) -> None:
        unseal(gold_set=gold_set_named("box"), reason="over", by=lead, now=START)
        (notice,) = bring(case("a3", split="dev")).notices
        assert "held out: a judge tuned on them" in notice


def test_a_set_with_texts_in_both_splits_is_not_sealed() -> None:
    bring(case("a1", split="held_out"), case("a2", split="dev"), case("a3"))
    with pytest.raises(Conflict, match=r"2 of its pairs .* \(a2, a3\)") as refusal:
        seal()
    assert refusal.value.code == "texts_in_both_splits"


class TestDoors:
    @pytest.fixture(autouse=True)
    def box(self) -> None:
        bring(case("a1", split="held_out"))
        seal()

    def test_page(self, lead_client: Client) -> None:
        fields = {"gold_set": "copy", "systems": "left,right"}
        sent = send(lead_client, file(renamed()), **fields)
        page = lead_client.get(sent.url).content.decode()
        assert "1 notice" in page
        assert "of box, sealed: nothing is shown of them here either" in page

    def test_api(self, lead_client: Client) -> None:
        fields = {"gold_set": "copy", "systems": ["left", "right"]}
        sent = api_send(lead_client, file(renamed()), **fields).json()
        (notice,) = sent["notices"]
        done = lead_client.post(f"/api/v1/imports/{sent['token']}/commit").json()
        assert done["notices"] == [notice]
        assert "of box, sealed" in notice

    def test_command(self, tmp_path: Path) -> None:
        imports = Imports(tmp_path)
        said = imports.pairs(lines(renamed()), gold_set="copy", systems="left,right")
        assert "of box, sealed" in said


def test_few_queries_for_many_cases() -> None:
    bring(case("c0"))
    counts = []
    for name, count in (("few", 10), ("more", CHUNK)):
        rows = [case(f"c{n}", prompt=f"{name} {n}?") for n in range(count)]
        with CaptureQueriesContext(connection) as found:
            bring(*rows, name=name)
        asking = [q["sql"] for q in found if '"texts_digest" IN' in q["sql"]]
        counts.append(len(asking))
    assert counts == [1, 1]
