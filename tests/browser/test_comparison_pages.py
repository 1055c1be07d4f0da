"""Comparisons and the planner in a browser: they fit, and axe finds nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from django.test import Client

from tests.calibration.reviews import review_world

if TYPE_CHECKING:
    from config.accounts.models import User
    from tests.browser.labeller import Labeller


@pytest.mark.parametrize("width", [1440, 390])
def test_they_fit_and_axe_finds_nothing(
    width: int, labeller: Labeller, lead: User
) -> None:
    world = review_world()
    other = world.run_again("other")
    client = Client()
    client.force_login(lead)
    labeller.sign_in(client.cookies[settings.SESSION_COOKIE_NAME].value)
    labeller.resize(width, 844)
    base, judge = f"/gold-sets/{world.gold_set.name}/", world.run.config.name
    before, after = world.report().pk, other.report().pk
    for path in (
        f"{base}compare/",
        f"{base}compare/?judge={judge}&judge=other&split=dev",
        f"{base}compare/?judge={judge}&judge=other&split=held_out",
        f"{base}ablations/?split=held_out",
        f"{base}plan/",
        f"{base}plan/?half_width=5&limit=5&true=2&judge={judge}",
        f"/reports/compare/?before={before}&after={after}",
    ):
        labeller.path = path
        labeller.open()
        assert labeller.sideways() <= 0, path
        assert labeller.violations() == [], path
        assert labeller.console() == [], path
