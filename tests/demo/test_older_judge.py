"""The demo over a database of an earlier release."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from calibration.management.demo import judge
from calibration.management.demo.fixture import Fixture
from judging.domain.digests import spec_digest, spec_from_json
from tests.guards import change
from tests.judging.factory import ADDRESS

if TYPE_CHECKING:
    from config.accounts.models import User

pytestmark = pytest.mark.django_db


def test_a_judge_of_an_earlier_release_is_followed_by_a_version_of_this_one(
    lead: User,
) -> None:
    fixture = Fixture()
    first = judge.frozen_judge(fixture, ADDRESS, lead)
    assert judge.frozen_judge(fixture, ADDRESS, lead) == first
    spec = {**first.spec, "parser_version": "five_token/1"}
    change(first, spec=spec, digest=spec_digest(spec_from_json(spec)))
    newer = judge.frozen_judge(fixture, ADDRESS, lead)
    assert (newer.name, newer.version) == (first.name, 2)
    assert newer.simulated
    assert judge.frozen_judge(fixture, ADDRESS, lead) == newer
