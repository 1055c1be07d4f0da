"""Who can see systems and results is told that their labelling is not blind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse
from django.utils import timezone

from config.accounts.roles import Role
from tests.annotation.api.test_labelling import ROUNDS, api_of
from tests.annotation.factory import make_round, make_set

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test import Client

    from config.accounts.models import User


@pytest.mark.parametrize(
    ("roles", "told"),
    [
        ((Role.REVIEWER,), False),
        ((Role.ADJUDICATOR,), False),
        ((Role.REVIEWER, Role.LEAD), True),
        ((Role.ADJUDICATOR, Role.AUDITOR), True),
    ],
)
def test_where_they_label_and_where_they_start(
    roles: tuple[Role, ...],
    told: bool,
    make_user: Callable[..., User],
    client_of: Callable[[User], Client],
) -> None:
    user = make_user("somebody", *roles)
    round_ = make_round(make_set(cases=2), user, now=timezone.now())
    client = client_of(user)
    for address in (reverse("home"), reverse("annotation:label", args=[round_.pk])):
        text = client.get(address).content.decode()
        assert ("not blind work" in text, "marked as not blind" in text) == (told, told)
    rows: Any = api_of(user).get(ROUNDS).json()
    assert [row["blind"] for row in rows] == [not told]


def test_a_lead_who_labels_nowhere_is_not_bothered(lead_client: Client) -> None:
    assert "not blind work" not in lead_client.get(reverse("home")).content.decode()
