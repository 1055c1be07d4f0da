from __future__ import annotations

from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.db.urls import parse_database_url

BASE = Path("/srv/site")


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("sqlite:///var/a.sqlite3", "/srv/site/var/a.sqlite3"),
        ("sqlite:////data/a%20b.sqlite3", "/data/a b.sqlite3"),
        ("sqlite://:memory:", ":memory:"),
        ("sqlite:///:memory:", ":memory:"),
    ],
)
def test_sqlite(url, name):
    entry = parse_database_url(url, base=BASE)
    assert entry["ENGINE"] == "django.db.backends.sqlite3"
    assert entry["NAME"] == name
    assert entry["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert "recursive_triggers=ON" in entry["OPTIONS"]["init_command"]


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (
            "postgres://ann:p%40ss@db.example:5433/gold?sslmode=require",
            ("gold", "ann", "p@ss", "db.example", "5433", {"sslmode": "require"}),
        ),
        (
            "postgresql:///gold?host=/run/postgresql",
            ("gold", "", "", "/run/postgresql", "", {}),
        ),
        (
            "postgres://ann@%2Frun%2FPg/gold",
            ("gold", "ann", "", "/run/Pg", "", {}),
        ),
        ("postgres://[::1]:5432/gold", ("gold", "", "", "::1", "5432", {})),
    ],
)
def test_postgres(url, expected):
    entry = parse_database_url(url, base=BASE)
    keys = ("NAME", "USER", "PASSWORD", "HOST", "PORT", "OPTIONS")
    assert tuple(entry[key] for key in keys) == expected
    assert entry["CONN_HEALTH_CHECKS"] is True


@pytest.mark.parametrize(
    "url",
    [
        "mysql://u:hunter2@h/d",
        "postgres://u:hunter2@h",
        "postgres://u:hunter2@h/",
        "postgres://u:hunter2@h:port/d",
        "postgres://u:hunter2@[h/d",
        "postgres://u:hunter2@h/d?sslmode",
        "sqlite://a.db",
        "sqlite:///",
        "sqlite:///a.db?mode=ro",
        "hunter2",
    ],
)
def test_nonsense_is_refused_without_repeating_the_password(url):
    with pytest.raises(ImproperlyConfigured, match="DATABASE_URL") as caught:
        parse_database_url(url, base=BASE)
    assert "hunter2" not in str(caught.value)
