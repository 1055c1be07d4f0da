"""Gold sets, pairs and rounds for the tests, and what people do with them."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from annotation.domain.digests import digest_of, text_digest
from annotation.domain.outcomes import SlotChoice
from annotation.domain.same_texts import texts_digest
from annotation.models import (
    Assignment,
    Case,
    GoldSet,
    Label,
    Pair,
    Response,
    Round,
    System,
)
from annotation.services.labelling import Answer, submit_label
from annotation.services.queue import Next, next_assignment
from annotation.services.round_planning import RoundPlan
from annotation.services.rounds import open_round
from annotation.services.stored_texts import read_text
from config.accounts.permissions import forget_roles, has_role
from config.accounts.roles import LABELLERS, Role

if TYPE_CHECKING:
    from collections.abc import Sequence

    from config.accounts.models import User

START = datetime(2030, 5, 6, 9, 0, tzinfo=UTC)
CANARY = "canaryx"


@dataclass
class Clock:
    """A time that moves only when it is told to."""

    now: datetime = START

    def pass_minutes(self, minutes: float) -> datetime:
        self.now += timedelta(minutes=minutes)
        return self.now


@dataclass
class Desk:
    """One reviewer at work in one round."""

    round: Round
    reviewer: User
    clock: Clock
    rng: random.Random = field(default_factory=lambda: random.Random(7))

    def next(self) -> Next:
        return next_assignment(
            round_id=self.round.pk,
            reviewer=self.reviewer,
            now=self.clock.now,
            rng=self.rng,
        )

    def claim(self) -> Assignment:
        found = self.next()
        assert isinstance(found, Assignment), found
        return found

    def submit(
        self,
        assignment: Assignment,
        choice: SlotChoice = SlotChoice.FIRST,
        **rest: Any,
    ) -> Label:
        if choice is SlotChoice.ABSTAIN:
            rest.setdefault("abstain_reason", "missing_context")
        return submit_label(
            token=str(assignment.token),
            reviewer=self.reviewer,
            answer=Answer(choice=choice, **rest),
            now=self.clock.now,
        )

    def label_all(self, choice: SlotChoice = SlotChoice.FIRST) -> list[Label]:
        """Label until nothing comes, a second a pair."""
        labels = []
        while isinstance(found := self.next(), Assignment):
            labels.append(self.submit(found, choice))
            self.clock.pass_minutes(1 / 60)
        return labels


def make_set(
    cases: int = 4, *, systems: Sequence[str] = ("v12", "v13"), **fields: Any
) -> GoldSet:
    """A gold set whose every case has all systems' responses and all pairs."""
    number = GoldSet.objects.count() + 1
    fields.setdefault("name", f"set-{number}")
    gold_set = GoldSet.objects.create(created_at=START, **fields)
    rows = System.objects.bulk_create(
        System(gold_set=gold_set, name=name, position=place)
        for place, name in enumerate(systems)
    )
    for index in range(cases):
        add_case(gold_set, rows, f"case-{index:04d}")
    return gold_set


def add_case(
    gold_set: GoldSet,
    systems: Sequence[System],
    external_id: str,
    texts: Sequence[object] = (),
    designed: str = "",
    **fields: Any,
) -> Case:
    fields.setdefault("prompt", f"Please answer request number {external_id[-4:]}.")
    case = Case.objects.create(
        gold_set=gold_set,
        external_id=external_id,
        digest=text_digest(external_id),
        **fields,
    )
    given = list(texts) or [f"Reply {n} to it." for n in range(len(systems))]
    responses = Response.objects.bulk_create(
        Response(
            case=case,
            system=system,
            text=text,
            sha256=digest_of(text),
            length=len(str(text)),
        )
        for system, text in zip(systems, given, strict=True)
    )
    Pair.objects.bulk_create(
        Pair(
            gold_set=gold_set,
            case=case,
            baseline=one,
            candidate=two,
            designed=designed,
            digest=digest_of([external_id, one.sha256, two.sha256]),
            texts_digest=texts_digest(
                read_text(case.prompt), [read_text(one.text), read_text(two.text)]
            ),
        )
        for place, one in enumerate(responses)
        for two in responses[place + 1 :]
    )
    return case


def let_label(user: User) -> None:
    """Make a reviewer of somebody who may not label yet."""
    from django.contrib.auth.models import Group

    if not has_role(user, *LABELLERS):
        user.groups.add(Group.objects.get_or_create(name=Role.REVIEWER.value)[0])
        forget_roles(user)


def make_round(
    gold_set: GoldSet,
    *reviewers: User,
    labels_per_pair: int = 1,
    name: str = "Round one",
    now: datetime = START,
    minutes: int = 30,
    pairs: Sequence[Pair] | None = None,
    **plan: Any,
) -> Round:
    for user in reviewers:
        let_label(user)
    return open_round(
        gold_set=gold_set,
        plan=RoundPlan(name, labels_per_pair, minutes, **plan),
        pairs=list(pairs or Pair.objects.filter(gold_set=gold_set)),
        reviewers=reviewers,
        by=None,
        now=now,
    )


def tie_instead(label: Label, note: str = "") -> None:
    """Give a further revision an hour later, the round being open for it."""
    assert label.assignment is not None
    assert label.reviewer is not None
    Round.objects.update(closed_at=None)
    clock = Clock(START + timedelta(hours=1))
    desk = Desk(label.assignment.round, label.reviewer, clock)
    desk.submit(label.assignment, SlotChoice.TIE, note=note)
    Round.objects.update(closed_at=clock.now)
