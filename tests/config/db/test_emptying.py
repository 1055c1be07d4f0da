"""What a test that commits leaves is taken away, guards or not."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import Group, Permission
from django.db import DatabaseError, connection

from annotation.models import Case, Label, Pair
from config.accounts.models import User
from config.db import guards
from config.db.emptying import empty, filled_tables
from tests.annotation.hygiene_rows import load, row

pytestmark = pytest.mark.django_db(transaction=True)


def test_guarded_rows_and_those_they_point_to_go(lead: User) -> None:
    load(row(0), row(1))
    permissions = Permission.objects.count()
    emptied = empty(connection)
    tables = {model._meta.db_table for model in (Case, Pair, User, Group)}
    assert tables <= set(emptied)
    assert Label._meta.db_table not in emptied, "it had no row"
    assert filled_tables(connection) == []
    assert Permission.objects.count() == permissions > 0
    assert guards.missing(connection) == []
    assert empty(connection) == []


def test_the_guards_work_again_and_missing_ones_come_back(lead: User) -> None:
    guards.remove(connection)
    load(row(0))
    empty(connection)
    gold_set = load(row(0))
    pairs: Any = Pair.objects.filter(gold_set=gold_set)
    with pytest.raises(DatabaseError, match="cannot be changed"):
        pairs.update(digest="0" * 64)
