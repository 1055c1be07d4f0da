from __future__ import annotations

import pytest
from django.contrib import admin

from config.accounts.admin_base import ReadOnlyAdmin
from config.accounts.models import User
from config.accounts.roles import Role
from config.db.declarations import GuardKind, guard_of, own_models

pytestmark = pytest.mark.django_db


def test_leads_enter(lead_client):
    assert lead_client.get("/admin/").status_code == 200
    assert lead_client.get("/admin/accounts/user/").status_code == 200


@pytest.mark.parametrize("role", [Role.REVIEWER, Role.ADJUDICATOR, Role.AUDITOR])
def test_others_do_not(client_of, make_user, role):
    client = client_of(make_user("ann", role, is_staff=True))
    assert client.get("/admin/", follow=True).status_code == 403


def test_strangers_are_sent_to_the_one_login_page(client):
    reply = client.get("/admin/", follow=True)
    assert reply.redirect_chain[-1][0] == "/login/?next=/admin/"


def test_leads_let_people_in(lead_client, lead):
    form = {
        "username": "new",
        "usable_password": "true",
        "password1": "a long enough one",
        "password2": "a long enough one",
    }
    lead_client.post("/admin/accounts/user/add/", form)
    assert User.objects.get(username="new").check_password("a long enough one")


def test_leads_neither_make_nor_change_superusers(lead_client, lead, make_user):
    root = make_user("root", is_superuser=True)
    url = "/admin/accounts/user/{}/change/"
    assert lead_client.post(url.format(root.pk), {"username": "x"}).status_code == 403
    lead_client.post(url.format(lead.pk), {"username": "lead", "is_superuser": "on"})
    assert not User.objects.get(pk=lead.pk).is_superuser


def test_nobody_deletes_people(lead_client, reviewer):
    url = f"/admin/accounts/user/{reviewer.pk}/delete/"
    assert lead_client.post(url, {"post": "yes"}).status_code == 403


def test_guarded_models_are_shown_read_only_or_not_at_all():
    guarded = {m for m in own_models() if guard_of(m).kind is not GuardKind.MUTABLE}
    for model in guarded & set(admin.site._registry):
        assert isinstance(admin.site._registry[model], ReadOnlyAdmin), model


def test_read_only_means_read_only(rf, lead, reviewer):
    shown = ReadOnlyAdmin(User, admin.site)
    request = rf.get("/")
    request.user = lead
    assert shown.has_view_permission(request)
    assert shown.has_module_permission(request)
    assert not shown.has_add_permission(request)
    assert not shown.has_change_permission(request)
    assert not shown.has_delete_permission(request)
    request.user = reviewer
    assert not shown.has_view_permission(request)
