"""Which runs a panel takes its votes from: newest ones, or those that are named."""

from __future__ import annotations

import io
import uuid
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from config.errors import InvalidInput
from judging.domain.ports import CallFailed, FailureKind
from judging.models import Attempt, Reply, Run, RunPurpose, RunStatus
from judging.services.estimating import estimate_run
from judging.services.evidence import pair_evidence
from judging.services.panels import runs_behind
from judging.services.run_options import RunOptions
from judging.services.seats import seats_for
from judging.services.starting import run_for, set_concurrency, start_run
from judging.services.storing import Result, store
from judging.services.wishing import not_taken_up
from tests.annotation.factory import START, make_set
from tests.judging.services.test_panel_runs import Opinions, judges, panel_of, start
from tests.judging.talkers import work

pytestmark = pytest.mark.django_db(transaction=True)


def anew(member, gold_set):
    """A run that copies no earlier replies."""
    return start_run(
        config=member,
        gold_set=gold_set,
        concurrency=4,
        by=None,
        now=START,
        options=RunOptions(reuse=False),
    )


def told(member, gold_set, said="[[A>B]]"):
    """A complete run of a member of which every reply says the same."""
    run = anew(member, gold_set)
    client = Opinions(**{member.spec["model"]: said})
    assert work(run, client) == RunStatus.DONE
    return run


@pytest.fixture
def world(db):
    """A panel of two, of whom the first has two complete runs."""
    gold_set, members = make_set(2), judges(2)
    older, newer = told(members[0], gold_set, "[[B>A]]"), told(members[0], gold_set)
    return gold_set, members, panel_of(members), older, newer


def seated(run):
    return {each.pk for each in runs_behind(run)}


def test_the_newest_complete_run_is_taken_and_said_before(world):
    gold_set, members, panel, _, newer = world
    seats = {s.member: s.run for s in seats_for(panel, gold_set, RunOptions())}
    assert seats == {members[0]: newer, members[1]: None}
    run = start(panel, gold_set)
    assert newer.pk in seated(run)


def test_a_named_run_is_taken_instead(world):
    gold_set, _, panel, older, newer = world
    run = start(panel, gold_set, member_runs=(older.pk,))
    assert older.pk in seated(run)
    assert newer.pk not in seated(run)
    assert work(run, Opinions()) == RunStatus.DONE
    # Its votes count, not those of the newest run: one for each slot, so they tie.
    outcomes = {each.verdict.baseline_first for each in pair_evidence(run).values()}
    assert outcomes == {"tie"}


def test_a_complete_panel_run_on_other_runs_is_not_given_for_it(world):
    gold_set, _, panel, older, _ = world
    first = start(panel, gold_set)
    work(first, Opinions())
    assert start(panel, gold_set) == first
    second = start(panel, gold_set, member_runs=(older.pk,))
    assert second != first
    work(second, Opinions())
    assert start(panel, gold_set, member_runs=(older.pk,)) == second


def test_an_unfinished_panel_run_says_whose_votes_it_takes(world):
    gold_set, _, panel, older, newer = world
    run = start(panel, gold_set)
    options = RunOptions(member_runs=(older.pk,))
    assert start(panel, gold_set, member_runs=(older.pk,)) == run
    numbers = ", ".join(str(pk) for pk in sorted(seated(run)))
    words = f"it takes its votes from runs {numbers}"
    assert not_taken_up(run, options, again=False) == [words]
    assert not_taken_up(run, RunOptions(member_runs=(newer.pk,)), again=False) == []


@pytest.mark.parametrize("case", ["unknown", "another set", "unfinished", "twice"])
def test_a_run_that_no_member_can_sit_with_is_refused(world, case):
    gold_set, members, panel, older, newer = world
    unfinished = start_run(
        config=members[1], gold_set=gold_set, concurrency=4, by=None, now=START
    )
    elsewhere = told(members[0], make_set(1, name="elsewhere"))
    named, words = {
        "unknown": ((9999,), "has no run 9999"),
        "another set": ((elsewhere.pk,), f"has no run {elsewhere.pk}"),
        "unfinished": ((unfinished.pk,), "no complete run of verdicts"),
        "twice": ((older.pk, newer.pk), "another run was named for the same one"),
    }[case]
    before = Run.objects.count()
    with pytest.raises(InvalidInput, match=words):
        start(panel, gold_set, member_runs=named)
    assert Run.objects.count() == before


