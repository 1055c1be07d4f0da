from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction

from config.db import guards
from tests.config.db.guarded_models import (
    MODELS,
    REGISTRY,
    Draft,
    Entry,
    Note,
    Recipe,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FROZEN = datetime(2030, 1, 1, tzinfo=UTC)


@pytest.fixture(scope="module", autouse=True)
def tables(django_db_setup, django_db_blocker) -> Iterator[None]:
    with django_db_blocker.unblock():
        with connection.schema_editor() as editor:
            for model in MODELS:
                editor.create_model(model)
        yield
        guards.install(connection)
        with connection.schema_editor() as editor:
            for model in reversed(MODELS):
                editor.delete_model(model)


@pytest.fixture(autouse=True)
def installed(db) -> None:
    guards.install(connection, REGISTRY)


def refused(action: Callable[[], object]) -> None:
    with pytest.raises(IntegrityError, match="guard"), transaction.atomic():
        action()


def sql(statement: str, *args: str | int) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, args)


@pytest.fixture
def note():
    return Note.objects.create(text="a")


@pytest.fixture
def entry():
    return Entry.objects.create(text=None, extra={"k": 1})


class TestAppendOnly:
    def test_rows_can_be_added(self, note):
        Note.objects.bulk_create([Note(text="b"), Note(text="c")])
        assert Note.objects.count() == 3

    @pytest.mark.parametrize(
        "action",
        [
            lambda n: Note.objects.update(text="z"),
            lambda n: Note.objects.bulk_update([Note(pk=n.pk, text="z")], ["text"]),
            lambda n: Note(pk=n.pk, text="z").save(),
            lambda n: n.delete(),
            lambda n: Note.objects.all().delete(),
            lambda n: Note.objects.all()._raw_delete("default"),
            lambda n: Note.objects.bulk_create(
                [Note(pk=n.pk, text="z")],
                update_conflicts=True,
                update_fields=["text"],
                unique_fields=["id"],
            ),
            lambda n: sql("UPDATE guards_note SET text = 'z' WHERE id = %s", n.pk),
            lambda n: sql("DELETE FROM guards_note WHERE id = %s", n.pk),
        ],
    )
    def test_rows_cannot_be_changed_or_deleted(self, note, action):
        refused(lambda: action(note))
        assert list(Note.objects.values_list("text", flat=True)) == ["a"]

    def test_a_conflict_that_is_ignored_changes_nothing(self, note, monkeypatch):
        rows = [Note(text="a"), Note(text="b")]
        # On SQLite a trigger can't tell it from a replacement: the model has to say so.
        monkeypatch.setattr(Note, "leaves_out_repeats", True, raising=False)
        guards.install(connection, REGISTRY)
        Note.objects.bulk_create(rows, ignore_conflicts=True)
        kept = list(Note.objects.order_by("pk").values_list("pk", "text"))
        assert kept == [(note.pk, "a"), (kept[1][0], "b")]

    @pytest.mark.sqlite_only
    @pytest.mark.parametrize("verb", ["INSERT OR REPLACE", "REPLACE"])
    def test_replace_is_refused(self, note, verb):
        refused(lambda: sql(f"{verb} INTO guards_note VALUES (%s, 'z')", note.pk))
        refused(lambda: sql(f"{verb} INTO guards_note VALUES (%s, 'a')", note.pk + 1))

    @pytest.mark.sqlite_only
    def test_update_or_ignore_is_refused(self, note):
        refused(lambda: sql("UPDATE OR IGNORE guards_note SET text = 'z'"))

    @pytest.mark.postgres_only
    @pytest.mark.parametrize(
        "table", ["guards_note, guards_draft", "guards_note CASCADE", "guards_entry"]
    )
    def test_truncate_is_refused(self, table):
        refused(lambda: sql(f"TRUNCATE {table}"))

    def test_a_mutable_row_may_point_to_it(self, note):
        draft = Draft.objects.create(text="d", note=note)
        draft.delete()
        assert not Draft.objects.exists()


