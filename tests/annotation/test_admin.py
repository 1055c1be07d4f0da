"""Every record can be looked at by a lead, and changed by nobody."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.apps import apps
from django.contrib import admin
from django.urls import reverse

if TYPE_CHECKING:
    from django.db.models import Model
    from django.test import Client

    from tests.annotation.factory import Desk

MODELS = list(apps.get_app_config("annotation").get_models())


@pytest.mark.parametrize("model", MODELS)
def test_a_lead_sees_the_rows(
    model: type[Model], lead_client: Client, desk: Desk
) -> None:
    desk.submit(desk.claim())
    assert admin.site.is_registered(model)
    name = f"admin:annotation_{model._meta.model_name}"
    assert lead_client.get(reverse(f"{name}_changelist")).status_code == 200
    assert lead_client.get(reverse(f"{name}_add")).status_code == 403
    row = model._default_manager.first()
    if row is not None:
        page = lead_client.get(reverse(f"{name}_change", args=[row.pk]))
        assert page.status_code == 200
        assert 'name="_save"' not in page.content.decode()


@pytest.mark.parametrize("model", MODELS)
def test_a_reviewer_sees_none(model: type[Model], reviewer_client: Client) -> None:
    url = reverse(f"admin:annotation_{model._meta.model_name}_changelist")
    assert reviewer_client.get(url).status_code in (302, 403)


def test_a_secret_seed_is_not_shown(lead_client: Client, desk: Desk) -> None:
    for name, row in (("round", desk.round), ("goldset", desk.round.gold_set)):
        page = lead_client.get(
            reverse(f"admin:annotation_{name}_change", args=[row.pk])
        )
        assert row.seed not in page.content.decode()
