"""Panels of frozen judges: their runs reuse the members' calls (METHODS 3.11)."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction
from django.db.models import Max

from annotation.domain.outcomes import Order, Outcome, choice_for
from config.errors import Conflict, InvalidInput
from judging.domain.panels import (
    AbstainRule,
    NoQuorum,
    PanelSpec,
    PanelVote,
    TopTie,
    VoteRule,
    panel_digest,
    panel_to_json,
)
from judging.domain.terms import (
    CombiningRule,
    InvalidReason,
    JudgeOutcome,
    RepeatRule,
)
from judging.domain.verdicts import CallReading, Invalid, Verdict
from judging.models import ConfigKind, JudgeConfig, Run, RunStatus
from judging.services.configuring import refuse_name
from judging.services.holding import hold_members
from judging.services.simulations import note_panel

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from config.accounts.models import User
    from judging.models.configs import ConfigQuerySet

FORMAT = "panel"


@transaction.atomic
def freeze_panel(
    *, name: str, spec: PanelSpec, by: User | None, now: datetime
) -> JudgeConfig:
    """Make a frozen panel as the next version of a line; there is nothing to draft.

    Raises ``InvalidInput`` where a member is no frozen judge in use that can be asked.
    """
    refuse_name(name)
    members = _members(spec.members)
    if JudgeConfig.objects.filter(name=name).exclude(kind=ConfigKind.PANEL).exists():
        raise Conflict(
            "judge_other_kind", f"{name} is a line of judges, not of panels."
        )
    last = JudgeConfig.objects.filter(name=name).aggregate(n=Max("version"))["n"] or 0
    try:
        with transaction.atomic():
            panel = JudgeConfig.objects.create(
                name=name,
                version=last + 1,
                kind=ConfigKind.PANEL,
                spec=panel_to_json(spec),
                verdict_format=FORMAT,
                combining_rule=spec.combining_rule.value,
                repeat_rule=RepeatRule.MAJORITY.value,
                created_at=now,
                created_by=by,
                frozen_at=now,
                frozen_by=by,
                digest=panel_digest(spec),
            )
    except IntegrityError as error:
        raise Conflict(
            "judge_version_taken", f"{name} was made just now; try again."
        ) from error
    note_panel(panel, members)
    return panel


def panel_spec_of(config: JudgeConfig) -> PanelSpec:
    """The rules and members that a panel's digest is taken of."""
    stored = config.spec
    return PanelSpec(
        members=tuple(stored["members"]),
        combining_rule=CombiningRule(stored["combining_rule"]),
        rule=VoteRule(stored["rule"]),
        top_tie=TopTie(stored["top_tie"]),
        abstain_rule=AbstainRule(stored["abstain_rule"]),
        no_quorum=NoQuorum(stored["no_quorum"]),
        quorum=stored["quorum"],
    )


def members_of(config: JudgeConfig) -> list[JudgeConfig]:
    """The judges on a panel, in the order of their digests."""
    return _members(panel_spec_of(config).members)


def _members(digests: Sequence[str]) -> list[JudgeConfig]:
    """For each digest the earliest judge that has it, may be asked, and is in use."""
    found: dict[str, JudgeConfig] = {}
    for judge in _fit().filter(digest__in=digests).order_by("-pk"):
        found[judge.digest] = judge
    missing = [digest for digest in digests if digest not in found]
    if missing:
        _refuse_recorded(missing)
        raise InvalidInput(
            "panel_member_unknown",
            "members: no frozen judge in use that can be asked has the digest "
            + ", ".join(digest[:12] for digest in missing),
        )
    return [found[digest] for digest in digests]


def _refuse_recorded(digests: Sequence[str]) -> None:
    """Say it in so many words where one is a judge whose verdicts were imported."""
    judges = JudgeConfig.objects.frozen().filter(recorded=True, digest__in=digests)
    names = [str(judge) for judge in judges.order_by("pk")]
    if names:
        raise InvalidInput(
            "panel_member_recorded",
            f"members: the verdicts of {', '.join(names)} were imported, so there is "
            "nobody to ask on the pairs of a panel's run. Import the panel's own "
            "verdicts as a judge in their place, or compare the judges on the same "
            "gold.",
        )


def _fit() -> ConfigQuerySet:
    judges = JudgeConfig.objects.frozen().in_use().select_related("provider")
    return judges.filter(kind=ConfigKind.PAIRWISE, recorded=False)


def judges_for_panels() -> list[JudgeConfig]:
    """Judges that may sit on a panel, of one digest the earliest, by name."""
    found: dict[str, JudgeConfig] = {}
    for judge in _fit().defer("spec").order_by("pk"):
        found.setdefault(judge.digest, judge)
    return sorted(found.values(), key=lambda judge: (judge.name, judge.version))


