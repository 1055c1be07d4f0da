from __future__ import annotations

import pytest
from django.db import connection

from config import checks
from config.db import guards
from tests.config.db.guarded_models import Note


def ids(found) -> list[str]:
    return [message.id for message in found]


@pytest.fixture
def site(settings, monkeypatch):
    """A team site as it should be."""
    settings.DEBUG = settings.EVENHAND_DEMO = False
    settings.HTTPS_ONLY = True
    settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = True
    settings.ALLOWED_HOSTS = ["evenhand.example.org"]
    monkeypatch.setitem(settings.DATABASES["default"], "HOST", "db.example.org")
    settings.EMBEDDED = False
    return settings


SECURITY = (
    checks.check_secret_key,
    checks.check_older_keys,
    checks.check_allowed_hosts,
    checks.check_debug,
    checks.check_cookies,
    checks.check_sqlite_workers,
)


def test_a_safe_site_passes(site):
    assert [ids(check()) for check in SECURITY] == [[]] * len(SECURITY)


@pytest.mark.parametrize(
    "key",
    ["", "short", "a" * 60, "django-insecure-" + "abcdefghijklmnopqrstuvwxyz" * 2],
)
def test_weak_keys(site, key):
    site.SECRET_KEY = key
    assert ids(checks.check_secret_key()) == ["evenhand.E001"]


@pytest.mark.parametrize("old", ["old", "a" * 60])
def test_weak_older_keys(site, old):
    strong = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKL"
    site.SECRET_KEY_FALLBACKS = [strong]
    assert checks.check_older_keys() == []
    site.SECRET_KEY_FALLBACKS = [strong, old]
    assert ids(checks.check_older_keys()) == ["evenhand.E005"]


def test_any_host(site):
    site.ALLOWED_HOSTS = ["a.example", "*"]
    assert ids(checks.check_allowed_hosts()) == ["evenhand.E002"]


@pytest.mark.parametrize("mode", ["DEBUG", "EVENHAND_DEMO"])
def test_developer_modes_stay_at_home(site, monkeypatch, mode):
    setattr(site, mode, True)
    assert ids(checks.check_debug()) == ["evenhand.E003"]
    site.ALLOWED_HOSTS = ["localhost", "127.0.0.1"]
    assert ids(checks.check_debug()) == ["evenhand.E003"]
    monkeypatch.setitem(site.DATABASES["default"], "HOST", "/run/postgresql")
    assert checks.check_debug() == []


def test_cookies(site):
    site.CSRF_COOKIE_SECURE = False
    assert ids(checks.check_cookies()) == ["evenhand.E004"]
    site.HTTPS_ONLY = False
    assert ids(checks.check_cookies()) == ["evenhand.W001"]
    site.ALLOWED_HOSTS = ["localhost"]
    assert checks.check_cookies() == []


def test_many_workers_on_sqlite(site):
    site.WEB_WORKERS = 2
    assert checks.check_sqlite_workers() == []
    site.EMBEDDED = True
    assert ids(checks.check_sqlite_workers()) == ["evenhand.W002"]


@pytest.mark.django_db
def test_missing_guards():
    assert checks.check_guards(databases=["default"]) == []
    guards.remove(connection)
    found = checks.check_guards(databases=["default"])
    assert {message.id for message in found} == {"evenhand.E010"}
    assert any("annotation_label" in message.msg for message in found)
    assert checks.check_guards(databases=None) == []


def test_a_model_without_a_guard(monkeypatch):
    assert checks.check_declarations() == []
    monkeypatch.setattr(Note, "guard", None)
    monkeypatch.setattr(checks, "own_models", lambda: [Note])
    assert ids(checks.check_declarations()) == ["evenhand.E011"]
