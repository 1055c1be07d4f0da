"""Sending the pairs that a judge abstained on to people, as the policy says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import transaction

from annotation.models import Pair
from annotation.services.rounds import open_round
from calibration.domain.human_conditions import wanted_from_people
from calibration.models import ReviewRound
from calibration.services.policies import rule_of
from calibration.services.policy_times import refuse_policy
from calibration.services.release_evidence import pair_rows
from config.errors import Conflict

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from annotation.services.round_planning import RoundPlan
    from calibration.models import Policy
    from config.accounts.models import User
    from judging.models import Run


def waiting_pairs(run: Run, policy: Policy) -> list[dict[str, Any]]:
    """Abstained pairs that the policy sends to people and that have no gold yet."""
    rule = rule_of(policy)
    if rule.abstain_path is None:
        return []
    wanted = wanted_from_people(rule, pair_rows(run), policy.digest)
    return [dict(pair) for pair in wanted if pair["human"] is None]


@transaction.atomic
def open_review(
    *,
    run: Run,
    policy: Policy,
    plan: RoundPlan,
    reviewers: Iterable[User],
    by: User | None,
    now: datetime,
) -> ReviewRound:
    """Open a round of those pairs; reviewers see neither the run nor why.

    Once the round is closed and gold is frozen again, a new decision counts what they
    said. Pairs that are in an open review round already are not asked for twice.
    """
    if policy.frozen_at is None:
        raise Conflict("policy_unfrozen", f"{policy} is a draft; it sends nothing.")
    # Its digest draws the sample: whoever may freeze one now could choose the pairs.
    refuse_policy(policy, run)
    asked = ReviewRound.objects.filter(run=run, round__closed_at__isnull=True)
    under_way = set(asked.values_list("round__seats__pair", flat=True))
    ids = [int(pair["pair"]) for pair in waiting_pairs(run, policy)]
    wanted = [pk for pk in ids if pk not in under_way]
    if not wanted:
        raise Conflict(
            "nothing_to_review",
            f"{policy} sends no pair of run {run.pk} to people that is not settled "
            "or under way.",
        )
    pairs = list(Pair.objects.filter(pk__in=wanted).with_texts().in_order())
    round_ = open_round(
        gold_set=run.gold_set, plan=plan, pairs=pairs, reviewers=reviewers, by=by,
        now=now,
    )  # fmt: skip
    return ReviewRound.objects.create(
        run=run, policy=policy, round=round_, pairs=len(pairs), opened_at=now,
        opened_by=by,
    )  # fmt: skip
