"""Pairs are flagged for names in their responses, also when aliases change."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.db import DatabaseError, transaction

from annotation.models import GoldSet, Pair, System
from annotation.services.hygiene import check_set, last_check
from annotation.services.set_options import options_of, set_options
from tests.annotation.factory import START, add_case, make_set

pytestmark = pytest.mark.django_db
NAMED = ("Ask Heron about it.", "I am Plover 3.")


@pytest.fixture
def gold_set() -> GoldSet:
    """One pair names heron, one plover, one is flagged otherwise and names nobody."""
    made = make_set(cases=0, systems=("one", "two"))
    systems = list(System.objects.filter(gold_set=made))
    add_case(made, systems, "c-0", (NAMED[0], "Nothing."))
    add_case(made, systems, "c-1", ("Nothing.", NAMED[1]))
    add_case(made, systems, "c-2", ("Nothing.", "Nothing else."))
    Pair.objects.filter(case__external_id="c-2").update(flags=["unequal_attempts"])
    return made


def flags() -> list[list[str]]:
    return list(
        Pair.objects.order_by("case__external_id").values_list("flags", flat=True)
    )


def rename(gold_set: GoldSet, *aliases: str) -> None:
    now = options_of(gold_set)
    options = replace(now, aliases={**now.aliases, "one": tuple(aliases)})
    set_options(gold_set=gold_set, options=options)


def test_flags_follow_the_aliases(gold_set: GoldSet) -> None:
    rename(gold_set, "Heron")
    assert flags() == [["identity_leak"], [], ["unequal_attempts"]]
    rename(gold_set, "plover-3")
    assert flags() == [[], ["identity_leak"], ["unequal_attempts"]]
    rename(gold_set, "heron", "plover")
    assert flags()[:2] == [["identity_leak"]] * 2
    rename(gold_set)
    assert flags() == [[], [], ["unequal_attempts"]]


def test_other_changes_read_no_texts(
    gold_set: GoldSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotation.services.set_options.rescan", lambda _: 1 / 0)
    set_options(
        gold_set=gold_set, options=replace(options_of(gold_set), title="Another")
    )
    gold_set.refresh_from_db()
    assert gold_set.title == "Another"


def test_checks_from_before_an_alias_are_out_of_date(gold_set: GoldSet) -> None:
    assert not check_set(gold_set=gold_set, by=None, now=START).stale
    rename(gold_set, "Heron")
    found = last_check(gold_set)
    assert found is not None
    assert found.stale


def test_nothing_else_of_a_pair_changes(gold_set: GoldSet) -> None:
    with pytest.raises(DatabaseError), transaction.atomic():
        Pair.objects.filter(gold_set=gold_set).update(digest="x")
