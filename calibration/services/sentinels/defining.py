"""Defining a sentinel panel: which pairs, which judge, how often."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction

from annotation.domain.outcomes import Split
from annotation.models import GoldItem, Pair
from annotation.services.gold_sets import gold_set_named
from annotation.services.seals import under_seal
from calibration.domain.sentinels import MOST_PARTS, cut
from calibration.domain.swap_panel import draw_panel
from calibration.models import SentinelPair, SentinelPanel
from calibration.services.reporting import latest_gold
from config.errors import Conflict, InvalidInput, NotFound
from judging.models import ConfigKind
from judging.services.starting import frozen_judge, refuse_concurrency

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

    from annotation.models import GoldVersion
    from config.accounts.models import User
    from judging.models import JudgeConfig

NAME = re.compile(r"[A-Za-z0-9_-]{1,80}")
MOST_HOURS = 24 * 366
MOST_SEED = 2**31 - 1
USUAL_INVALID = Decimal("0.05")


@dataclass(frozen=True, slots=True)
class SentinelPlan:
    """What a panel is made from; ``pairs`` is how many at most, all where None."""

    name: str
    gold_set: str
    judge: str
    pointwise_judge: str = ""
    pairs: int | None = None
    parts: int = 7
    period_hours: int = 24
    seed: int = 1
    least_agreement: Decimal | None = None
    most_invalid: Decimal | None = USUAL_INVALID
    production: str = ""
    concurrency: int = 8


@transaction.atomic
def define_sentinel(
    *, plan: SentinelPlan, by: User | None, now: datetime, actor: str = ""
) -> SentinelPanel:
    """Fix the pairs of a panel and cut them into parts; it can't be changed later.

    Pairs have gold in the newest version and are held out nowhere: a panel is looked
    at all the time, which would spend the looks (DESIGN rule 15).
    """
    _refuse_odd(plan)
    _refuse_judges(plan)
    gold_set = gold_set_named(plan.gold_set)
    version = latest_gold(gold_set.pk)
    chosen = _chosen(version, plan)
    clusters = {pair.digest: pair.case.cluster for pair in chosen}
    try:
        parts = cut(clusters, plan.parts, plan.seed)
    except ValueError as error:
        raise Conflict("sentinel_too_small", f"{plan.name}: {error}.") from error
    panel = _made(plan, version, by, now, actor)
    SentinelPair.objects.bulk_create(
        [
            SentinelPair(
                panel=panel, pair=pair, digest=pair.digest, part=parts[pair.digest]
            )
            for pair in chosen
        ],
        batch_size=1000,
    )
    return panel


@transaction.atomic
def end_sentinel(*, panel: SentinelPanel, by: User, now: datetime) -> SentinelPanel:
    """Run a panel no more; what it measured stays."""
    found = SentinelPanel.objects.select_for_update().get(pk=panel.pk)
    if found.ended_at is not None:
        raise Conflict("sentinel_ended", f"{found.name} has been ended already.")
    found.ended_at, found.ended_by = now, by
    found.save(update_fields=["ended_at", "ended_by"])
    return found


def sentinel_named(name: str) -> SentinelPanel:
    """One panel; raises ``NotFound``."""
    found = SentinelPanel.objects.for_pages().filter(name=name).first()
    if found is None:
        raise NotFound("sentinel_unknown", f"There is no sentinel panel {name!r}.")
    return found


def judges_of(panel: SentinelPanel) -> tuple[str, ...]:
    """The judges that a panel asks, by name."""
    return tuple(filter(None, (panel.judge, panel.pointwise_judge)))


def not_held_out(pairs: QuerySet[Pair]) -> QuerySet[Pair]:
    """Those pairs that are held out nowhere, whatever set holds the same texts."""
    held = Pair.objects.filter(case__split=Split.HELD_OUT.value)
    return pairs.exclude(texts_digest__in=held.values("texts_digest"))


def _refuse_odd(plan: SentinelPlan) -> None:
    if not NAME.fullmatch(plan.name):
        message = "name: letters, digits, - and _ only, 80 at most"
        raise InvalidInput("sentinel_name_invalid", message)
    limits = {
        "parts": (plan.parts, 1, MOST_PARTS),
        "period_hours": (plan.period_hours, 1, MOST_HOURS),
        "seed": (plan.seed, 0, MOST_SEED),
        "pairs": (plan.pairs if plan.pairs is not None else 1, 1, MOST_SEED),
    }
    for name, (value, low, high) in limits.items():
        if not low <= value <= high:
            message = f"{name}: must be {low} to {high}"
            raise InvalidInput("sentinel_invalid", message)
    least = plan.least_agreement
    if least is not None and not _is_share(least):
        message = "least_agreement: a share above 0, at most 1, of three places"
        raise InvalidInput("sentinel_invalid", message)
    most = plan.most_invalid
    if most is not None and not (most == 0 or (_is_share(most) and most < 1)):
        message = "most_invalid: a share from 0 to below 1, of three places"
        raise InvalidInput("sentinel_invalid", message)
    refuse_concurrency(plan.concurrency)


def _is_share(value: Decimal) -> bool:
    return value.is_finite() and 0 < value <= 1 and value == round(value, 3)


def _refuse_judges(plan: SentinelPlan) -> None:
    judge = _judge(plan.judge)
    if judge.kind == ConfigKind.POINTWISE:
        message = f"{judge} marks single responses: name it as the pointwise judge."
        raise Conflict("judge_pointwise", message)
    if plan.pointwise_judge:
        other = _judge(plan.pointwise_judge)
        if other.kind != ConfigKind.POINTWISE:
            message = f"{other} judges pairs; it gives no marks."
            raise Conflict("judge_not_pointwise", message)


def _judge(name: str) -> JudgeConfig:
    found = frozen_judge(name)
    if found.recorded:
        message = "A recorded judge can't be asked, so it can't be watched."
        raise Conflict("judge_recorded", message)
    return found


def _chosen(version: GoldVersion, plan: SentinelPlan) -> list[Pair]:
    """All pairs that may be watched, or a seeded draw of them, stratified by gold."""
    items = GoldItem.objects.filter(version=version).exclude(outcome="")
    items = items.exclude(split=Split.HELD_OUT.value)
    gold = dict(items.values_list("pair", "outcome"))
    pairs = not_held_out(Pair.objects.filter(pk__in=gold))
    sealed = set(under_seal(pairs).values_list("pk", flat=True))
    found = [
        pair
        for pair in pairs.select_related("case").order_by("pk")
        if pair.pk not in sealed
    ]
    if not found:
        message = (
            f"{version.gold_set.name} has no pair that could be watched: a panel takes "
            "pairs with gold that are not held out."
        )
        raise Conflict("sentinel_empty", message)
    if plan.pairs is None or plan.pairs >= len(found):
        return found
    strata = {pair.pk: gold[pair.pk] for pair in found}
    share = plan.pairs / len(found)
    drawn = set(draw_panel(strata, share=share, seed=str(plan.seed)))
    return [pair for pair in found if pair.pk in drawn]


def _made(
    plan: SentinelPlan,
    version: GoldVersion,
    by: User | None,
    now: datetime,
    actor: str,
) -> SentinelPanel:
    production = gold_set_named(plan.production) if plan.production else None
    try:
        with transaction.atomic():
            return SentinelPanel.objects.create(
                name=plan.name,
                gold_version=version,
                judge=plan.judge,
                pointwise_judge=plan.pointwise_judge,
                parts=plan.parts,
                seed=plan.seed,
                period_hours=plan.period_hours,
                concurrency=plan.concurrency,
                least_agreement=plan.least_agreement,
                most_invalid=plan.most_invalid,
                production=production,
                created_at=now,
                created_by=by,
                actor=actor,
            )
    except IntegrityError as error:
        message = f"There is a sentinel panel {plan.name!r} already."
        raise Conflict("sentinel_exists", message) from error
