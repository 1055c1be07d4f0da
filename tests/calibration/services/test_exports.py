"""Labels, rulings and gold as files: complete, logged as looks, importable again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.domain.consensus import ConsensusRule
from annotation.domain.exports import ExportFormat
from annotation.domain.outcomes import Outcome, SlotChoice
from annotation.domain.rulings import Ruling, RulingCategory, next_link
from annotation.models import Adjudication, Case, Exposure, Label, Pair
from annotation.services.aliases import aliases_of_all, reviewer_aliases
from annotation.services.exporting import Part
from annotation.services.freezing import freeze_gold
from annotation.services.gold_sets import gold_set_named
from annotation.services.held_out import LooksSpent, Viewer
from annotation.services.importing_labels import import_labels
from annotation.services.intake import Source
from annotation.services.rounds import close_round
from calibration.models import Look
from calibration.services.exports import ExportKind, ExportPlan, hand_out
from calibration.services.look_counts import looks_used
from calibration.services.looks import disclosed
from config.errors import InvalidInput, NotFound
from tests.annotation.factory import (
    START,
    Clock,
    Desk,
    make_round,
    make_set,
    tie_instead,
)

if TYPE_CHECKING:
    from annotation.models import GoldSet
    from config.accounts.models import User
    from tests.calibration.world import World

pytestmark = pytest.mark.django_db
NOTES = ["=1+1", "plain", 'two\nlines, "quoted"', "'apostrophe", "\t-tab", "ümlaut"]


@pytest.fixture
def labelled(reviewer: User, other_reviewer: User) -> GoldSet:
    """Six pairs with two labels each; the last two pairs are held out."""
    gold_set = make_set(cases=6, labels_per_pair=2)
    round_ = make_round(gold_set, reviewer, other_reviewer, labels_per_pair=2)
    clock = Clock()
    for person in (reviewer, other_reviewer):
        desk = Desk(round_, person, clock)
        for note in NOTES:
            desk.submit(desk.claim(), SlotChoice.FIRST, note=note)
            clock.pass_minutes(1)
    held_out = list(Case.objects.order_by("-pk").values_list("pk", flat=True)[:2])
    Case.objects.filter(pk__in=held_out).update(split="held_out")
    close_round(round_=round_, by=None, now=clock.now)
    return gold_set


def viewer(user: User | None = None, **fields: Any) -> Viewer:
    return Viewer(user=user, door="page", **fields)


def export(
    plan: ExportPlan, who: Viewer | None = None, now: Any = START
) -> tuple[str, bytes]:
    found = hand_out(plan=plan, viewer=who or viewer(), now=now)
    return found.filename, b"".join(found.pieces)


def rows(plan: ExportPlan, who: Viewer | None = None) -> list[dict[str, Any]]:
    return [json.loads(line) for line in export(plan, who)[1].splitlines()]


def plan(gold_set: GoldSet, kind: ExportKind, **fields: Any) -> ExportPlan:
    return ExportPlan(gold_set=gold_set.name, kind=kind, **fields)


def labels(gold_set: GoldSet, **fields: Any) -> ExportPlan:
    return plan(gold_set, ExportKind.LABELS, **fields)


def test_labels_without_held_out_ones_are_no_look(labelled: GoldSet) -> None:
    found = rows(labels(labelled))
    assert len(found) == 8
    assert {row["split"] for row in found} == {""}
    assert not Look.objects.exists()


def test_labels_say_what_was_shown_and_chosen(
    labelled: GoldSet, reviewer: User, other_reviewer: User
) -> None:
    found = rows(labels(labelled, part=Part.ALL))
    assert len(found) == Label.objects.count() == 12
    assert sorted(row["note"] for row in found) == sorted(NOTES * 2)
    assert {row["reviewer"] for row in found} == {*reviewer_aliases(labelled).values()}
    for row in found:
        assert row["systems"] == ["v12", "v13"]
        expected = "baseline" if row["order"] == "baseline_first" else "candidate"
        assert (row["choice"], row["outcome"]) == ("first", expected)
        assert row["round"] == "Round one"
    named = rows(labels(labelled, part=Part.ALL, names=True))
    assert {row["reviewer"] for row in named} == {"reviewer", "other-reviewer"}


def test_the_last_revision_or_all(labelled: GoldSet, reviewer: User) -> None:
    tie_instead(Label.objects.filter(reviewer=reviewer).earliest("pk"), note="again")
    last = [r for r in rows(labels(labelled, part=Part.ALL)) if r["note"] == "again"]
    assert [(row["revision"], row["outcome"]) for row in last] == [(2, "tie")]
    assert len(rows(labels(labelled, part=Part.ALL))) == 12
    assert len(rows(labels(labelled, part=Part.ALL, every_revision=True))) == 13


@pytest.mark.parametrize("form", list(ExportFormat))
def test_exported_labels_can_be_imported_again(
    labelled: GoldSet, form: ExportFormat
) -> None:
    name, data = export(labels(labelled, part=Part.ALL, form=form, bom=form == "csv"))
    assert name == f"{labelled.name}-labels-all.{form}"
    copy = make_set(cases=6)
    done = import_labels(gold_set=copy, source=Source(data, name), now=START)
    assert done.added == 12
    told = [
        sorted(
            Label.objects.of_set(gold_set.pk).values_list(
                "pair__case__external_id", "outcome", "note"
            )
        )
        for gold_set in (labelled, copy)
    ]
    assert told[0] == told[1]
    again = export(labels(copy, part=Part.ALL, form=form))
    source = Source(again[1], again[0])
    assert import_labels(gold_set=copy, source=source, now=START).known == 12


def rule(gold_set: GoldSet, by: User) -> None:
    for number, case_id in enumerate(("case-0000", "case-0005"), start=1):
        pair = Pair.objects.get(case__external_id=case_id, gold_set=gold_set)
        link = None
        for sequence in (1, 2):
            said = Ruling(
                pair=pair.digest,
                outcome=Outcome.TIE,
                category=RulingCategory.GENUINELY_CLOSE,
                note=f"=note {number}.{sequence}",
                author=by.get_username(),
                at=START,
                guideline="",
            )
            link = next_link(said, link)
            Adjudication.objects.create(
                pair=pair,
                sequence=sequence,
                adjudicator=by,
                outcome=said.outcome.value,
                category=str(said.category),
                note=said.note,
                previous_digest=link.previous or "",
                digest=link.digest,
                created_at=START,
            )


def test_rulings_come_as_chains(labelled: GoldSet, adjudicator: User) -> None:
    rule(labelled, adjudicator)
    found = rows(plan(labelled, ExportKind.RULINGS, part=Part.ALL))
    assert [row["sequence"] for row in found] == [1, 2, 1, 2]
    for one, two in (found[:2], found[2:]):
        assert (one["previous_digest"], two["previous_digest"]) == ("", one["digest"])
    assert {row["adjudicator"] for row in found} == {
        aliases_of_all(labelled)[adjudicator.pk]
    }
    assert found[0]["note"] == "=note 1.1"
    named = rows(plan(labelled, ExportKind.RULINGS, names=True))
    assert [row["adjudicator"] for row in named] == ["adjudicator"] * 2


def freeze(gold_set: GoldSet) -> None:
    gold_set.rounds.update(closed_at=START)
    freeze_gold(
        gold_set=gold_set,
        rule=ConsensusRule.MAJORITY_ELSE_ADJUDICATE,
        by=None,
        now=START,
        leave_open=True,
    )


def test_gold_says_where_each_outcome_came_from(
    labelled: GoldSet, adjudicator: User
) -> None:
    rule(labelled, adjudicator)
    freeze(labelled)
    found = rows(plan(labelled, ExportKind.GOLD, part=Part.ALL))
    assert len(found) == 6
    assert (found[0]["outcome"], found[0]["source"]) == ("tie", "adjudication")
    for row in found:
        if row["source"] == "none":
            assert row["outcome"] is None
            assert row["open_reason"]
    assert {row["version"] for row in found} == {1}


def test_a_pair_counts_as_held_out_if_it_was_or_is(labelled: GoldSet) -> None:
    freeze(labelled)
    Case.objects.filter(split="held_out").update(split="dev")
    Case.objects.filter(external_id="case-0000").update(split="held_out")
    kept = rows(plan(labelled, ExportKind.GOLD))
    assert [row["case_id"] for row in kept] == ["case-0001", "case-0002", "case-0003"]
    assert len(rows(plan(labelled, ExportKind.GOLD, part=Part.HELD_OUT))) == 3


def test_held_out_rows_are_a_look_once_for_the_same_rows(
    labelled: GoldSet, lead: User, auditor: User
) -> None:
    held_out = labels(labelled, part=Part.HELD_OUT)
    assert len(rows(held_out, viewer(lead))) == 4
    rows(held_out, viewer(lead))
    rows(labels(labelled, part=Part.ALL), viewer(lead))
    (look,) = Look.objects.all()
    assert look.report is None
    assert look.what == f"labels export ({labelled.name}-labels)"
    assert (look.looked_by, look.door) == (lead, "page")
    rows(held_out, viewer(auditor))
    assert Look.objects.count() == 2
    assert looks_used(labelled) == 1
    labelled.refresh_from_db()
    assert labelled.held_out_seen_at == START


def test_new_held_out_labels_are_a_new_look(labelled: GoldSet, lead: User) -> None:
    held_out = labels(labelled, part=Part.HELD_OUT)
    rows(held_out, viewer(lead))
    tie_instead(Label.objects.filter(pair__case__split="held_out").earliest("pk"))
    rows(held_out, viewer(lead))
    assert looks_used(labelled) == 2


def test_past_the_budget_a_reason_is_needed(labelled: GoldSet, lead: User) -> None:
    labelled.look_budget = 0
    labelled.save()
    held_out = labels(labelled, part=Part.ALL)
    with pytest.raises(LooksSpent):
        export(held_out, viewer(lead))
    assert not Look.objects.exists()
    assert not Exposure.objects.exists()
    export(held_out, viewer(lead, reason="the audit asks"))
    assert Look.objects.get().reason == "the audit asks"


def test_reports_and_exports_share_the_budget(world: World, lead: User) -> None:
    disclosed(report=world.report(), viewer=viewer(lead), now=START)
    gold = ExportPlan(world.gold_set.name, ExportKind.GOLD, part=Part.ALL)
    rows(gold, viewer(lead))
    assert looks_used(world.gold_set) == 2
    payload = disclosed(report=world.report(), viewer=viewer(lead), now=START)
    assert (payload["looks"]["n"], payload["looks"]["this"]) == (2, 1)


def test_whoever_takes_labels_out_has_seen_these_pairs(
    labelled: GoldSet, lead: User
) -> None:
    rows(labels(labelled), viewer(lead))
    seen = Exposure.objects.filter(user=lead)
    assert seen.count() == 8
    assert set(seen.values_list("kind", flat=True)) == {"labels", "systems"}
    assert not seen.filter(pair__case__split="held_out").exists()
    rows(labels(labelled, part=Part.ALL), viewer(lead))
    assert seen.count() == 12
    assert set(seen.values_list("seen_at", flat=True)) == {START}


def test_a_command_exposes_nobody(labelled: GoldSet) -> None:
    rows(labels(labelled), viewer(actor="ops"))
    assert not Exposure.objects.exists()


def test_the_number_of_queries_does_not_grow(labelled: GoldSet, lead: User) -> None:
    with CaptureQueriesContext(connection) as few:
        rows(labels(labelled), viewer(lead))
    assert len(few) < 16


def test_what_can_not_be_exported(labelled: GoldSet) -> None:
    with pytest.raises(NotFound, match="no gold version yet"):
        export(plan(labelled, ExportKind.GOLD))
    freeze(labelled)
    with pytest.raises(NotFound, match="no version 7"):
        export(plan(labelled, ExportKind.GOLD, version=7))
    with pytest.raises(InvalidInput, match="CSV only"):
        export(labels(labelled, bom=True))
    with pytest.raises(NotFound, match="no gold set 'x'"):
        export(ExportPlan("x", ExportKind.LABELS))
    assert gold_set_named(labelled.name).held_out_seen_at is None
