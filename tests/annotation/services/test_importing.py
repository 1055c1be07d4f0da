"""What the import services promise beyond what the commands show."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
from django.db import connection, transaction

from annotation.domain.digests import text_digest
from annotation.models import Case, GoldSet, Pair, Response
from annotation.services import case_writing
from annotation.services.gold_sets import (
    SetPlan,
    add_guideline,
    create_gold_set,
    gold_set_named,
    set_for,
)
from annotation.services.importing import (
    CASES_AT_ONCE,
    Imported,
    ImportRefused,
    Source,
    import_pairs,
)
from annotation.services.importing_labels import import_labels
from config.db import bulk
from config.errors import Conflict, InvalidInput, NotFound
from tests.annotation.commands.imports import case, label, lines, row_counts
from tests.annotation.factory import START

if TYPE_CHECKING:
    from django.db.models import Model

    from config.accounts.models import User

PLAN = SetPlan(name="box", systems=("v12", "v13"), aliases={"v13": ("Newbie",)})


def bring(data: bytes, plan: SetPlan = PLAN) -> Imported:
    source = Source(data, "p.jsonl")
    return import_pairs(plan=plan, source=source, by=None, now=START)


@pytest.mark.django_db
def test_a_refusal_carries_its_rows_for_programs() -> None:
    with pytest.raises(ImportRefused) as refused:
        bring(lines(case("a1"), case("a2", split="x")))
    (error,) = refused.value.errors
    assert (error.line, error.field) == (2, "split")
    assert refused.value.detail["errors"] == [str(error)]
    assert isinstance(refused.value, InvalidInput)


@pytest.mark.django_db
def test_one_problem_is_counted_in_the_singular() -> None:
    with pytest.raises(ImportRefused, match="1 problem\\.\\n"):
        bring(b"")


@pytest.mark.django_db
def test_a_failure_while_writing_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = row_counts()

    stored = bulk.insert_all

    def insert(rows: list[Model]) -> None:
        if isinstance(rows[0], Pair):
            raise MemoryError  # noqa: TRY004 - any failure
        stored(rows)

    monkeypatch.setattr(case_writing, "insert_all", insert)
    with pytest.raises(MemoryError):
        bring(lines(*[case(f"c{i}") for i in range(CASES_AT_ONCE + 1)]))
    assert row_counts() == before


@pytest.mark.django_db
def test_more_cases_than_are_written_at_once() -> None:
    ids = [f"c{i}" for i in range(CASES_AT_ONCE + 1)]
    done = bring(lines(*map(case, ids)))
    assert (done.added, done.pairs) == (len(ids), len(ids))
    assert (
        list(Case.objects.order_by("pk").values_list("external_id", flat=True)) == ids
    )
    for pair in Pair.objects.with_texts():
        assert pair.baseline.case_id == pair.candidate.case_id == pair.case_id


@pytest.mark.django_db
def test_progress_counts_the_new_cases() -> None:
    bring(lines(case("known")))
    ids = ["known", *(f"c{i}" for i in range(CASES_AT_ONCE + 1))]
    told: list[tuple[int, int]] = []
    import_pairs(
        plan=PLAN,
        source=Source(lines(*map(case, ids)), "p.jsonl"),
        by=None,
        now=START,
        on_progress=lambda done, total: told.append((done, total)),
    )
    total = CASES_AT_ONCE + 1
    assert told == [(0, total), (CASES_AT_ONCE, total), (total, total)]


@pytest.mark.django_db
def test_aliases_are_looked_for_too() -> None:
    row = case("a1", responses={"v12": "I am the newbie!", "v13": "No."})
    assert bring(lines(row)).flags == {"identity_leak": 1}


@pytest.mark.django_db
def test_pair_digests_are_the_same_in_another_set() -> None:
    bring(lines(case("a1", split="dev")))
    bring(lines(case("a1")), SetPlan(name="other", systems=PLAN.systems))
    one, two = Pair.objects.all()
    assert one.digest == two.digest
    assert one.pk != two.pk


@pytest.mark.django_db
def test_an_empty_note_about_a_response_changes_nothing() -> None:
    bring(lines(case("a1")))
    done = bring(lines(case("a1", response_meta={"v12": {}})))
    assert (done.added, done.known) == (0, 1)


@pytest.mark.django_db
def test_digests_and_lengths_of_responses() -> None:
    turns = [{"role": "assistant", "content": "Yes"}]
    bring(lines(case("a1", responses={"v12": "größer", "v13": turns})))
    first, second = Response.objects.order_by("system__position")
    assert (first.length, second.length) == (6, 3)
    assert len({first.sha256, second.sha256, text_digest("")}) == 3


@pytest.mark.django_db
def test_labels_of_many_cases_take_few_queries(
    django_assert_max_num_queries: object,
) -> None:
    bring(lines(*[case(f"c{i}") for i in range(300)]))
    source = Source(lines(*[label(f"c{i}") for i in range(300)]), "l.jsonl")
    gold_set = gold_set_named("box")
    with django_assert_max_num_queries(30):  # type: ignore[operator]  # a fixture
        done = import_labels(gold_set=gold_set, source=source, now=START)
    assert done.added == 300


@pytest.mark.django_db
def test_unknown_sets_are_told_with_the_known(gold_set: GoldSet) -> None:
    with pytest.raises(NotFound, match=f"'nobody'; there are: {gold_set.name}"):
        gold_set_named("nobody")


@pytest.mark.django_db
def test_a_name_is_taken_once() -> None:
    create_gold_set(plan=PLAN, by=None, now=START)
    with pytest.raises(Conflict, match="a gold set 'box' already"):
        create_gold_set(plan=PLAN, by=None, now=START)
    assert GoldSet.objects.count() == 1


@pytest.mark.django_db
def test_guidelines_get_versions_only_when_they_change(lead: User) -> None:
    made = create_gold_set(plan=PLAN, by=lead, now=START)
    texts = ("Be fair.", "Be fair.", "Be fair and quick.", "Be fair.")
    given = [
        add_guideline(gold_set=made, text=text, by=lead, now=START) for text in texts
    ]
    assert [g.version for g in given] == [1, 1, 2, 3]


@pytest.mark.postgres_only
@pytest.mark.django_db(transaction=True)
def test_of_two_that_make_a_set_the_later_takes_the_earlier_ones() -> None:
    found: list[int] = []

    def late() -> None:
        with transaction.atomic():
            found.append(set_for(PLAN, by=None, now=START).pk)
        connection.close()

    thread = threading.Thread(target=late)
    with transaction.atomic():
        made = create_gold_set(plan=PLAN, by=None, now=START)
        thread.start()
        thread.join(0.5)
        assert not found  # it waits for us
    thread.join(10)
    assert found == [made.pk]
