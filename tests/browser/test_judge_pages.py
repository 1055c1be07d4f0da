"""Pages of pointwise judges, first steps and panels in a browser: fit and axe."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from django.test import Client

from tests.judging.answers import split_set
from tests.judging.factory import ADDRESS
from tests.judging.pointwise_judges import GATED, gated
from tests.judging.rubric_judges import rubric_run
from tests.judging.services.test_panel_runs import judges, panel_of, start
from tests.judging.views.test_marks import marked_run

if TYPE_CHECKING:
    from config.accounts.models import User
    from tests.browser.labeller import Labeller


@pytest.fixture
def at(labeller: Labeller, lead: User) -> Labeller:
    """The lead, signed in."""
    client = Client()
    client.force_login(lead)
    labeller.sign_in(client.cookies[settings.SESSION_COOKIE_NAME].value)
    return labeller


def paths() -> list[str]:
    """Addresses of pages that have something to show."""
    said = {"v12": gated(8, safe=True), "v13": gated(9, safe=False)}
    marked = marked_run(split_set(dev=2, held_out=1), said, scale=GATED)
    response = marked.calls.earliest("pk").response_id
    rubrics = rubric_run(ADDRESS, gold_set=split_set(dev=1, held_out=0), name="writer")
    pair = rubrics.calls.verdicts().earliest("pk").pair_id
    panel = start(panel_of(judges(2)), split_set(dev=1, held_out=0))
    return [
        "/judges/",
        "/judges/new/",
        "/judges/new-pointwise/",
        "/judges/new-panel/",
        "/judges/panel/1/",
        "/judges/marker/1/",
        f"/runs/{marked.pk}/",
        f"/runs/{marked.pk}/marks/",
        f"/runs/{marked.pk}/marks/{response}/",
        f"/runs/{rubrics.pk}/calls/{pair}/",
        f"/runs/{panel.pk}/",
    ]


@pytest.mark.parametrize("width", [1440, 390])
def test_they_fit_and_axe_finds_nothing(width: int, at: Labeller) -> None:
    at.resize(width, 844)
    for path in paths():
        at.path = path
        at.open()
        assert at.sideways() <= 0, path
        assert at.violations() == [], path
        assert at.console() == [], path
