"""No more labels count towards a pair than are wanted, whatever files bring."""

from __future__ import annotations

import io
import json
import re
from typing import TYPE_CHECKING

import pytest
from django.core.management import call_command

from annotation.domain.consensus import ConsensusRule
from annotation.domain.exports import ExportFormat
from annotation.domain.outcomes import Outcome, SlotChoice
from annotation.models import Label, Pair
from annotation.services.aliases import reviewer_aliases
from annotation.services.disputes import survey
from annotation.services.exporting import Part, labels_export
from annotation.services.freezing import preview_freeze, standings
from annotation.services.importing import ImportRefused
from annotation.services.importing_labels import import_labels
from annotation.services.intake import Source
from annotation.services.quality import set_quality
from annotation.services.rounds import close_round
from annotation.services.ruling_chains import standing_gold
from tests.annotation.factory import Clock, Desk, make_round, make_set
from tests.annotation.services.test_export_round_trip import exported
from tests.annotation.services.test_several_rounds import again

if TYPE_CHECKING:
    from annotation.models import GoldSet
    from config.accounts.models import User

MAJORITY = ConsensusRule.MAJORITY_ELSE_ADJUDICATE
B, C, T = Outcome.BASELINE, Outcome.CANDIDATE, Outcome.TIE


@pytest.fixture
def labelled(reviewer: User, other_reviewer: User, clock: Clock) -> GoldSet:
    """Three pairs with the two labels that the set wants, of two people."""
    gold_set = make_set(cases=3, labels_per_pair=2)
    round_ = make_round(gold_set, reviewer, other_reviewer, labels_per_pair=2)
    Desk(round_, reviewer, clock).label_all(SlotChoice.TIE)
    Desk(round_, other_reviewer, clock).label_all(SlotChoice.TIE)
    close_round(round_=round_, by=None, now=clock.now)
    return gold_set


def bring(gold_set: GoldSet, clock: Clock, *said: tuple[str, str]) -> tuple[str, ...]:
    """Outside labels of the set's first pair; gives the notices."""
    case = Pair.objects.filter(gold_set=gold_set).order_by("pk")[0].case.external_id
    rows = [{"case_id": case, "reviewer": who, "outcome": what} for who, what in said]
    data = "\n".join(json.dumps(row) for row in rows).encode()
    source = Source(data, "labels.jsonl")
    return import_labels(gold_set=gold_set, source=source, now=clock.now).notices


@pytest.mark.parametrize("form", list(ExportFormat))
@pytest.mark.parametrize("names", [False, True])
def test_an_export_is_known_where_it_came_from(
    labelled: GoldSet, form: ExportFormat, names: bool, clock: Clock
) -> None:
    before = Label.objects.of_set(labelled.pk).count()
    data = exported(labelled, form, names=names)
    found = import_labels(
        gold_set=labelled, source=Source(data, f"x.{form.value}"), now=clock.now
    )

    assert (found.added, found.known) == (0, 6)
    assert Label.objects.of_set(labelled.pk).count() == before == 6
    assert [s.labels for s in standings(labelled, rule=MAJORITY)] == [(T, T)] * 3
    assert len(set_quality(gold_set=labelled, now=clock.now).reviewers) == 2


def test_an_export_of_every_revision_is_known(
    labelled: GoldSet, reviewer: User, clock: Clock
) -> None:
    [label] = Label.objects.filter(reviewer=reviewer)[:1]
    again(label, B, clock)
    found = labels_export(gold_set=labelled, part=Part.ALL, every_revision=True)
    data = b"\n".join(
        json.dumps(dict(zip(found.columns, row, strict=True))).encode()
        for row in found.rows()
    )
    source = Source(data, "x.jsonl")
    done = import_labels(gold_set=labelled, source=source, now=clock.now)
    assert (done.added, done.known) == (0, 6)


def test_a_changed_label_of_ours_is_refused_like_any_other(
    labelled: GoldSet, clock: Clock
) -> None:
    data = exported(labelled, ExportFormat.JSONL).replace(b'"tie"', b'"abstain"', 1)
    with pytest.raises(ImportRefused) as refusal:
        import_labels(gold_set=labelled, source=Source(data, "x.jsonl"), now=clock.now)
    aliases = "|".join(reviewer_aliases(labelled).values())
    fault = f"line 1, outcome: '({aliases})' already labelled"
    assert re.search(fault, refusal.value.message)


