"""Rule 6: nothing that a labeller can reach tells what they must not know.

Canary names are planted everywhere but in the texts of prompts and responses, row ids
start at numbers that occur nowhere else, and every reply is searched.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
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
    ExposureKind,
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
from annotation.services.exposures import record_exposures
from annotation.services.freezing import freeze_gold
from annotation.services.rounds import close_round
from config.accounts.roles import Role
from judging.models import Call, JudgeConfig, Provider, Reply, Run
from tests.annotation.crawling import Answered, ask, crawl
from tests.annotation.factory import Clock, Desk, make_round, make_set

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from django.db.models import Model
    from django.test import Client

    from annotation.models import Round
    from config.accounts.models import User

NAMES = re.compile(r"canary[a-z]*", re.IGNORECASE)
# Words that no reply about a pair may hold.
WORDS = re.compile(
    r"baseline|candidate|held_out|designed|external_id|pass_no|seed", re.IGNORECASE
)
ID_START = 731_000_000
IDS = re.compile(r"731\d{6}")
NUMBERED = [
    Adjudication, Assignment, Call, Case, Exposure, GoldItem, GoldSet, GoldVersion,
    JudgeConfig, Label, Pair, Reply, Response, Run, Seat, System,
]  # fmt: skip
CHOICES = list(SlotChoice)


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


@pytest.fixture
def planted(make_user: Callable[..., Any]) -> Planted:
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
    freeze_gold(
        gold_set=gold_set,
        rule=ConsensusRule.MODE_OR_TIE,
        by=None,
        now=clock.now,
        leave_open=True,
    )
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


@pytest.fixture(params=[Role.REVIEWER, Role.ADJUDICATOR])
def labeller(
    request: pytest.FixtureRequest, planted: Planted, make_user: Callable[..., Any]
) -> User:
    """A member of the round who has seen results of one pair."""
    from annotation.services.rounds import add_members

    user: User = make_user("me", request.param)
    add_members(round_=planted.round, reviewers=[user], now=planted.clock.now)
    seen = Pair.objects.filter(gold_set=planted.gold_set).earliest("pk")
    record_exposures(
        user=user,
        pair_ids=[seen.pk],
        kind=ExposureKind.SYSTEMS,
        now=planted.clock.now,
    )
    return user


def leaks(planted: Planted, answers: list[Answered]) -> list[str]:
    """Where something shows that must not, and what."""
    found = []
    for answer in answers:
        hits = set(NAMES.findall(answer.text)) | set(IDS.findall(answer.text))
        hits |= {secret for secret in planted.secrets() if secret in answer.text}
        if "schema" not in answer.path:  # it names all fields there are, of no pair
            hits |= set(WORDS.findall(answer.text))
        if hits:
            found.append(
                f"{answer.method} {answer.path} {answer.status}: {sorted(hits)}"
            )
    return found


def work(client: Client, planted: Planted) -> Iterator[Answered]:
    """Label through page and API until nothing is left."""
    page, api = f"/label/{planted.round.pk}/", f"/api/v1/rounds/{planted.round.pk}/next"
    yield ask(client, "GET", page)
    for step in range(10):
        answer = ask(client, "POST", api)
        yield answer
        token = re.search(r'"token":"([^"]+)"', answer.text)
        if token is None:
            return
        choice = CHOICES[step % 4].value
        if step % 2:
            form = {"token": token[1], "choice": choice, "note": "mine"}
            url, rest = f"{page}answer", {"headers": {"HX-Request": "true"}}
            yield ask(client, "POST", url, form, **rest)
        else:
            url = f"/api/v1/assignments/{token[1]}/label"
            yield ask(
                client, "POST", url, {"choice": choice}, content_type="application/json"
            )


def test_a_labeller_learns_nothing_before_or_after_the_round_closes(
    planted: Planted, labeller: User, client_of: Callable[[User], Client]
) -> None:
    client = client_of(labeller)
    ask(client, "GET", f"/label/{planted.round.pk}/")
    first = crawl(client, planted.values(labeller))
    worked = list(work(client, planted))
    labelled = Label.objects.filter(reviewer=labeller).count()
    close_round(round_=planted.round, by=None, now=timezone.now())
    after = crawl(client, planted.values(labeller))

    assert leaks(planted, [*first, *worked, *after]) == []
    # The walk must have got somewhere for its silence to mean anything.
    assert {a.path for a in first if a.status == 200} >= {
        "/",
        f"/label/{planted.round.pk}/",
        f"/label/{planted.round.pk}/answer",
        "/api/v1/rounds/",
        f"/api/v1/rounds/{planted.round.pk}/next",
    }
    assert any("Answer 1" in answer.text for answer in first)
    assert labelled >= 3
    assert any("This round is closed" in answer.text for answer in after)
    assert {answer.status for answer in [*first, *worked, *after]}.isdisjoint({500})


def test_the_search_finds_what_a_lead_may_see(
    planted: Planted, labeller: User, lead_client: Client
) -> None:
    """The same walk by somebody who is let in finds plenty: it is able to."""
    Desk(planted.round, labeller, planted.clock).claim()
    found = "\n".join(leaks(planted, crawl(lead_client, planted.values(labeller))))

    for name in ("canarysystemone", "canarycase", "canaryjudge", "731"):
        assert name in found


def test_opaque_tokens_differ_for_each_showing(
    planted: Planted, labeller: User
) -> None:
    """Two people who see one pair can't find that out by comparing addresses."""
    tokens = Assignment.objects.values_list("token", flat=True)
    Desk(planted.round, labeller, planted.clock).claim()
    assert len(set(tokens)) == Assignment.objects.count()
    assert all(token.version == 4 for token in tokens)
