"""Walk the site for what is held out, and find the canaries in what comes back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from annotation.models import GoldItem, Label, Pair
from calibration.services.exports import ExportKind
from tests.annotation.crawling import ask, crawl
from tests.calibration.sealed import CANARY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.test import Client

    from tests.calibration.world import World


def held_out_pair(world: World) -> Pair:
    pairs = Pair.objects.filter(gold_set=world.gold_set)
    return pairs.filter(case__split="held_out")[:1].get()


def doors(world: World) -> Iterator[str]:
    """Addresses that ask for held-out pairs in so many words."""
    name, report = world.gold_set.name, world.report().pk
    pair = held_out_pair(world)
    for form in ("/", ".json", ".html", ".csv"):
        yield f"/reports/{report}{form}"
    yield f"/reports/{report}/cases/?split=held_out"
    yield f"/reports/{report}/cases/?split=all"
    yield f"/reports/{report}/disagreements/?split=held_out"
    yield f"/reports/{report}/disagreements/{pair.pk}/"
    yield f"/reports/{report}/disagreements/open"
    yield f"/api/v1/reports/{report}/disagreements/open"
    yield f"/gold-sets/{name}/quality/?split=held_out"
    yield f"/api/v1/gold-sets/{name}/quality?split=held_out"
    yield f"/runs/{world.run.pk}/calls/?split=held_out"
    yield f"/runs/{world.run.pk}/calls/{pair.pk}/"
    yield f"/gold-sets/{name}/rulings/?split=held_out"
    yield f"/gold-sets/{name}/gold/1/2/"
    for form in ("", "csv", "html"):
        yield f"/api/v1/reports/{report}/{form}"
    yield f"/api/v1/reports/{report}/cases/?split=held_out"
    yield f"/api/v1/reports/{report}/disagreements/?split=held_out"
    yield f"/api/v1/reports/{report}/disagreements/{pair.pk}/"
    yield f"/api/v1/runs/{world.run.pk}/calls/?split=held_out"
    yield f"/api/v1/gold-sets/{name}/rulings/held-out/"
    yield f"/api/v1/gold-sets/{name}/gold/versions/1/changes/2?held_out=true"
    for kind in ExportKind:
        for part in ("held_out", "all"):
            query = f"part={part}&version=2&every_revision=true"
            yield f"/api/v1/gold-sets/{name}/exports/{kind.value}?{query}"


JSON = {"content_type": "application/json"}


def asked(client: Client, world: World) -> list[Any]:
    """Everything that comes of walking all addresses, and those above."""
    pair = held_out_pair(world)
    values: dict[str, list[object]] = {
        "int": list(dict.fromkeys([world.report().pk, world.run.pk, pair.pk])),
        "uuid": ["0a4b2ea4-0000-4000-8000-000000000000"],
        "slug": [world.gold_set.name],
        "str": [world.gold_set.name],
        "path": [*(m.objects.latest("pk").pk for m in (Label, GoldItem)), pair.pk],
    }
    return crawl(client, values) + asked_outright(client, world)


def asked_outright(client: Client, world: World) -> list[Any]:
    """What comes of asking for held-out pairs in so many words."""
    found = []
    for path in doors(world):
        found += [ask(client, "GET", path), ask(client, "POST", path, {"reason": "x"})]
        found.append(ask(client, "POST", path, {"look_reason": "x"}, **JSON))
    export = f"/gold-sets/{world.gold_set.name}/export"
    for kind in ExportKind:
        form = {"kind": kind.value, "part": "held_out", "form": "jsonl"}
        form |= {"version": "2", "reason": "x"}
        found.append(ask(client, "POST", export, form))
    return found


def leaks(answers: list[Any]) -> list[str]:
    return [f"{a.method} {a.path} {a.status}" for a in answers if CANARY in a.text]
