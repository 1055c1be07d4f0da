"""Rule 15: what is answered about a closed pair depends on nothing that it holds.

Every door that takes a pair is asked for every closed one, whatever judge and gold say
of it; the answers are compared byte for byte but for the pair's own number.
"""

from __future__ import annotations

import re
from difflib import unified_diff
from typing import TYPE_CHECKING

import pytest

from annotation.models import GoldItem, Pair
from calibration.models import Disposition, Finding, Look
from tests.annotation.crawling import Answered, ask
from tests.annotation.factory import add_case
from tests.calibration.reviews import EN, looked, pair_named, review_world
from tests.calibration.sealed import seal
from tests.calibration.world import Told, World

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.test import Client

pytestmark = pytest.mark.django_db

DEV = (
    Told("dev", "B", "B", "B", EN, "BBB"),  # case-0000: they agree
    Told("dev", "B", "C", "C", EN, "BBB"),  # case-0001: they differ
)
# Every way in which a held-out pair can stand: right, wrong either way, missed and
# invented ties, abstained, invalid, a flip, and without gold.
CLOSED = tuple(
    Told("held_out", gold, there, back, EN, "BC" if gold == "U" else gold * 3)
    for gold, there, back in (
        "BBB", "CCC", "TTT", "AAA", "BCC", "CBB", "TCC", "CTT", "CAA", "BII", "BBC",
        "UCC", "UII",
    )
)  # fmt: skip
FORMS = (
    {},
    {"finding": "case_bad"},
    *({"finding": finding.value, "note": "because"} for finding in Finding),
)
JSON = {"content_type": "application/json"}
# What differs from one request to the next, or follows from the length of a number.
TOKENS = re.compile(
    r"""(csrfmiddlewaretoken" value="|csrftoken=|X-CSRFToken": "|nonce[=-]"?"""
    r"""|expires=|Content-Length: )[^;"'\n]+"""
)
FILTERS = (
    "", "&gold=baseline", "&gold=none", "&verdict=candidate", "&verdict=invalid",
    "&consistency=flip", "&wrong=on", "&labels=split", "&slice=language%3Den",
)  # fmt: skip


@pytest.fixture(params=["sealed", "open"])
def world(request: pytest.FixtureRequest) -> World:
    made = review_world([*DEV, *CLOSED])
    systems = list(made.gold_set.systems.all())
    case = add_case(made.gold_set, systems, "unjudged", split="held_out")
    GoldItem.objects.create(
        version=made.gold, pair=case.pairs.get(), split="held_out",
        outcome="baseline", source="consensus",
    )  # fmt: skip
    if request.param == "sealed":
        seal(made.gold_set)
    return made


@pytest.fixture(params=["lead", "auditor"])
def client(request: pytest.FixtureRequest) -> Client:
    found: Client = request.getfixturevalue(f"{request.param}_client")
    return found


def closed_pairs(world: World) -> list[int]:
    pairs = Pair.objects.filter(gold_set=world.gold_set, case__split="held_out")
    found = list(pairs.order_by("pk").values_list("pk", flat=True))
    assert len(found) == len(CLOSED) + 1
    return found


def asked(client: Client, world: World, pair: int) -> Iterator[Answered]:
    """What every door answers that takes the number of a pair."""
    report = f"reports/{world.report().pk}/disagreements/{pair}/"
    yield ask(client, "GET", f"/{report}")
    yield ask(client, "GET", f"/api/v1/{report}")
    yield ask(client, "GET", f"/runs/{world.run.pk}/calls/{pair}/")
    for form in FORMS:
        yield ask(client, "POST", f"/{report}decide", form)
        yield ask(client, "POST", f"/api/v1/{report}disposition", form, **JSON)


def told(answer: Answered, pair: int) -> tuple[int, str]:
    text = TOKENS.sub(r"\1", answer.text)
    return answer.status, re.sub(rf"(?<=/){pair}(?=/)", "PAIR", text)


def test_the_answer_is_the_same_whatever_a_closed_pair_holds(
    client: Client, world: World
) -> None:
    pairs = closed_pairs(world)
    replies = [[told(a, pair) for a in asked(client, world, pair)] for pair in pairs]
    for pair, reply in zip(pairs, replies, strict=True):
        for (status, text), (first, same) in zip(reply, replies[0], strict=True):
            differs = unified_diff(same.split("\n"), text.split("\n"), n=0)
            assert (status, "\n".join(differs)) == (first, ""), pair
    assert {status for status, _ in replies[0]} <= {400, 403}
    assert [status for status, _ in replies[0][:3]] == [403] * 3
    assert not Look.objects.exists()
    assert not Disposition.objects.exists()


def test_nor_does_it_tell_which_of_them_a_list_would_hold(
    client: Client, world: World
) -> None:
    lists = f"reports/{world.report().pk}/cases/?split=held_out"
    pages = [ask(client, "GET", f"/{lists}{query}") for query in FILTERS]
    replies = [ask(client, "GET", f"/api/v1/{lists}{query}") for query in FILTERS]
    assert {a.status for a in (*pages, *replies)} == {403}
    assert len({a.text for a in replies}) == 1
    assert [a.path for a in pages if "case-00" in a.text] == []


def test_open_pairs_are_told_apart_as_before(client: Client, world: World) -> None:
    base = f"reports/{world.report().pk}/disagreements"
    for case, status in (("case-0000", 404), ("case-0001", 200)):
        pair = pair_named(world, case).pk
        for door in ("/", "/api/v1/"):
            assert client.get(f"{door}{base}/{pair}/").status_code == status
    for door in ("/", "/api/v1/"):
        assert client.get(f"{door}{base}/999999/").status_code == 404


@pytest.mark.parametrize("world", ["open"], indirect=True)
def test_a_look_of_ones_own_opens_them(client: Client, world: World) -> None:
    report = f"/reports/{world.report().pk}/disagreements"
    assert looked(client, f"{report}/open").status_code == 200
    statuses = [client.get(f"{report}/{p}/").status_code for p in closed_pairs(world)]
    # Right four times, and no gold twice; the last one was not judged.
    assert statuses == [404] * 4 + [200] * 7 + [404] * 3