def test_the_run_of_a_judge_that_is_no_member_is_refused(world):
    gold_set, members, panel, *_ = world
    stranger = told(panel_stranger(), gold_set)
    with pytest.raises(InvalidInput, match="is of no member of panel"):
        start(panel, gold_set, member_runs=(stranger.pk,))
    with pytest.raises(InvalidInput, match="is no panel"):
        run_for(
            config=members[1],
            gold_set=gold_set,
            concurrency=4,
            by=None,
            now=timezone.now(),
            options=RunOptions(member_runs=(stranger.pk,)),
        )


def panel_stranger():
    return judges(4)[3]


def test_what_a_named_run_has_is_not_asked_again(world):
    gold_set, _, panel, older, _ = world
    options = RunOptions(purpose=RunPurpose.NOISE, member_runs=(older.pk,))
    seats = seats_for(panel, gold_set, options)
    found = estimate_run(
        config=panel, gold_set=gold_set, now=START, reuse=options.reuses, seats=seats
    )
    assert (found.reused, found.to_ask) == (4, 4)


class KeyExpires(Opinions):
    """Answers a few calls, then takes the key no more."""

    def __init__(self, answers):
        super().__init__()
        self.left = answers

    async def ask(self, request):
        self.left -= 1
        if self.left < 0:
            raise CallFailed(FailureKind.UNAUTHORISED, "the key has expired")
        return await super().ask(request)


def give_up_on_one(run):
    """Let a call of a run end as one that its provider never answered."""
    call = run.calls.unanswered().order_by("pk").first()
    owner = uuid.UUID(int=1)
    run.calls.filter(pk=call.pk).update(
        state="claimed", owner=owner, lease_until=timezone.now() + timedelta(hours=1)
    )
    reply = Reply(call_id=call.pk, invalid_reason="timeout", answered_at=START)
    sent = Attempt(call_id=call.pk, owner=owner, sent_at=START, error="timeout")
    store(owner=owner, results=[Result(call.pk, sent, reply)])


def estimated(panel, gold_set):
    """What a run of the panel would ask, with the runs that it would take now."""
    options = RunOptions()
    seats = seats_for(panel, gold_set, options)
    return estimate_run(
        config=panel, gold_set=gold_set, now=START, reuse=options.reuses, seats=seats
    )


def test_calls_that_a_members_run_gave_up_are_not_estimated_to_be_asked(world):
    gold_set, members, panel, _, _ = world
    half = start(members[1], gold_set)
    set_concurrency(half, 1)
    half.refresh_from_db()
    assert work(half, KeyExpires(1)) == RunStatus.FAILED
    give_up_on_one(half)
    found = estimated(panel, gold_set)
    assert (found.calls, found.reused, found.to_ask) == (8, 6, 2)
    assert found.to_ask == half.calls.unanswered().count()


def test_a_members_run_that_copies_nothing_is_estimated_to_ask_all_it_lacks(world):
    gold_set, members, panel, _, _ = world
    told(members[1], gold_set)
    anew(members[1], gold_set)
    found = estimated(panel, gold_set)
    assert (found.reused, found.to_ask) == (4, 4)


def test_the_command_says_whose_runs_a_panel_takes(world, monkeypatch):
    gold_set, _, panel, older, newer = world
    out = io.StringIO()
    call_command(
        "run_judge", judge="panel", gold_set=gold_set.name, dry_run=True, stdout=out
    )
    assert f"j0 v1: run {newer.pk} of " in out.getvalue()
    assert "its newest complete one." in out.getvalue()
    assert "j1 v1: a new run." in out.getvalue()

    def carry_out(run, **_more):
        work(run, Opinions())

    monkeypatch.setattr("judging.management.commands.run_judge.carry_out", carry_out)
    out = io.StringIO()
    call_command(
        "run_judge",
        judge="panel",
        gold_set=gold_set.name,
        member_run=[older.pk],
        stdout=out,
    )
    assert f"j0 v1: run {older.pk} of " in out.getvalue()
    assert "(calibration), as named." in out.getvalue()
    assert "is done: 8 calls, 0 invalid." in out.getvalue()
    assert older.pk in seated(Run.objects.get(config=panel))
    with pytest.raises(CommandError, match="has no run 9999"):
        call_command(
            "run_judge", judge="panel", gold_set=gold_set.name, member_run=[9999]
        )
