"""From the fixture's files to a frozen gold version, through the real services."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING

from django.utils import timezone

from annotation.domain.answers import options_from
from annotation.domain.consensus import ConsensusRule
from annotation.domain.outcomes import Order, choice_for
from annotation.models import Adjudication, Assignment, GoldSet, Pair, Round
from annotation.services.adjudicating import Opinion, adjudicate
from annotation.services.freezing import freeze_gold
from annotation.services.gold_sets import SetPlan, add_guideline
from annotation.services.importing import Source, import_pairs
from annotation.services.labelling import Answer, submit_label
from annotation.services.queue import next_assignment, skip
from annotation.services.round_members import add_members
from annotation.services.round_planning import RoundPlan
from annotation.services.rounds import close_round, open_round
from annotation.services.set_options import options_of, set_options
from calibration.management.demo import people
from config.accounts.roles import Role

if TYPE_CHECKING:
    from collections.abc import Iterable

    from annotation.models import GoldVersion
    from calibration.management.demo.fixture import Fixture
    from config.accounts.models import User

SIMULATED_ROUND = "Simulated labels"
OPEN_ROUND = "Fresh pairs"
SEED = 20
# Of the fresh pairs, how many come back to one of their reviewers, swapped.
RETEST_SHARE = 0.25


def load_pairs(fixture: Fixture, lead: User) -> GoldSet:
    """Import the fixture's pairs and its guideline."""
    facts = fixture.gold_set
    plan = SetPlan(
        name=facts["name"],
        title=facts["title"],
        question=facts["question"],
        systems=[system["name"] for system in facts["systems"]],
        aliases={system["name"]: system["aliases"] for system in facts["systems"]},
        labels_per_pair=facts["labels_per_pair"],
        rule=ConsensusRule(facts["consensus_rule"]),
        primary_slice=facts["primary_slice"],
        simulated=True,
    )
    now = timezone.now()
    source = Source(fixture.pairs, "pairs.jsonl")
    import_pairs(plan=plan, source=source, by=lead, now=now)
    gold_set = GoldSet.objects.get(name=plan.name)
    criteria = options_from(facts["criteria"])
    add_guideline(
        gold_set=gold_set, text=facts["guideline"], criteria=criteria, by=lead, now=now
    )
    asking = replace(
        options_of(gold_set),
        strength_wanted=True,
        critical_errors=options_from(facts["critical_errors"]),
    )
    return set_options(gold_set=gold_set, options=asking)


def label_all(fixture: Fixture, gold_set: GoldSet, lead: User) -> Round:
    """Let the simulated reviewers label the labelled cases through the queue."""
    reviewers = people.simulated(fixture.reviewers, Role.REVIEWER)
    round_ = _round(
        gold_set,
        SIMULATED_ROUND,
        _pairs(gold_set, fixture, fresh=False),
        reviewers.values(),
        lead,
    )
    if round_.is_open:
        # Random claims, but the same demo each time.
        rng = random.Random(SEED)  # noqa: S311
        for username, reviewer in reviewers.items():
            _label_as(fixture, round_, username, reviewer, rng)
        close_round(round_=round_, by=lead, now=timezone.now())
    return round_


def _label_as(
    fixture: Fixture, round_: Round, username: str, user: User, rng: random.Random
) -> None:
    """Answer everything the queue gives; skip what the fixture has no label for."""
    while True:
        now = timezone.now()
        found = next_assignment(round_id=round_.pk, reviewer=user, now=now, rng=rng)
        if not isinstance(found, Assignment):
            return
        label = fixture.labels.get((username, found.pair.case.external_id))
        token = str(found.token)
        if label is None:
            skip(token=token, reviewer=user, now=now)
            continue
        answer = Answer(
            choice=choice_for(label.outcome, Order(found.order)),
            strength=label.strength if label.outcome.is_decisive else None,
            note=label.note,
            confidence=label.confidence,
            abstain_reason=label.abstain_reason,
            elapsed_seconds=label.seconds,
            extra={"simulated": True},
        )
        submit_label(token=token, reviewer=user, answer=answer, now=now)


def rule_on_disputes(fixture: Fixture, gold_set: GoldSet) -> None:
    """Give the fixture's rulings, each with its note."""
    adjudicators = people.simulated(fixture.adjudicators, Role.ADJUDICATOR)
    for ruling in fixture.rulings:
        pair = Pair.objects.select_related("gold_set").get(
            gold_set=gold_set, case__external_id=ruling.case_id
        )
        if Adjudication.objects.filter(pair=pair).exists():
            continue
        adjudicate(
            pair=pair,
            opinion=Opinion(ruling.outcome, ruling.category, ruling.note),
            by=adjudicators[ruling.adjudicator],
            now=timezone.now(),
        )


def freeze(gold_set: GoldSet, lead: User) -> GoldVersion:
    """Freeze the gold; the fresh pairs are recorded as open.

    Only once: labels that somebody gave in the demo since then are theirs to freeze.
    """
    first = gold_set.versions.order_by("number").first()
    return first or freeze_gold(
        gold_set=gold_set,
        rule=ConsensusRule(gold_set.consensus_rule),
        by=lead,
        now=timezone.now(),
        leave_open=True,
    )


def open_fresh_round(fixture: Fixture, gold_set: GoldSet, lead: User) -> Round:
    """Open a round with the pairs that nobody has labelled, for the demo logins."""
    labellers = [
        user
        for role, user in people.logins().items()
        if role in (Role.REVIEWER, Role.ADJUDICATOR)
    ]
    pairs = _pairs(gold_set, fixture, fresh=True)
    return _round(gold_set, OPEN_ROUND, pairs, labellers, lead, retests=RETEST_SHARE)


def _round(
    gold_set: GoldSet,
    name: str,
    pairs: list[Pair],
    users: Iterable[User],
    lead: User,
    *,
    retests: float = 0,
) -> Round:
    """Open a round, or take the one of that name."""
    now = timezone.now()
    found = Round.objects.filter(gold_set=gold_set, name=name).first()
    if found is not None:
        if not found.is_open:
            return found  # finished by an earlier run of the demo
        add_members(round_=found, reviewers=users, now=now)
        return found
    passes = gold_set.labels_per_pair
    plan = RoundPlan(name=name, labels_per_pair=passes, retest_share=retests)
    return open_round(
        gold_set=gold_set, plan=plan, pairs=pairs, reviewers=users, by=lead, now=now
    )


def _pairs(gold_set: GoldSet, fixture: Fixture, *, fresh: bool) -> list[Pair]:
    pairs = Pair.objects.filter(gold_set=gold_set).with_texts().in_order()
    return [p for p in pairs if (p.case.external_id in fixture.unlabelled) is fresh]
