"""Disagreements: who sees which, in what order, and what comes of a finding."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.db import DatabaseError, transaction

from annotation.models import Exposure, RequestKind, RulingRequest
from annotation.services.aliases import reviewer_aliases
from annotation.services.held_out import LooksSpent, Viewer
from calibration.models import Disposition, Finding, Look, ReportPair
from calibration.presenters import text_report
from calibration.services.looks import disclosed, without_held_out
from calibration.services.report_cases import CaseFilter, cases, open_held_out, pairs_of
from calibration.services.reviewing import disagreements, dispose, review
from config.errors import Conflict, InvalidInput, NotAllowed, NotFound
from tests.annotation.factory import START
from tests.calibration.reviews import TOLD, pair_named, review_world
from tests.calibration.world import Told, World

if TYPE_CHECKING:
    from config.accounts.models import User

pytestmark = pytest.mark.django_db


@pytest.fixture
def world() -> World:
    return review_world()


def walk(world: World, user: User, *, held_out: bool = False) -> list[str]:
    rows = disagreements(world.report(), held_out=held_out, user=user)
    return [row.pair.case.external_id for row in rows]


def look(world: World, user: User, reason: str = "") -> None:
    viewer = Viewer(user=user, door="page", reason=reason)
    open_held_out(report=world.report(), viewer=viewer, now=START)


def found(world: World, by: User, finding: Finding, **rest: str) -> Disposition:
    pair = pair_named(world, rest.get("case", "case-0003"))
    return dispose(
        report=world.report(),
        pair_id=pair.pk,
        finding=finding,
        note=rest.get("note", "because"),
        by=by,
        now=START,
    )


class TestWalk:
    def test_worst_slice_first_and_flips_first_in_it(self, world: World, lead: User):
        assert walk(world, lead) == ["case-0004", "case-0003", "case-0002"]

    def test_it_is_worked_out_once(self, world: World, lead: User):
        walk(world, lead)
        before = list(ReportPair.objects.values_list("pk", flat=True))
        walk(world, lead)
        assert list(ReportPair.objects.values_list("pk", flat=True)) == before
        assert len(before) == len(TOLD)

    def test_one_with_everything_that_bears_on_it(self, world: World, lead: User):
        pair = pair_named(world, "case-0003")
        seen = review(report=world.report(), pair_id=pair.pk, user=lead, now=START)
        assert (seen.place, seen.total) == (2, 3)
        assert seen.before == pair_named(world, "case-0004").pk
        assert seen.after == pair_named(world, "case-0002").pk
        assert sorted(label.outcome for label in seen.labels) == [
            "baseline", "candidate", "candidate",
        ]  # fmt: skip
        aliases = sorted(reviewer_aliases(world.gold_set).values())
        assert [label.by for label in seen.labels] == aliases
        assert all("case-0003" in label.note for label in seen.labels)
        assert seen.row.worst_slice == "language = de"

    def test_seeing_it_is_written_down(self, world: World, lead: User):
        pair = pair_named(world, "case-0003")
        review(report=world.report(), pair_id=pair.pk, user=lead, now=START)
        kinds = Exposure.objects.filter(user=lead, pair=pair).values_list("kind")
        assert {kind for (kind,) in kinds} == {"labels", "systems", "verdicts"}

    def test_agreement_is_none(self, world: World, lead: User):
        pair = pair_named(world, "case-0000")
        with pytest.raises(NotFound):
            review(report=world.report(), pair_id=pair.pk, user=lead, now=START)

    @pytest.mark.parametrize("case", ["case-0005", "case-0006"])
    def test_of_a_closed_pair_it_is_not_told(self, world: World, lead: User, case: str):
        pair = pair_named(world, case)
        with pytest.raises(NotAllowed) as caught:
            review(report=world.report(), pair_id=pair.pk, user=lead, now=START)
        assert caught.value.code == "look_needed"
        look(world, lead)
        if case == "case-0006":  # judge and gold agree on it
            with pytest.raises(NotFound):
                review(report=world.report(), pair_id=pair.pk, user=lead, now=START)


class TestHeldOut:
    def test_closed_without_a_look_of_its_own(self, world: World, lead: User):
        viewer = Viewer(user=lead, door="page")
        disclosed(report=world.report(), viewer=viewer, now=START)
        with pytest.raises(NotAllowed) as caught:
            walk(world, lead, held_out=True)
        assert caught.value.code == "look_needed"
        pair = pair_named(world, "case-0005")
        with pytest.raises(NotAllowed):
            review(report=world.report(), pair_id=pair.pk, user=lead, now=START)
        with pytest.raises(NotAllowed):
            found(world, lead, Finding.JUDGE_FAILED, case="case-0005")
        with pytest.raises(NotAllowed):
            cases(world.report(), CaseFilter(split="held_out"), lead)
        assert not Exposure.objects.filter(pair=pair).exists()

    def test_open_to_who_took_it_and_to_nobody_else(
        self, world: World, lead: User, auditor: User
    ):
        look(world, lead, "to tune the rubric")
        assert walk(world, lead, held_out=True) == ["case-0005"]
        with pytest.raises(NotAllowed):
            walk(world, auditor, held_out=True)
        row = Look.objects.get()
        assert (row.what, row.reason) == (
            f"held-out pairs of report {world.report().pk}", "to tune the rubric",
        )  # fmt: skip
        assert row.config_digest == world.run.config.digest

    def test_it_counts_against_the_budget(self, lead: User):
        world = review_world(look_budget=1)  # type: ignore[arg-type]
        viewer = Viewer(user=lead, door="page")
        disclosed(report=world.report(), viewer=viewer, now=START)
        with pytest.raises(LooksSpent):
            look(world, lead)
        look(world, lead, "an audit")
        assert walk(world, lead, held_out=True) == ["case-0005"]


class TestCases:
    @pytest.mark.parametrize(
        ("wanted", "names"),
        [
            (CaseFilter(), "01234"),
            (CaseFilter(split="dev", gold="candidate", verdict="baseline"), "3"),
            (CaseFilter(consistency="flip"), "4"),
            (CaseFilter(verdict="invalid"), "2"),
            (CaseFilter(slice="language=de"), "34"),
            (CaseFilter(slice="language=de", wrong=True), "34"),
            (CaseFilter(slice="language"), ""),
            (CaseFilter(wrong=True), "234"),
            (CaseFilter(critical=True), ""),
            (CaseFilter(gold="none"), ""),
        ],
    )
    def test_filters(self, world: World, lead: User, wanted: CaseFilter, names: str):
        rows = cases(world.report(), wanted, lead)
        assert [row.pair.case.external_id[-1] for row in rows] == list(names)

    def test_every_pair_is_counted_as_the_report_counts_it(self, world: World):
        block = without_held_out(world.report())["splits"]["dev"]["confusion"]
        for gold, row in block.items():
            for verdict, count in row.items():
                same = pairs_of(world.report()).filter(
                    split="dev", gold=gold, verdict=verdict
                )
                assert same.count() == count


class TestFinding:
    def test_a_change_of_mind_is_a_new_revision(self, world: World, lead: User):
        found(world, lead, Finding.JUDGE_FAILED)
        found(world, lead, Finding.CASE_BAD, note="no evidence in it")
        rows = Disposition.objects.order_by("revision")
        assert [(r.revision, r.finding) for r in rows] == [
            (1, "judge_failed"), (2, "case_bad"),
        ]  # fmt: skip
        (current,) = Disposition.objects.current()
        assert (current.finding, current.note) == ("case_bad", "no evidence in it")

    @pytest.mark.parametrize("note", ["", "   ", "\n", "x" * 20_001])
    def test_a_note_is_needed(self, world: World, lead: User, note: str):
        with pytest.raises(InvalidInput, match="note"):
            found(world, lead, Finding.JUDGE_FAILED, note=note)

    def test_the_database_keeps_it(self, world: World, lead: User):
        found(world, lead, Finding.JUDGE_FAILED)
        with pytest.raises(DatabaseError), transaction.atomic():
            Disposition.objects.update(note="another")
        with pytest.raises(DatabaseError), transaction.atomic():
            Disposition.objects.all().delete()
        with pytest.raises(DatabaseError), transaction.atomic():
            ReportPair.objects.update(gold="tie")

    def test_wrong_gold_goes_to_blind_adjudication_with_a_control(
        self, world: World, lead: User
    ):
        made = found(world, lead, Finding.GOLD_WRONG, note="the order was late")
        rows = RulingRequest.objects.order_by("kind")
        assert {row.batch for row in rows} == {made.batch}
        by_kind = {row.kind: row for row in rows}
        sent = by_kind[RequestKind.CORRECTION.value]
        assert sent.pair == pair_named(world, "case-0003")
        assert (sent.category, sent.note) == ("gold_wrong", "the order was late")
        control = by_kind[RequestKind.CONTROL.value].pair
        assert control.case.external_id in {"case-0000", "case-0001"}
        assert {row.requested_by for row in rows} == {lead}

    def test_only_once_while_it_waits(self, world: World, lead: User):
        found(world, lead, Finding.GOLD_WRONG)
        again = found(world, lead, Finding.GOLD_WRONG, note="still")
        assert again.batch is None
        assert RulingRequest.objects.count() == 2

    @pytest.mark.parametrize(
        "finding", [f for f in Finding if f is not Finding.GOLD_WRONG]
    )
    def test_other_findings_send_nothing(
        self, world: World, lead: User, finding: Finding
    ):
        assert found(world, lead, finding).batch is None
        assert not RulingRequest.objects.exists()

    def test_without_controls_nothing_is_sent_or_noted(self, lead: User):
        world = review_world([Told("dev", "B", "C", "C", labels="BBB")] * 2)
        with pytest.raises(Conflict) as caught:
            found(world, lead, Finding.GOLD_WRONG, case="case-0000")
        assert caught.value.code == "too_few_controls"
        assert not Disposition.objects.exists()


class TestCounts:
    def test_they_are_in_every_form_of_the_report(self, world: World, lead: User):
        found(world, lead, Finding.JUDGE_FAILED)
        found(world, lead, Finding.RUBRIC_AMBIGUOUS, case="case-0004")
        look(world, lead)
        found(world, lead, Finding.CASE_BAD, case="case-0005")
        viewer = Viewer(user=lead, door="page")
        payload = disclosed(report=world.report(), viewer=viewer, now=START)
        counts = payload["disagreements"]
        assert counts["dev"] == {
            "n": 3, "reviewed": 2, "judge_failed": 1, "gold_wrong": 0,
            "rubric_ambiguous": 1, "case_bad": 0,
        }  # fmt: skip
        assert (counts["held_out"]["n"], counts["held_out"]["case_bad"]) == (1, 1)
        assert (counts["unsplit"]["n"], counts["unsplit"]["reviewed"]) == (0, 0)
        text = " ".join(text_report(payload).split())
        assert (
            "Disagreements, dev: 2 of 3 pairs reviewed: the judge failed 1, "
            "the rubric leaves it open 1" in text
        )

    def test_those_of_held_out_pairs_are_withheld_with_them(self, world: World):
        counts = without_held_out(world.report())["disagreements"]
        assert counts["held_out"] is None
        assert counts["dev"]["n"] == 3

    def test_the_report_itself_stays_as_it_was(self, world: World, lead: User):
        before = world.report()
        found(world, lead, Finding.JUDGE_FAILED)
        after = world.report()
        assert (after.pk, after.digest) == (before.pk, before.digest)