def test_an_id_of_another_pair_is_refused(labelled: GoldSet, clock: Clock) -> None:
    lines = exported(labelled, ExportFormat.JSONL).decode().splitlines()
    rows = [json.loads(line) for line in lines[:3]]
    rows[0]["label_id"] = rows[1]["label_id"]
    data = "\n".join(json.dumps(row) for row in rows).encode()
    with pytest.raises(ImportRefused) as refusal:
        import_labels(gold_set=labelled, source=Source(data, "x.jsonl"), now=clock.now)
    assert "line 1, label_id: is the id of a label on another" in refusal.value.message


def test_an_id_goes_with_its_label_from_set_to_set(
    labelled: GoldSet, clock: Clock
) -> None:
    elsewhere = make_set(cases=3, labels_per_pair=2)
    for names, added in ((False, 6), (True, 0)):
        data = exported(labelled, ExportFormat.CSV, names=names)
        source = Source(data, "x.csv")
        done = import_labels(gold_set=elsewhere, source=source, now=clock.now)
        assert (done.added, done.known) == (added, 6 - added)
    data = exported(elsewhere, ExportFormat.CSV)
    done = import_labels(gold_set=labelled, source=Source(data, "y.csv"), now=clock.now)
    assert (done.added, done.known) == (0, 6)


def test_ids_tell_nothing_and_differ_between_labels(labelled: GoldSet) -> None:
    lines = exported(labelled, ExportFormat.JSONL).decode().splitlines()
    ids = [json.loads(line)["label_id"] for line in lines]
    assert len(set(ids)) == 6
    assert all(len(one) == 33 and one.startswith("L") for one in ids)
    other = json.loads(exported(labelled, ExportFormat.JSONL).decode().splitlines()[0])
    assert other["label_id"] == ids[0]


def test_outside_labels_past_what_is_wanted_settle_nothing(
    labelled: GoldSet, clock: Clock
) -> None:
    notices = bring(labelled, clock, ("ann", "baseline"), ("bob", "baseline"))
    assert notices == (
        (
            "2 outside labels settle nothing: the set wants 2 labels of each pair, and "
            "those pairs have them without these. Labels of the set's own rounds come "
            "first, then outside ones in the order in which they came."
        ),
    )
    [first, *_] = standings(labelled, rule=MAJORITY)
    assert (first.outcome, first.labels) == (T, (T, T))
    assert standing_gold([first.pair]) == {first.pair.pk: T}
    assert preview_freeze(gold_set=labelled, rule=MAJORITY).surplus == 2
    assert not survey().found
    out, err = io.StringIO(), io.StringIO()
    call_command("freeze_gold", labelled.name, stdout=out, stderr=err)
    assert "0 of them open" in out.getvalue()
    assert err.getvalue().startswith("2 outside labels settle nothing")


def test_outside_labels_fill_up_what_is_wanted_the_earliest_first(
    db: None, clock: Clock
) -> None:
    gold_set = make_set(cases=1, labels_per_pair=3)
    said = [("ann", "tie"), ("bob", "tie"), ("cid", "baseline"), ("dan", "candidate")]
    assert bring(gold_set, clock, *said[:3]) == ()
    assert bring(gold_set, clock, *said)[0].startswith("1 outside label settles")
    [standing] = standings(gold_set, rule=MAJORITY)
    assert (standing.outcome, standing.labels) == (T, (B, T, T))


def test_labels_of_our_own_rounds_come_before_outside_ones(
    reviewer: User, clock: Clock
) -> None:
    gold_set = make_set(cases=1, labels_per_pair=2)
    bring(gold_set, clock, ("ann", "tie"), ("bob", "candidate"))
    assert standings(gold_set, rule=MAJORITY)[0].labels == (C, T)
    round_ = make_round(gold_set, reviewer)
    Desk(round_, reviewer, clock).label_all(SlotChoice.TIE)
    # The earliest outside label stays, the later one gives way.
    [standing] = standings(gold_set, rule=MAJORITY)
    assert (standing.outcome, standing.labels) == (T, (T, T))
    assert [label.outcome for label in Label.objects.surplus()] == ["candidate"]


def test_a_further_round_of_ours_adds_votes(
    reviewer: User, other_reviewer: User, adjudicator: User, clock: Clock
) -> None:
    """What a lead asks for on top, since the first labels disagree, all counts."""
    gold_set = make_set(cases=1, labels_per_pair=2)
    both = make_round(gold_set, reviewer, other_reviewer, labels_per_pair=2)
    Desk(both, reviewer, clock).label_all(SlotChoice.TIE)
    Desk(both, other_reviewer, clock).label_all(SlotChoice.FIRST)
    more = make_round(gold_set, adjudicator, name="more")
    Desk(more, adjudicator, clock).label_all(SlotChoice.TIE)
    [standing] = standings(gold_set, rule=MAJORITY)
    assert (standing.outcome, len(standing.labels)) == (T, 3)
