"""The guards of the site's own tables, one by one."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, models, transaction

from config.accounts.models import User
from config.db import guards
from config.db.declarations import GuardKind, guard_of, own_models
from tests.judging.factory import ADDRESS, make_run

GUARDED = [m for m in own_models() if guard_of(m).kind is not GuardKind.MUTABLE]


@pytest.mark.django_db
def test_after_migrate_nothing_is_missing():
    assert guards.missing(connection) == []


@pytest.mark.django_db
@pytest.mark.parametrize("model", GUARDED, ids=lambda model: model._meta.label)
def test_each_guarded_table_has_its_triggers(model):
    guards.remove(connection)
    missing = [t for t in guards.missing(connection) if t.table == model._meta.db_table]
    assert len(missing) == (3 if connection.vendor == "sqlite" else 2)


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


# When something happened and who did it, in columns that may be changed: and why.
SINCE_ENDED = "empty until it is over; who undoes it writes another row"
CLAIM = "says who works on it now, and nothing of the past"
MOVABLE: dict[str, tuple[str, str]] = {
    "accounts.User": ("last_login date_joined", "Django's own, of an account"),
    "accounts.User_groups": ("user_id", "which roles somebody has now"),
    "accounts.User_user_permissions": ("user_id", "what somebody may do now"),
    "accounts.FailedSignIn": ("at", "counted for a few minutes, then deleted"),
    "annotation.GoldSet": (
        "held_out_seen_at judged_at",
        "set once by what happens; looks and runs have rows of their own, which count",
    ),
    "annotation.Hearing": ("first_at revealed_at given_back_at", SINCE_ENDED),
    "annotation.RulingRequest": ("closed_at", SINCE_ENDED),
    "annotation.RulingHold": ("adjudicator_id held_until", CLAIM),
    "annotation.Round": (
        "closed_at closed_by_id disclosed_at", "a round can be opened again",
    ),
    "annotation.RoundMember": (
        "reviewer_id added_at removed_at waiting_at", "who labels in a round now",
    ),
    "annotation.Seat": ("reviewer_id available_at", CLAIM),
    "annotation.Assignment": ("ended_at", SINCE_ENDED),
    "annotation.Draft": ("saved_at", "text that is not submitted yet"),
    "annotation.SetAside": ("lifted_at lifted_by_id", SINCE_ENDED),
    "annotation.Upload": ("owner_id uploaded_at expires_at", "a file on its way in"),
    "judging.Run": (
        "halted_at halted_by_id started_at finished_at",
        "a run is paused and taken up again; its notes are rows that stay",
    ),
    "judging.Batch": (
        "created_at submitting_at submitted_at ended_at look_after driver_until",
        "the state of work; its attempts are rows that stay",
    ),
    "judging.Call": ("lease_until", CLAIM),
    "judging.RunnerShare": ("lease_until", CLAIM),
    "judging.Silence": ("since try_at", "what a run waits for now"),
    "calibration.SentinelPanel": ("ended_at ended_by_id", SINCE_ENDED),
}  # fmt: skip


def movable(model: type[models.Model]) -> set[str]:
    """Columns of times and people that the database lets change."""
    guard = guard_of(model)
    told = {
        str(field.column)
        for field in model._meta.concrete_fields
        if isinstance(field, models.DateField | models.DateTimeField)
        or field.related_model is User
        or field.name in ("actor", "door")
    }
    if guard.kind is GuardKind.MUTABLE:
        return told
    if guard.kind is GuardKind.APPEND_ONLY_EXCEPT:
        return told & set(guard.columns)
    return set()


def test_what_happened_when_and_by_whom_stays_or_has_a_reason():
    found = {m._meta.label: movable(m) for m in own_models()}
    expected = {label: set(names.split()) for label, (names, _) in MOVABLE.items()}
    assert {label: names for label, names in found.items() if names} == expected


PAST = "2020-01-01 00:00:00+00:00"


@pytest.mark.django_db
@pytest.mark.parametrize("column", ["created_at", "created_by_id", "purpose"])
def test_when_and_why_a_run_began_cannot_be_moved(column):
    run = make_run(ADDRESS, cases=1)
    value = {"created_at": PAST, "purpose": "release"}.get(column, lead().pk)
    with (
        pytest.raises(DatabaseError, match="cannot be changed"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(
            f"UPDATE judging_run SET {column} = %s WHERE id = %s",
            [value, run.pk],
        )


@pytest.mark.django_db
def test_when_a_gold_set_was_made_cannot_be_moved():
    make_run(ADDRESS, cases=1)
    with (
        pytest.raises(DatabaseError, match="cannot be changed"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute("UPDATE annotation_goldset SET created_at = %s", [PAST])


def lead() -> User:
    return User.objects.create_user("lead-of-runs", password="x")


@pytest.mark.django_db
def test_migrate_brings_back_what_is_missing():
    guards.remove(connection)
    call_command("migrate", verbosity=0)
    assert guards.missing(connection) == []
