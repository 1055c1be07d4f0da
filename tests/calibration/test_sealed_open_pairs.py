"""Which pairs of a sealed set have no gold is not told: only how many."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Pair
from annotation.services.look_plans import unseal
from tests.annotation.factory import START
from tests.calibration.sealed import sealed_world

if TYPE_CHECKING:
    from django.test import Client

    from config.accounts.models import User
    from tests.calibration.world import World

pytestmark = pytest.mark.django_db


@pytest.fixture
def sealed(adjudicator: User) -> World:
    return sealed_world(adjudicator)


def test_open_pairs_that_are_sealed_are_counted_and_not_named(
    sealed: World, lead: User, lead_client: Client
) -> None:
    """That a pair is open follows from its labels, or from there being none."""
    name = sealed.gold_set.name
    held_out = Pair.objects.filter(gold_set=sealed.gold_set, case__split="held_out")
    ids = set(held_out.values_list("case__external_id", flat=True))
    dev = Pair.objects.filter(gold_set=sealed.gold_set, case__split="dev").count()
    page, url = f"/gold-sets/{name}/gold/", f"/api/v1/gold-sets/{name}/gold"

    def told() -> tuple[str, str, dict[str, Any]]:
        with pytest.raises(CommandError) as refused:
            call_command("freeze_gold", name)
        versions = f"{url}/versions"
        reply = lead_client.post(versions, {}, content_type="application/json").json()
        texts = (str(refused.value), lead_client.get(page).content.decode())
        return *texts, {**lead_client.get(url).json(), "refused": reply}

    message, html, found = told()
    waiting = found["sealed_open"]
    assert waiting == 19  # all but the one that was ruled on
    assert {one["split"] for one in found["open"]} == {"dev"}
    assert len(found["open"]) == dev
    assert found["refused"]["detail"]["reasons"]["sealed"] == 19
    assert "19 of them sealed, which are not named" in message
    assert "19 sealed pairs without gold: not named" in html
    every = f"{message} {html} {json.dumps(found)}"
    assert not {case for case in ids if re.search(rf"\b{re.escape(case)}\b", every)}

    unseal(gold_set=sealed.gold_set, reason="chosen", by=lead, now=START)
    message, html, found = told()
    assert found["sealed_open"] == 0
    assert len(found["open"]) == dev + 19
    assert "sealed" not in message
