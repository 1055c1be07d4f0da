"""Releases in a browser: the pages fit, and axe finds nothing."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from calibration.services.policies import draft_policy
from calibration.services.waivers import WaiverWish, ask_waiver
from tests.calibration.evidence import POLICY
from tests.calibration.releases import LOOSE, make_release

if TYPE_CHECKING:
    from config.accounts.models import User
    from tests.browser.labeller import Labeller


@pytest.mark.parametrize("width", [1440, 390])
def test_they_fit_and_axe_finds_nothing(
    width: int, labeller: Labeller, lead: User, reviewer: User
) -> None:
    policy = LOOSE | {"abstainPath": "mandatory-human", "minimumCases": 5}
    released = make_release("CCCCCCCCBA", policy=policy, critical=[8, 9])
    now = timezone.now()
    wish = WaiverWish(("r8",), "late", reviewer.username, "soon", now + timedelta(9))
    ask_waiver(gold_set=released.gold_set, wish=wish, by=lead, now=now)
    draft = draft_policy(name="draft", document=POLICY, by=lead, now=now)
    decision = released.decide(lead)
    client = Client()
    client.force_login(lead)
    labeller.sign_in(client.cookies[settings.SESSION_COOKIE_NAME].value)
    labeller.resize(width, 844)
    for path in (
        "/releases/",
        f"/releases/{released.run.pk}/",
        f"/decisions/{decision.pk}/",
        "/policies/",
        f"/policies/{released.policy.pk}/",
        f"/policies/{draft.pk}/",
        "/waivers/",
    ):
        labeller.path = path
        labeller.open()
        assert labeller.sideways() <= 0, path
        assert labeller.violations() == [], path
        assert labeller.console() == [], path
