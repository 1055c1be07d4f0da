"""Drift and rankings in a browser: they fit, and axe finds nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from django.test import Client

from tests.calibration.sentinels import finish, make_watched
from tests.calibration.services.sentinels.marking import mark
from tests.calibration.world import Told, make_world
from tests.judging.factory import ADDRESS, make_judge
from tests.judging.pointwise_judges import pointwise_judge

if TYPE_CHECKING:
    from config.accounts.models import User
    from tests.browser.labeller import Labeller


def watch() -> None:
    """Two series of pairs with changes and alarms, and marks beside them."""
    pointwise_judge(name="marker", scale={"kind": "pass_fail"})
    watched = make_watched(16, parts=2, pointwise_judge="marker")
    rounds: list[tuple[str, dict[str, int | None], str]] = [
        ("B", {}, "a"),
        ("C", {"v13": 0}, "a"),
        ("B", {}, "b"),
        ("B", {}, "another"),
    ]
    for said, marks, build in rounds:
        if build == "another":
            make_judge(ADDRESS, model=build)
        pairs, marked = watched.start()
        finish(pairs, said, fingerprint=build)
        mark(marked, marks)
        watched.settle()


@pytest.mark.parametrize("width", [1440, 390])
def test_they_fit_and_axe_finds_nothing(
    width: int, labeller: Labeller, lead: User
) -> None:
    watch()
    letters = "C" * 18 + "B" * 4 + "T" * 3
    world = make_world(
        [*(Told("dev", "B", one, one) for one in letters),
         *(Told("held_out", "B", "B", "B") for _ in range(3))]
    )  # fmt: skip
    client = Client()
    client.force_login(lead)
    labeller.sign_in(client.cookies[settings.SESSION_COOKIE_NAME].value)
    labeller.resize(width, 844)
    for path in (
        "/sentinels/",
        "/sentinels/new/",
        "/sentinels/panels/daily/",
        "/releases/new/",
        f"/runs/{world.run.pk}/ranking/",
    ):
        labeller.path = path
        labeller.open()
        assert labeller.sideways() <= 0, path
        assert labeller.violations() == [], path
        assert labeller.console() == [], path
