"""The server's own secrets can't be named as a provider's key."""

from __future__ import annotations

import pytest

from judging.services.drafting import VARIABLE


@pytest.mark.parametrize(
    "name", ["SECRET_KEY", "DATABASE_URL", "CELERY_BROKER_URL", "EVENHAND_VAR", "PATH"]
)
def test_own_variables_are_refused(name):
    assert VARIABLE.fullmatch(name) is None


@pytest.mark.parametrize("name", ["OPENAI_API_KEY", "MY_SECRET_KEY", "PATH_KEY"])
def test_others_are_taken(name):
    assert VARIABLE.fullmatch(name)
