"""Labels that were exported can be imported into the same set elsewhere."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import pytest

from annotation.domain.consensus import ConsensusRule
from annotation.domain.exports import ExportFormat, written
from annotation.domain.outcomes import Outcome, SlotChoice
from annotation.models import Label
from annotation.services.exporting import Part, labels_export
from annotation.services.freezing import standings
from annotation.services.importing_labels import import_labels
from annotation.services.intake import Source
from tests.annotation.factory import Clock, Desk, make_round, make_set
from tests.annotation.services.test_several_rounds import again

if TYPE_CHECKING:
    from annotation.models import GoldSet
    from config.accounts.models import User

MAJORITY = ConsensusRule.MAJORITY_ELSE_ADJUDICATE


def exported(gold_set: GoldSet, form: ExportFormat, *, names: bool = False) -> bytes:
    found = labels_export(gold_set=gold_set, part=Part.ALL, names=names)
    return b"".join(written(found.columns, found.rows(), form))


@pytest.fixture
def labelled(reviewer: User, other_reviewer: User, clock: Clock) -> GoldSet:
    """Three pairs with planned repeats; one was labelled in a second round as well."""
    gold_set = make_set(cases=3)
    round_ = make_round(gold_set, reviewer, other_reviewer, retest_share=1)
    desk = Desk(round_, reviewer, clock)
    first = [desk.submit(desk.claim(), SlotChoice.TIE) for _ in range(3)]
    desk.label_all(SlotChoice.FIRST)
    again(first[0], Outcome.BASELINE, clock)
    return gold_set


def test_the_export_says_which_labels_are_planned_repeats(labelled: GoldSet) -> None:
    lines = exported(labelled, ExportFormat.JSONL).decode().splitlines()
    rows = [json.loads(line) for line in lines]
    assert [row["retest"] for row in rows] == [False] * 3 + [True] * 3 + [False]
    table = exported(labelled, ExportFormat.CSV).decode()
    cells = [row["retest"] for row in csv.DictReader(io.StringIO(table))]
    assert cells == ["false"] * 3 + ["true"] * 3 + ["false"]


@pytest.mark.parametrize("form", list(ExportFormat))
def test_what_was_exported_is_imported_with_the_same_gold(
    labelled: GoldSet, form: ExportFormat, clock: Clock
) -> None:
    source = Source(exported(labelled, form), f"labels.{form.value}")
    first = 2 if form is ExportFormat.CSV else 1  # below the header
    elsewhere = make_set(cases=3)
    found = import_labels(gold_set=elsewhere, source=source, now=clock.now)

    assert found.added == 3
    assert found.notices == (
        (
            f"line {first + 3}: left out: it is a planned repeat, which never counts, "
            "and so are 2 more"
        ),
        f"line {first}: left out: it is older than another label of its reviewer",
    )
    gold = [
        {s.pair.case.external_id: s.labels for s in standings(one, rule=MAJORITY)}
        for one in (labelled, elsewhere)
    ]
    assert gold[0] == gold[1]
    assert Label.objects.of_set(elsewhere.pk).count() == 3
