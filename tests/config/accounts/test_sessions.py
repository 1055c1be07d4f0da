"""Who is signed in is read anew by every request."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone

from config.accounts.sessions import SessionStore

if TYPE_CHECKING:
    from django.test import Client

    from config.accounts.models import User


@pytest.fixture
def store(db: None) -> SessionStore:
    store = SessionStore()
    store["name"] = "ü"
    store.save()
    return store


def test_a_session_is_read_back(store: SessionStore) -> None:
    assert SessionStore(store.session_key)["name"] == "ü"


@pytest.mark.parametrize(
    "key", ["nosuchkeynosuchkeynosuchkeynosuc", "x' OR '1'='1", ""]
)
def test_an_unknown_key_is_not_taken_over(store: SessionStore, key: str) -> None:
    other = SessionStore(key or None)
    assert other.get("name") is None
    assert other.session_key is None


def test_an_expired_session_is_gone(store: SessionStore) -> None:
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    assert SessionStore(store.session_key).get("name") is None


def test_data_that_was_tampered_with_is_nothing(store: SessionStore) -> None:
    Session.objects.update(session_data="e30:forged:forged")
    assert dict(SessionStore(store.session_key).items()) == {}


@pytest.mark.parametrize("how", ["deleted session", "inactive", "no group", "password"])
def test_whoever_loses_access_loses_it_at_once(
    reviewer_client: Client, reviewer: User, how: str
) -> None:
    assert reviewer_client.get("/history/0/").status_code != 302
    match how:
        case "deleted session":
            Session.objects.all().delete()
        case "inactive":
            type(reviewer).objects.update(is_active=False)
        case "password":
            reviewer.set_password("another password")
            reviewer.save()
        case _:
            reviewer.groups.clear()

    page = reviewer_client.get("/label/1/")
    assert page.status_code == (403 if how == "no group" else 302)
