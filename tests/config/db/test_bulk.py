"""Many rows at once are stored as they would be one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.db import IntegrityError, transaction

from annotation.models import Case
from config.db.bulk import MOST_ROWS, insert_all
from tests.annotation.factory import make_set

if TYPE_CHECKING:
    from django.db.models import Model


def _same(row: Model, other: Model) -> bool:
    names = [field.attname for field in row._meta.concrete_fields]
    return [getattr(row, n) for n in names] == [getattr(other, n) for n in names]


@pytest.mark.django_db
def test_many_rows_are_stored_as_one_by_one() -> None:
    """Texts, JSON of all kinds, null and booleans; more than one statement holds."""
    gold_set = make_set(cases=1)
    texts: list[Any] = ["%s ü\t\\N", [{"role": "user", "content": "x"}], '"', "null"]
    rows = [
        Case(
            gold_set=gold_set,
            external_id=f"a\\N\n\t{n}",
            prompt=texts[n % 4],
            context=None if n % 2 else texts[n % 4],
            slices={"a": str(n)},
            critical=n % 2 == 0,
            extra={"b": [1.5, None, True]},
            digest=str(n),
        )
        for n in range(2 * MOST_ROWS + 1)
    ]
    insert_all(rows)
    insert_all([])
    stored = Case.objects.in_bulk([row.pk for row in rows])
    assert all(_same(stored[row.pk], row) for row in rows)
    assert not any(row._state.adding for row in rows)
    null = Case.objects.filter(pk__in=[row.pk for row in rows], context__isnull=True)
    assert null.count() == MOST_ROWS


@pytest.mark.django_db
def test_rows_that_a_constraint_forbids_are_refused() -> None:
    gold_set = make_set(cases=1)
    twice = [
        Case(gold_set=gold_set, external_id="twice", prompt="x", digest="d")
        for _ in range(2)
    ]
    with pytest.raises(IntegrityError), transaction.atomic():
        insert_all(twice)
    with pytest.raises(IntegrityError), transaction.atomic():
        insert_all(
            [
                Case(
                    gold_set=gold_set,
                    external_id="a",
                    prompt="x",
                    split="no",
                    digest="",
                )
            ]
        )


@pytest.mark.django_db
def test_rows_stored_one_by_one_afterwards_get_other_ids() -> None:
    gold_set = make_set(cases=1)
    given: dict[str, Any] = {"gold_set": gold_set, "prompt": "x", "digest": "d"}
    rows = [Case(external_id=f"c{n}", **given) for n in range(3)]
    insert_all(rows)
    later = Case.objects.create(external_id="later", **given)
    keys = [row.pk for row in rows]
    assert keys == sorted(set(keys))
    assert later.pk > keys[-1]
