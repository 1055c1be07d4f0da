"""A number counts the dev pairs of a set; without a set there is only the example."""

from __future__ import annotations

import pytest

from tests.judging.factory import ADDRESS, make_judge
from tests.judging.views.test_judges import page, url_of

pytestmark = pytest.mark.django_db


def test_a_number_without_a_set_is_said_to_count_nothing(lead_client):
    config = make_judge(ADDRESS)
    text = page(lead_client, url_of(config, "shown?number=999"))
    assert "number: counts the dev pairs of a set, and no set is named" in text
    assert "built-in example" not in text


@pytest.mark.parametrize("query", ["", "?number=", "?number=1"])
def test_the_first_is_the_example(lead_client, query):
    text = page(lead_client, url_of(make_judge(ADDRESS), f"shown{query}"))
    assert "number: " not in text
    assert "built-in example" in text