def seated(config: JudgeConfig) -> list[JudgeConfig]:
    """The judges that a panel was frozen with, retired ones too, for showing."""
    digests = panel_spec_of(config).members
    found: dict[str, JudgeConfig] = {}
    judges = JudgeConfig.objects.frozen().filter(kind=ConfigKind.PAIRWISE)
    for judge in judges.for_pages().filter(digest__in=digests).order_by("pk"):
        found.setdefault(judge.digest, judge)
    return [found[digest] for digest in digests if digest in found]


def is_panel(run: Run) -> bool:
    """Whether a run takes its verdicts from other runs."""
    return run.config.kind == ConfigKind.PANEL


def runs_behind(run: Run) -> list[Run]:
    """The runs that hold the calls: the members' for a panel, else the run itself."""
    if not is_panel(run):
        return [run]
    return list(
        Run.objects.filter(seats_on_panels__run=run)
        .select_related("config__provider", "config__simulation")
        .order_by("config__digest")
    )


def settle_panels(member_run: Run, now: datetime) -> None:
    """Let the panels that a run sits on stand as their members do, now that it changed.

    The panel's row is locked first, so that of two members that end at once the second
    one sees the first.
    """
    waiting = Run.objects.select_for_update(of=("self",)).filter(
        pk__in=member_run.seats_on_panels.values("run")
    )
    for panel in waiting.order_by("pk"):
        settle(panel, now)


def settle(panel: Run, now: datetime) -> None:
    """Let a panel's run stand as its members' runs do.

    It is done when all are, and can't be once one was stopped for good: what works for
    it alone is paused then. It goes on while any does, and waits for somebody when none
    does.
    """
    if panel.status in {RunStatus.DONE, RunStatus.STOPPED}:
        return
    status, why = _together(runs_behind(panel))
    going_on = {RunStatus.PENDING, RunStatus.RUNNING}
    if {status, RunStatus(panel.status)} <= going_on:
        return
    if status == panel.status and (panel.halted_by_id or why in _said(panel)):
        return  # a person's own words stand
    if status == RunStatus.STOPPED and (held := hold_members(panel, now)):
        paused = ", ".join(f"run {each.pk} of {each.config}" for each in held)
        why = f"{why} Paused with it: {paused}."
    panel.status = status
    panel.failure = why if status == RunStatus.FAILED else ""
    panel.halt_reason = "" if status == RunStatus.FAILED else why
    halted = status in {RunStatus.PAUSED, RunStatus.STOPPED}
    panel.halted_at, panel.halted_by = now if halted else None, None
    ended = status in {RunStatus.DONE, RunStatus.STOPPED, RunStatus.FAILED}
    panel.finished_at = now if ended else None
    if status == RunStatus.DONE:
        panel.started_at = panel.started_at or now
    panel.save(
        update_fields=[
            "status", "failure", "halt_reason", "halted_at", "halted_by",
            "finished_at", "started_at",
        ]
    )  # fmt: skip


def _said(panel: Run) -> tuple[str, str]:
    return panel.halt_reason, panel.failure


def _together(members: Sequence[Run]) -> tuple[RunStatus, str]:
    """How a panel stands whose members' runs stand like this, and why."""
    by_status = {RunStatus(each.status): each for each in reversed(members)}
    if set(by_status) == {RunStatus.DONE}:
        return RunStatus.DONE, ""
    if stopped := by_status.get(RunStatus.STOPPED):
        return RunStatus.STOPPED, (
            f"Run {stopped.pk} of {stopped.config} was stopped for good, so this panel "
            "can't be complete; start it anew."
        )
    if RunStatus.PENDING in by_status or RunStatus.RUNNING in by_status:
        return RunStatus.PENDING, ""
    if failed := by_status.get(RunStatus.FAILED):
        return RunStatus.FAILED, f"Run {failed.pk} of {failed.config}: {failed.failure}"
    held = by_status[RunStatus.PAUSED]
    said = f"Run {held.pk} of {held.config} is paused: {held.halt_reason}"
    return RunStatus.PAUSED, said


def order_calls(votes: dict[Order, PanelVote]) -> tuple[CallReading, ...]:
    """A panel's two order outcomes in the form of calls, for what reads calls."""
    return tuple(
        CallReading(
            order,
            1,
            Invalid(InvalidReason.NO_QUORUM, "no quorum")
            if vote.outcome is JudgeOutcome.INVALID
            else Verdict(choice_for(Outcome(vote.outcome.value), order)),
        )
        for order, vote in votes.items()
    )


def by_pair(
    members: Sequence[dict[int, tuple[JudgeOutcome, JudgeOutcome]]],
) -> dict[int, list[tuple[JudgeOutcome, JudgeOutcome]]]:
    """Join the members' outcomes by pair; all must have judged the same pairs."""
    joined: dict[int, list[tuple[JudgeOutcome, JudgeOutcome]]] = defaultdict(list)
    for outcomes in members:
        for pair_id, both in outcomes.items():
            joined[pair_id].append(both)
    return {pk: seats for pk, seats in joined.items() if len(seats) == len(members)}
