"""Worst slices first, flips first in each; dev before held-out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from annotation.domain.outcomes import Split
from calibration.domain.disagreements import disagrees, placed
from tests.calibration.factory import row as lettered

if TYPE_CHECKING:
    from collections.abc import Iterable

    from calibration.domain.samples import Row

EN, DE = {"language": "en"}, {"language": "de"}


def row(
    pair: str, *, gold: str, said: str, slices: dict[str, str] | None = None
) -> Row:
    return lettered(gold, *said, pair=pair, case=pair, slices=slices or {})


def test_what_a_disagreement_is() -> None:
    assert disagrees(row("a", gold="B", said="CC"))
    assert disagrees(row("a", gold="B", said="IC"))
    assert disagrees(row("a", gold="B", said="AA"))
    assert disagrees(row("a", gold="A", said="TT"))
    assert not disagrees(row("a", gold="A", said="AA"))
    assert not disagrees(row("a", gold="T", said="TT"))
    assert not disagrees(row("a", gold="U", said="CC"))


def names(rows: Iterable[Row]) -> list[str]:
    found = [one for one in placed(rows) if one.rank is not None]
    ranked = sorted(found, key=lambda one: one.rank or 0)
    assert [one.rank for one in ranked] == list(range(1, len(ranked) + 1))
    return [one.row.pair for one in ranked]


def test_flips_come_first_in_a_slice() -> None:
    rows = [
        row("a", gold="C", said="BB", slices=EN),
        row("b", gold="C", said="BC", slices=EN),
        row("c", gold="C", said="CC", slices=EN),
    ]
    assert names(rows) == ["b", "a"]


def test_the_worse_slice_comes_first() -> None:
    english = [row(f"e{n}", gold="B", said="CC", slices=EN) for n in range(3)]
    german = [row(f"d{n}", gold="B", said="BB", slices=DE) for n in range(5)]
    german += [row("d9", gold="B", said="CB", slices=DE)]
    assert names([*german, *english]) == ["e0", "e1", "e2", "d9"]


def test_one_bad_pair_is_no_bad_slice() -> None:
    lone = row("lone", gold="B", said="CC", slices={"topic": "rare"})
    many = [row(f"m{n:02}", gold="B", said="CC", slices=EN) for n in range(15)]
    many += [row(f"n{n:02}", gold="B", said="BB", slices=EN) for n in range(10)]
    assert names([lone, *many])[-1] == "lone"


def test_a_pair_stands_with_the_worst_of_its_slices() -> None:
    both = row("both", gold="B", said="CC", slices={**EN, "topic": "refund"})
    bad = [row(f"x{n}", gold="B", said="CC", slices={"topic": "refund"}) for n in "12"]
    good = [row(f"g{n}", gold="B", said="BB", slices=EN) for n in range(5)]
    (found,) = [one for one in placed([both, *bad, *good]) if one.row is both]
    assert found.worst == "topic = refund"


def test_held_out_pairs_come_after_all_others_and_move_no_slice_of_theirs() -> None:
    dev = row("dev", gold="B", said="CC", slices=EN)
    held = [
        replace(one, split=Split.HELD_OUT)
        for one in (
            row("h1", gold="B", said="CC", slices=DE),
            row("h2", gold="B", said="CB", slices=DE),
        )
    ]
    assert names([*held, replace(dev, split=Split.DEV)]) == ["dev", "h2", "h1"]


def test_without_slices_and_without_rows() -> None:
    assert names([row("a", gold="B", said="CC")]) == ["a"]
    assert placed([]) == ()
