"""A kept connection that has died is noticed before it is used."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from django.db import connections

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.db.backends.base.base import BaseDatabaseWrapper

pytestmark = pytest.mark.postgres_only


@pytest.fixture
def other(db: None) -> Iterator[BaseDatabaseWrapper]:
    """A second connection to the same database."""
    copied = connections["default"].copy()
    copied.ensure_connection()
    yield copied
    copied.close()


def test_an_idle_connection_is_usable_without_a_query(
    other: BaseDatabaseWrapper,
) -> None:
    with other.cursor() as cursor:
        cursor.execute("SELECT 1")
        assert cursor.fetchall() == [(1,)]
    assert type(other).__module__ == "config.db.postgresql.base"
    assert other.is_usable()


def test_a_connection_that_the_server_ended_is_not(other: BaseDatabaseWrapper) -> None:
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        pid = cursor.fetchone()[0]
    with connections["default"].cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s)", [pid])
    for _ in range(100):
        if not other.is_usable():
            break
        time.sleep(0.05)
    assert not other.is_usable()


def test_a_request_after_that_gets_a_new_one(other: BaseDatabaseWrapper) -> None:
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        pid = cursor.fetchone()[0]
    with connections["default"].cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s)", [pid])
    time.sleep(0.5)
    other.close_if_unusable_or_obsolete()  # as Django does between requests
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        assert cursor.fetchone()[0] != pid


def test_a_closed_one_is_not_usable(other: BaseDatabaseWrapper) -> None:
    assert other.connection is not None
    other.connection.close()
    assert not other.is_usable()
