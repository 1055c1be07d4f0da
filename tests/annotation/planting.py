"""Canary names wherever a labeller must not look, and ids that can be searched for."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from django.db import connection
from django.utils import timezone

from annotation.domain.consensus import ConsensusRule
from annotation.domain.outcomes import Outcome, SlotChoice, Split
from annotation.domain.rulings import RulingCategory
from annotation.models import (
    Adjudication,
    Assignment,
    Case,
    Exposure,
    GoldItem,
    GoldSet,
    GoldVersion,
    Label,
    Pair,
    Response,
    Seat,
    System,
)
from annotation.services.adjudicating import Opinion, adjudicate
from annotation.services.freezing import freeze_gold
from config.accounts.roles import Role
from judging.models import Call, JudgeConfig, Provider, Reply, Run
from tests.annotation.factory import Clock, Desk, make_round, make_set

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.db.models import Model

    from annotation.models import Round
    from config.accounts.models import User

ID_START = 731_000_000
NUMBERED = [
    Adjudication, Assignment, Call, Case, Exposure, GoldItem, GoldSet, GoldVersion,
    JudgeConfig, Label, Pair, Reply, Response, Run, Seat, System,
]  # fmt: skip


def number_from(model: type[Model], start: int) -> None:
    """Let new rows of a model have ids that can be searched for."""
    table = model._meta.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT setval(pg_get_serial_sequence(%s, 'id'), %s)", [table, start]
            )
        else:
            cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table])
            cursor.execute(
                "INSERT INTO sqlite_sequence VALUES (%s, %s)", [table, start]
            )


@dataclass
class Planted:
    """A round under way, full of what its labellers must not learn."""

    gold_set: GoldSet
    round: Round
    other: User
    clock: Clock

    def secrets(self) -> list[str]:
        rows = (self.gold_set.seed, self.round.seed)
        digests = Pair.objects.values_list("digest", flat=True)
        hashes = Response.objects.values_list("sha256", flat=True)
        return [*rows, *digests, *hashes]

    def values(self, me: User) -> dict[str, list[object]]:
        """What an address may be filled with: known ids, and guessed ones."""
        mine = Assignment.objects.filter(reviewer=me).latest("claimed_at").token
        theirs = Assignment.objects.exclude(reviewer=me).latest("claimed_at").token
        return {
            "int": [self.round.pk, Pair.objects.earliest("pk").pk, 1],
            "uuid": [mine, theirs, uuid4()],
            "slug": [self.gold_set.name],
            "str": [self.gold_set.name],
            "path": [Pair.objects.earliest("pk").pk],
        }


def plant(make_user: Callable[..., Any]) -> Planted:
    """Make a round under way whose secrets all carry a canary name."""
    for index, model in enumerate(NUMBERED):
        number_from(model, ID_START + 10_000 * index)
    gold_set = make_set(
        cases=0,
        systems=("canarysystemone", "canarysystemtwo"),
        name="canaryset",
        title="Replies to customers",
        question="Which reply helps the customer more?",
        primary_slice="canaryslice",
    )
    System.objects.filter(gold_set=gold_set).update(aliases=["canaryalias"])
    other = make_user("canarycolleague", Role.REVIEWER, display_name="Canarycolleague")
    for index in range(5):
        plant_case(gold_set, index)
    clock = Clock(timezone.now() - timedelta(minutes=3))
    round_ = make_round(
        gold_set, other, labels_per_pair=3, now=clock.now, name="Spring round"
    )
    colleague = Desk(round_, other, clock)
    for choice in (SlotChoice.FIRST, SlotChoice.ABSTAIN):
        colleague.submit(colleague.claim(), choice, note="canarynote")
    colleague.claim()
    plant_results(gold_set, make_user("canaryruler", Role.ADJUDICATOR), clock)
    return Planted(gold_set, round_, other, clock)


def plant_case(gold_set: GoldSet, index: int) -> None:
    case = Case.objects.create(
        gold_set=gold_set,
        external_id=f"canarycase-{index}",
        prompt=[{"role": "user", "content": f"Question {index}", "name": "canaryuser"}]
        if index == 0
        else f"Question {index}",
        slices={"canaryslice": "canaryvalue"},
        group="canarygroup",
        split=Split.HELD_OUT.value if index % 2 else Split.DEV.value,
        critical=True,
        extra={"canarykey": "canaryextra"},
        digest=f"canarydigest{index}",
    )
    systems = System.objects.filter(gold_set=gold_set).order_by("position")
    one, two = (
        Response.objects.create(
            case=case,
            system=system,
            text=f"Answer {index}{system.position}",
            sha256=f"{index}{system.position}" * 32,
            length=9,
            meta={"config": "canarymeta"},
        )
        for system in systems
    )
    Pair.objects.create(
        gold_set=gold_set,
        case=case,
        baseline=one,
        candidate=two,
        designed=Outcome.TIE.value,
        flags=["canaryflag"],
        digest=f"{index}f" * 32,
        texts_digest=f"{index}e" * 32,
    )


def plant_results(gold_set: GoldSet, ruler: User, clock: Clock) -> None:
    pair = Pair.objects.filter(gold_set=gold_set).latest("pk")
    adjudicate(
        pair=pair,
        opinion=Opinion(
            Outcome.CANDIDATE, RulingCategory.GENUINELY_CLOSE, "canaryruling"
        ),
        by=ruler,
        now=clock.now,
    )
    # Gold of a round under way can't be frozen: as if this came from before the rule.
    gold_set.rounds.update(closed_at=clock.now)
    freeze_gold(
        gold_set=gold_set,
        rule=ConsensusRule.MODE_OR_TIE,
        by=None,
        now=clock.now,
        leave_open=True,
    )
    gold_set.rounds.update(closed_at=None)
    provider = Provider.objects.create(alias="canaryprovider")
    config = JudgeConfig.objects.create(
        name="canaryjudge",
        version=1,
        provider=provider,
        verdict_format="canaryformat",
        combining_rule="agree_else_tie",
        repeat_rule="mean",
        created_at=clock.now,
        frozen_at=clock.now,
        digest="c" * 64,
    )
    run = Run.objects.create(config=config, gold_set=gold_set, created_at=clock.now)
    call = Call.objects.create(run=run, pair=pair, order="baseline_first", repeat=1)
    Reply.objects.create(
        call=call,
        choice="first",
        raw="canaryverdict",
        reasoning="canaryreasoning",
        baseline_sha256="0" * 64,
        candidate_sha256="1" * 64,
        answered_at=clock.now,
    )
