"""Every record can be looked at by a lead, and changed by nobody."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.apps import apps
from django.contrib import admin
from django.urls import reverse

from annotation.domain.consensus import ConsensusRule
from annotation.domain.outcomes import Outcome
from annotation.domain.rulings import RulingCategory
from annotation.models import (
    Adjudication,
    Assignment,
    Draft,
    Exposure,
    GoldItem,
    Label,
    Response,
    Round,
    Seat,
)
from annotation.services.adjudicating import Opinion, adjudicate
from annotation.services.freezing import freeze_gold
from tests.annotation.factory import START, add_case, make_set

if TYPE_CHECKING:
    from django.db.models import Model
    from django.test import Client

    from config.accounts.models import User
    from tests.annotation.factory import Clock, Desk

MODELS = list(apps.get_app_config("annotation").get_models())


@pytest.mark.parametrize("model", MODELS)
def test_a_lead_sees_the_rows(
    model: type[Model], lead_client: Client, desk: Desk
) -> None:
    desk.submit(desk.claim())
    Round.objects.update(closed_at=START, disclosed_at=START)
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


@pytest.mark.parametrize("model", [Label, GoldItem, Adjudication])
def test_what_tells_held_out_gold_is_left_out(
    model: type[Model], lead_client: Client, adjudicator: User
) -> None:
    """These pages log no look, so they show none of it, sealed or not."""
    for split in ("dev", "held_out"):
        gold_set = make_set(0, name=f"set-{split}")
        systems = list(gold_set.systems.all())
        case = add_case(gold_set, systems, f"case-{split}", split=split)
        pair = case.pairs.get()
        Label.objects.create(
            pair=pair, outcome="tie", external_reviewer="ann", created_at=START
        )
        opinion = Opinion(Outcome.TIE, RulingCategory.GENUINELY_CLOSE, "why")
        adjudicate(pair=pair, opinion=opinion, by=adjudicator, now=START)
        freeze_gold(
            gold_set=gold_set, rule=ConsensusRule.MODE_OR_TIE, by=None, now=START
        )
    url = reverse(f"admin:annotation_{model._meta.model_name}_changelist")
    shown = lead_client.get(url).context["cl"].queryset
    assert [row.pair.case.split for row in shown] == ["dev"]
    hidden = model._default_manager.exclude(pk__in=[row.pk for row in shown]).get()
    one = reverse(f"admin:annotation_{model._meta.model_name}_change", args=[hidden.pk])
    assert lead_client.get(one).status_code == 302


def shown_in(client: Client, model: type[Model]) -> int:
    url = reverse(f"admin:annotation_{model._meta.model_name}_changelist")
    return len(client.get(url).context["cl"].result_list)


@pytest.mark.parametrize("model", [Label, Draft, Seat, Assignment])
def test_nothing_is_shown_of_a_round_before_it_is_disclosed(
    model: type[Model], lead_client: Client, desk: Desk, clock: Clock
) -> None:
    desk.submit(desk.claim())
    claimed = desk.claim()
    Draft.objects.create(assignment=claimed, content={}, saved_at=clock.now)
    row = model._default_manager.get_queryset().first()
    assert row is not None
    name = f"admin:annotation_{model._meta.model_name}_change"
    page = reverse(name, args=[row.pk])
    assert shown_in(lead_client, model) == 0
    assert lead_client.get(page).status_code == 302
    desk.round.closed_at = clock.now
    desk.round.save(update_fields=["closed_at"])
    if model is Label:
        assert shown_in(lead_client, model) == 0
        assert lead_client.get(page).status_code == 302
    assert not Exposure.objects.exists()
    assert Round.objects.get().disclosed_at is None


@pytest.mark.parametrize(
    ("model", "kinds"),
    [
        (Label, ["labels", "systems"]),
        (Seat, ["systems"]),
        (Response, ["systems"]),
    ],
)
@pytest.mark.parametrize("where", ["changelist", "change", "history"])
def test_whoever_reads_a_row_is_noted_for_its_pair(
    model: type[Model], kinds: list[str], where: str, lead: User, lead_client: Client,
    desk: Desk,
) -> None:  # fmt: skip
    label = desk.submit(desk.claim())
    Round.objects.update(closed_at=START, disclosed_at=START)
    response = label.pair.baseline_id
    keys = {Label: label.pk, Seat: label.seat_id, Response: response}
    args = [] if where == "changelist" else [keys[model]]
    url = reverse(f"admin:annotation_{model._meta.model_name}_{where}", args=args)

    assert lead_client.get(url).status_code == 200
    found = Exposure.objects.filter(user=lead, pair=label.pair).order_by("kind")
    assert [row.kind for row in found] == kinds
    # One row tells of one pair; the list of labels has this one alone.
    if where != "changelist" or model is Label:
        assert set(Exposure.objects.values_list("pair", flat=True)) == {label.pair_id}
