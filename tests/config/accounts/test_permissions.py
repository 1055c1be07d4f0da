from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from rest_framework.test import APIRequestFactory

from config.accounts.permissions import (
    api_role,
    forget_roles,
    has_role,
    role_required,
    roles_of,
)
from config.accounts.roles import Role

pytestmark = pytest.mark.django_db


def test_roles_are_groups(make_user):
    user = make_user("ann", Role.REVIEWER, Role.LEAD)
    assert roles_of(user) == {Role.REVIEWER, Role.LEAD}
    assert has_role(user, Role.AUDITOR, Role.LEAD)
    assert not has_role(user, Role.AUDITOR)
    assert not has_role(user)


def test_nobody_has_no_role(outsider):
    assert not roles_of(outsider)
    assert not roles_of(AnonymousUser())
    assert not roles_of(None)


def test_the_inactive_have_none(make_user):
    assert not roles_of(make_user("ann", Role.LEAD, is_active=False))


def test_a_superuser_is_a_lead_and_no_reviewer(make_user):
    assert roles_of(make_user("root", is_superuser=True)) == {Role.LEAD}


def test_roles_are_read_once(reviewer, django_assert_num_queries):
    forget_roles(reviewer)
    with django_assert_num_queries(1):
        assert has_role(reviewer, Role.REVIEWER)
        assert not has_role(reviewer, Role.LEAD)
    reviewer.groups.clear()
    forget_roles(reviewer)
    assert not roles_of(reviewer)


class TestPages:
    @staticmethod
    @role_required(Role.LEAD, Role.AUDITOR)
    def view(request, number: int) -> HttpResponse:
        return HttpResponse(str(number))

    def ask(self, rf, user):
        request = rf.get("/runs/?page=2")
        request.user = user
        return self.view(request, number=7)

    def test_those_with_the_role_enter(self, rf, lead, auditor):
        assert self.ask(rf, lead).content == b"7"
        assert self.ask(rf, auditor).content == b"7"

    def test_others_are_refused(self, rf, reviewer, adjudicator, outsider):
        for user in (reviewer, adjudicator, outsider):
            with pytest.raises(PermissionDenied):
                self.ask(rf, user)

    def test_strangers_sign_in_first(self, rf):
        assert self.ask(rf, AnonymousUser())["Location"] == (
            "/login/?next=/runs/%3Fpage%3D2"
        )


def test_the_api_asks_the_same(lead, reviewer):
    permission = api_role(Role.LEAD, Role.AUDITOR)()
    request = APIRequestFactory().get("/")
    for user, allowed in ((lead, True), (reviewer, False), (AnonymousUser(), False)):
        request.user = user
        assert permission.has_permission(request, None) is allowed
