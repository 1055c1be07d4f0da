from __future__ import annotations

import pytest

from annotation.domain.gold_changes import ChangeKind, GoldRow, gold_changes
from annotation.domain.outcomes import Outcome
from annotation.domain.rulings import GoldSource

B, C, T = Outcome.BASELINE, Outcome.CANDIDATE, Outcome.TIE


def row(pair=1, outcome: Outcome | None = B, **rest) -> GoldRow:
    given = {
        "pair": pair,
        "case": f"case-{pair}",
        "systems": ("v12", "v13"),
        "split": "dev",
        "outcome": outcome,
        "source": GoldSource.CONSENSUS if outcome else GoldSource.NONE,
        "open_reason": "" if outcome else "disputed",
        "labels": (B, B),
        "ruling": "",
        **rest,
    }
    return GoldRow(**given)


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        ([row()], [row(outcome=C)], ChangeKind.MOVED),
        ([row(outcome=None)], [row(outcome=C)], ChangeKind.SETTLED),
        ([row()], [row(outcome=None)], ChangeKind.REOPENED),
        ([], [row()], ChangeKind.ADDED),
        ([row()], [], ChangeKind.REMOVED),
        ([row()], [row(source=GoldSource.ADJUDICATION, ruling="d")], ChangeKind.RESTED),
        ([row()], [row(labels=(B, B, C))], ChangeKind.RELABELLED),
        (
            [row(outcome=None)],
            [row(outcome=None, open_reason="too_few_labels")],
            ChangeKind.RELABELLED,
        ),
        ([row()], [row(split="held_out")], ChangeKind.RESPLIT),
    ],
)
def test_kinds(before, after, kind):
    found = gold_changes(before, after)
    assert [change.kind for change in found.changes] == [kind]
    assert found.count(kind) == 1
    assert found.unchanged == 0


def test_what_is_the_same_is_only_counted():
    found = gold_changes([row(1), row(2)], [row(2), row(1)])
    assert found.changes == ()
    assert found.unchanged == 2


def test_flows_say_from_what_to_what():
    before = [row(1, B), row(2, B), row(3, None), row(4, C), row(5, T)]
    after = [row(1, C), row(2, C), row(3, T), row(4, None), row(6, T)]
    assert gold_changes(before, after).flow() == {
        ("baseline", "candidate"): 2,
        ("open", "tie"): 1,
        ("candidate", "open"): 1,
    }


def test_a_split_may_change_along_with_the_outcome():
    found = gold_changes([row()], [row(outcome=C, split="held_out")])
    [change] = found.changes
    assert change.kind is ChangeKind.MOVED
    assert change.changes_split
    assert change.is_held_out
    assert found.split_moves() == {("dev", "held_out"): 1}


@pytest.mark.parametrize("side", [0, 1])
def test_held_out_on_either_side_is_held_out(side):
    rows = [row(split="dev"), row(split="dev", outcome=C)]
    rows[side] = rows[side]._replace(split="held_out")
    [change] = gold_changes([rows[0]], [rows[1]]).changes
    assert change.is_held_out
    [plain] = gold_changes([row()], [row(outcome=C)]).changes
    assert not plain.is_held_out


def test_changes_are_in_the_order_of_the_cases():
    found = gold_changes([], [row(3), row(1), row(2)])
    assert [change.row.case for change in found.changes] == [
        "case-1",
        "case-2",
        "case-3",
    ]


def test_a_pair_named_twice_is_refused():
    with pytest.raises(ValueError, match="case-1"):
        gold_changes([row(), row()], [])
