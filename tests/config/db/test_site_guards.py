"""The guards of the site's own tables, one by one."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from django.db import connection

from config.db import guards
from config.db.declarations import GuardKind, guard_of, own_models

GUARDED = [m for m in own_models() if guard_of(m).kind is not GuardKind.MUTABLE]


@pytest.mark.django_db
def test_after_migrate_nothing_is_missing():
    assert guards.missing(connection) == []


@pytest.mark.django_db
@pytest.mark.parametrize("model", GUARDED, ids=lambda model: model._meta.label)
def test_each_guarded_table_has_its_triggers(model):
    guards.remove(connection)
    missing = [t for t in guards.missing(connection) if t.table == model._meta.db_table]
    assert len(missing) == 2


def test_what_records_the_past_is_guarded():
    expected = {
        "annotation.Label": "append_only",
        "annotation.Adjudication": "append_only",
        "annotation.Exposure": "append_only",
        "annotation.GoldVersion": "append_only",
        "annotation.Case": "append_only_except",
        "judging.JudgeConfig": "frozen_when",
    }
    kinds = {model._meta.label: guard_of(model).kind.value for model in GUARDED}
    assert {label: kinds.get(label) for label in expected} == expected


@pytest.mark.django_db
def test_migrate_brings_back_what_is_missing():
    guards.remove(connection)
    call_command("migrate", verbosity=0)
    assert guards.missing(connection) == []