class TestAppendOnlyExcept:
    def test_the_named_column_may_change(self, entry):
        Entry.objects.update(split="dev")
        entry.split = "held_out"
        entry.save()
        assert Entry.objects.get().split == "held_out"

    @pytest.mark.parametrize(
        "change",
        [
            {"text": ""},
            {"text": "z"},
            {"weight": 1.5},
            {"extra": {"k": 2}},
            {"text": "z", "split": "dev"},
        ],
    )
    def test_other_columns_may_not(self, entry, change):
        refused(lambda: Entry.objects.update(**change))

    def test_a_value_may_not_become_null(self):
        Entry.objects.create(text="a")
        refused(lambda: Entry.objects.update(text=None))

    def test_rows_cannot_be_deleted(self, entry):
        refused(entry.delete)

    def test_a_column_that_was_added_is_covered(self, entry):
        sql("ALTER TABLE guards_entry ADD COLUMN later integer")
        guards.install(connection, REGISTRY)
        refused(lambda: sql("UPDATE guards_entry SET later = 1"))
        sql("UPDATE guards_entry SET split = 'dev'")

    def test_migrations_may_drop_a_column(self, entry):
        sql("ALTER TABLE guards_entry ADD COLUMN later integer")
        guards.install(connection, REGISTRY)
        guards.remove_before_migrate(plan=["a step"])
        sql("ALTER TABLE guards_entry DROP COLUMN later")
        guards.install(connection, REGISTRY)
        refused(lambda: Entry.objects.update(text="z"))


class TestFrozenWhen:
    def test_a_draft_may_change_and_go(self):
        recipe = Recipe.objects.create(text="a")
        Recipe.objects.update(text="b")
        recipe.delete()
        assert not Recipe.objects.exists()

    def test_freezing_is_the_last_change(self):
        recipe = Recipe.objects.create(text="a")
        Recipe.objects.update(frozen_at=FROZEN)
        refused(lambda: Recipe.objects.update(text="b"))
        refused(lambda: Recipe.objects.update(frozen_at=None))
        refused(recipe.delete)

    def test_a_bulk_change_that_meets_a_frozen_row_changes_nothing(self):
        Recipe.objects.create(text="a")
        Recipe.objects.create(text="a", frozen_at=FROZEN)
        refused(lambda: Recipe.objects.update(text="b"))
        assert set(Recipe.objects.values_list("text", flat=True)) == {"a"}


class TestInstalling:
    def test_nothing_is_missing_afterwards_and_again_makes_nothing(self):
        assert guards.missing(connection, REGISTRY) == []
        assert guards.install(connection, REGISTRY) == []

    def test_removed_guards_are_missed_and_come_back(self, note):
        guards.remove(connection)
        missing = {trigger.table for trigger in guards.missing(connection, REGISTRY)}
        assert {"guards_note", "guards_entry", "guards_recipe"} <= missing
        assert "guards_draft" not in missing
        guards.install(connection, REGISTRY)
        refused(note.delete)

    def test_a_change_of_declaration_replaces_the_triggers(self, note, monkeypatch):
        monkeypatch.setattr(Note, "guard", "append_only_except:text")
        guards.install(connection, REGISTRY)
        Note.objects.update(text="b")
        refused(note.delete)
        monkeypatch.setattr(Note, "guard", "mutable")
        guards.install(connection, REGISTRY)
        note.delete()

    @pytest.mark.postgres_only
    def test_a_disabled_trigger_is_missed(self):
        sql("ALTER TABLE guards_note DISABLE TRIGGER USER")
        assert {str(t) for t in guards.missing(connection, REGISTRY)} == {
            "guards_note: evenhand_guard_row",
            "guards_note: evenhand_guard_truncate",
        }
        guards.install(connection, REGISTRY)
        assert guards.missing(connection, REGISTRY) == []

    @pytest.mark.postgres_only
    def test_a_function_that_was_replaced_is_missed(self, note):
        sql(
            "CREATE OR REPLACE FUNCTION evenhand_guard() RETURNS trigger "
            "LANGUAGE plpgsql AS 'BEGIN RETURN OLD; END'"
        )
        assert [str(t) for t in guards.missing(connection, REGISTRY)] == [
            "evenhand_guard"
        ]
        guards.install(connection, REGISTRY)
        refused(note.delete)

    @pytest.mark.postgres_only
    def test_a_guarded_column_may_change_its_type(self):
        sql("ALTER TABLE guards_recipe ALTER COLUMN frozen_at TYPE date")


class TestFlush:
    @pytest.mark.django_db(transaction=True)
    def test_a_test_database_is_emptied_and_guarded_again(self):
        note = Note.objects.create(text="a")
        guards.install(connection)  # ours are not part of the site
        note.delete()
        call_command("flush", interactive=False, verbosity=0)
        assert guards.missing(connection) == []

    def test_any_other_database_is_refused(self, monkeypatch):
        monkeypatch.setitem(connection.settings_dict, "NAME", "/srv/evenhand.sqlite3")
        with pytest.raises(CommandError, match="must be kept"):
            call_command("flush", interactive=False, verbosity=0)
