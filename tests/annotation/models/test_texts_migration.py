"""Pairs from before they had a digest of their texts get one, on both databases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.utils import DatabaseError

from annotation.domain.same_texts import texts_digest
from annotation.domain.texts import text_from_json
from annotation.models import Pair
from config.db import guards
from tests.annotation.factory import START

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.django_db(transaction=True)

APP, BEFORE = "annotation", "0013_system_family"
TURNS = [
    {"role": "user", "content": "Where?"},
    {"role": "system", "content": "Be kind"},
]
PROMPTS = ["Where is it?", TURNS, "Cafe\N{COMBINING ACUTE ACCENT}\r\n"]


def migrate(name: str | None = None) -> Any:
    """Migrate as the command does, guards and all; give the models of then.

    Without a name to the newest of every app: what stands on a step goes back with it.
    """
    guards.remove_before_migrate(plan=["a step"])
    executor = MigrationExecutor(connection)
    newest = executor.loader.graph.leaf_nodes()
    state = executor.migrate([(APP, name)] if name else newest)
    guards.install(connection)
    return state.apps


@pytest.fixture
def then() -> Iterator[Any]:
    """The models of before; what is made of them is migrated when the test ends."""
    yield migrate(BEFORE)
    migrate()


def plant(apps: Any, cases: int) -> None:
    """Some cases of a set as they were stored then."""
    system, case, response, pair = (
        apps.get_model(APP, name) for name in ("System", "Case", "Response", "Pair")
    )
    made = apps.get_model(APP, "GoldSet").objects.create(name="old", created_at=START)
    systems = [
        system.objects.create(gold_set=made, name=name, position=place)
        for place, name in enumerate(("v12", "v13"))
    ]
    for number in range(cases):
        row = case.objects.create(
            gold_set=made, external_id=f"c{number}", digest="0" * 64,
            prompt=PROMPTS[number % len(PROMPTS)],
        )  # fmt: skip
        one, two = (
            response.objects.create(
                case=row, system=s, text=f"{s.name} of {number}", sha256="0" * 64,
                length=9,
            )
            for s in systems
        )  # fmt: skip
        pair.objects.create(
            gold_set=made, case=row, baseline=one, candidate=two, digest=f"{number:064}"
        )


def test_old_pairs_are_filled_in(then: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    step = __import__(
        "annotation.migrations.0015_fill_texts_digests", fromlist=["BATCH"]
    )
    monkeypatch.setattr(step, "BATCH", 2)
    plant(then, 5)
    migrate()
    pairs = list(Pair.objects.with_texts().order_by("pk"))
    assert len(pairs) == 5
    for number, pair in enumerate(pairs):
        prompt = text_from_json(PROMPTS[number % len(PROMPTS)])
        both = (f"v13 of {number}", f"v12 of {number}")
        assert pair.texts_digest == texts_digest(prompt, both)
        assert pair.digest == f"{number:064}"
    assert guards.missing(connection) == []


def test_it_may_not_change_afterwards(then: Any) -> None:
    plant(then, 1)
    migrate()
    for name in ("texts_digest", "digest"):
        with pytest.raises(DatabaseError, match="guard"):
            Pair.objects.update(**{name: "f" * 64})


def test_there_is_a_way_back(then: Any) -> None:
    plant(then, 2)
    migrate()
    before = list(Pair.objects.order_by("pk").values_list("pk", "texts_digest"))
    older = migrate(BEFORE).get_model(APP, "Pair")
    assert older.objects.count() == 2
    migrate()
    again = Pair.objects.order_by("pk").values_list("pk", "texts_digest")
    assert list(again) == before


def test_the_database_is_left_as_it_was(then: Any) -> None:
    migrate()
    executor = MigrationExecutor(connection)
    assert executor.migration_plan(executor.loader.graph.leaf_nodes()) == []
