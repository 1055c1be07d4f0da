from __future__ import annotations

from io import StringIO

import pytest
from django.contrib.auth.models import Group, Permission
from django.core.management import call_command

from config.accounts.roles import (
    DESCRIPTIONS,
    EXTRA_PERMISSIONS,
    WITHHELD,
    Role,
    permission_names,
)

pytestmark = pytest.mark.django_db


def sync() -> str:
    out = StringIO()
    call_command("sync_roles", stdout=out)
    return out.getvalue()


def held(role: Role) -> set[str]:
    permissions = Group.objects.get(name=role.value).permissions
    return {
        f"{app}.{name}"
        for app, name in permissions.values_list("content_type__app_label", "codename")
    }


def test_it_makes_the_groups_and_is_harmless_to_repeat():
    assert sync().count("updated") == 4
    assert sync().count("up to date") == 4
    assert set(Group.objects.values_list("name", flat=True)) == set(Role)


def test_what_was_changed_by_hand_is_put_right():
    sync()
    extra = Permission.objects.get(codename="delete_label")
    Group.objects.get(name="reviewer").permissions.add(extra)
    assert "reviewer: updated" in sync()
    assert "annotation.delete_label" not in held(Role.REVIEWER)


def test_what_each_role_holds():
    sync()
    assert held(Role.REVIEWER) == {"annotation.add_label"}
    assert "annotation.add_adjudication" in held(Role.ADJUDICATOR)
    assert "judging.view_judgeconfig" in held(Role.AUDITOR)
    assert {name.split(".")[1].split("_")[0] for name in held(Role.AUDITOR)} == {"view"}
    assert "judging.add_judgeconfig" in held(Role.LEAD)
    assert "annotation.add_label" not in held(Role.LEAD)
    assert not any(".delete_" in name for role in Role for name in held(role))


def test_permissions_named_in_code_exist():
    existing = {
        f"{p.content_type.app_label}.{p.codename}"
        for p in Permission.objects.select_related("content_type")
    }
    named = frozenset().union(*EXTRA_PERMISSIONS.values(), *WITHHELD.values())
    assert named <= existing


def test_permissions_that_do_not_exist_are_not_invented():
    assert permission_names(Role.REVIEWER, frozenset({"auth.add_user"})) == frozenset()


def test_every_role_is_described():
    assert set(DESCRIPTIONS) == set(Role)
