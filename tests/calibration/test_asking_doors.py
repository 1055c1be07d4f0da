"""No address takes a look at held-out pairs by being opened: each one asks first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from annotation.services.look_plans import unseal
from calibration.models import Look
from tests.annotation.crawling import addresses, ask
from tests.annotation.factory import START
from tests.calibration.sealed import CANARY, sealed_world
from tests.calibration.walking import doors, leaks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from django.test import Client

    from config.accounts.models import User
    from tests.calibration.world import World

pytestmark = pytest.mark.django_db


@pytest.fixture
def opened(adjudicator: User, lead: User) -> World:
    """What is held out is told to whoever asks for a look."""
    world = sealed_world(adjudicator)
    unseal(gold_set=world.gold_set, reason="chosen", by=lead, now=START)
    world.run_again("other")
    return world


def comparisons(world: World) -> Iterator[str]:
    """Addresses that compare on held-out pairs."""
    name, report = world.gold_set.name, world.report().pk
    other = world.run_again("third").report().pk
    judges = f"judge={world.run.config.name}&judge=other&split=held_out"
    for base, end in (("", "/"), ("/api/v1", "")):
        yield f"{base}/gold-sets/{name}/compare{end}?{judges}"
        yield f"{base}/gold-sets/{name}/ablations{end}?split=held_out"
        yield f"{base}/reports/compare{end}?before={report}&after={other}"
    yield f"/runs/{world.run.pk}/ranking/?part=held_out"
    yield f"/api/v1/runs/{world.run.pk}/ranking?part=held_out"


def paths(world: World) -> Iterator[str]:
    """Every page and every address of the API, then those that name held-out pairs."""
    name = world.gold_set.name
    numbers = dict.fromkeys([world.report().pk, world.run.pk])
    values: dict[str, list[object]] = {
        "int": list(numbers),
        "uuid": ["0a4b2ea4-0000-4000-8000-000000000000"],
        "slug": [name],
        "str": [name],
        "path": [1],
    }
    yield from (one for one in addresses(values) if not one.startswith("/admin/"))
    yield from doors(world)
    yield from comparisons(world)


@pytest.mark.parametrize("who", ["lead", "auditor"])
def test_opening_every_address_takes_no_look(
    opened: World,
    who: str,
    request: pytest.FixtureRequest,
    client_of: Callable[[User], Client],
) -> None:
    client = client_of(request.getfixturevalue(who))
    answers = [ask(client, "GET", path) for path in paths(opened)]
    assert not Look.objects.exists()
    assert leaks(answers) == []
    assert [a.path for a in answers if a.status >= 500] == []
    # The walk must have got somewhere: asked, not unknown.
    asking = {a.path.split("?")[0] for a in answers if "showing them is" in a.text}
    name, report = opened.gold_set.name, opened.report().pk
    assert asking >= {
        *(f"/reports/{report}{form}" for form in ("/", ".json", ".csv", ".html")),
        *(f"/api/v1/reports/{report}/{form}" for form in ("", "csv", "html")),
        f"/gold-sets/{name}/compare/",
        f"/api/v1/gold-sets/{name}/compare",
        "/reports/compare/",
        "/api/v1/reports/compare",
        f"/runs/{opened.run.pk}/ranking/",
        f"/api/v1/runs/{opened.run.pk}/ranking",
        f"/gold-sets/{name}/quality/",
        f"/api/v1/gold-sets/{name}/rulings/held-out/",
    }


def test_the_same_addresses_tell_once_the_looks_are_taken(
    opened: World, lead_client: Client
) -> None:
    """The walk above is able to find something."""
    path = f"/gold-sets/{opened.gold_set.name}/rulings/?split=held_out"
    lead_client.post(path, {"reason": "the release is due"})
    assert Look.objects.exists()
    assert CANARY in ask(lead_client, "GET", path).text
