"""The texts of a set once more, with every name changed and the two sides exchanged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotation.domain.outcomes import Order, Outcome
from annotation.domain.rulings import RulingCategory
from annotation.models import GoldItem, GoldVersion, Label, Pair
from annotation.services.adjudicating import Opinion, adjudicate
from tests.annotation.factory import START, add_case, make_set
from tests.calibration.sealed import CANARY
from tests.calibration.world import SHA, World, answer, make_config, make_run

if TYPE_CHECKING:
    from collections.abc import Mapping

    from config.accounts.models import User

EXCHANGED = {"baseline": "candidate", "candidate": "baseline"}


def renamed_copy(
    world: World,
    name: str = "copy",
    splits: Mapping[str, str] | None = None,
    ruler: User | None = None,
) -> World:
    """Import a world's pairs again: cases, systems, context and judge are others.

    ``splits`` says which split becomes which; all stay where it is left out. Everything
    that was said of a pair is said of its copy, ``ruler`` rules on the first that was
    ruled on.
    """
    gold_set = make_set(0, systems=("left", "right"), name=name)
    run = make_run(gold_set, make_config(f"judge-{name}"))
    versions = {
        old.pk: GoldVersion.objects.create(
            gold_set=gold_set, number=old.number, rule=old.rule, pairs=0, left_open=0,
            digest=SHA, created_at=START,
        )
        for old in world.gold_set.versions.order_by("number")
    }  # fmt: skip
    copy = World(gold_set, versions[world.gold.pk], run)
    for pair in Pair.objects.with_texts().filter(gold_set=world.gold_set):
        split = pair.case.split if splits is None else splits[pair.case.split]
        made = _pair(copy, pair, split)
        _repeat(world, copy, pair, made, versions, split)
        if ruler and pair.adjudications.exists():
            opinion = Opinion(
                Outcome.BASELINE, RulingCategory.GENUINELY_CLOSE, f"{CANARY}ruling"
            )
            adjudicate(pair=made, opinion=opinion, by=ruler, now=START)
    return copy


def _pair(copy: World, pair: Pair, split: str) -> Pair:
    case = add_case(
        copy.gold_set,
        list(copy.gold_set.systems.order_by("position")),
        f"other name {pair.pk}",
        (pair.candidate.text, pair.baseline.text),
        prompt=pair.case.prompt,
        context="Something that was not there before.",
        split=split,
    )
    made = case.pairs.get()
    assert made.digest != pair.digest
    return made


def _repeat(
    world: World,
    copy: World,
    pair: Pair,
    made: Pair,
    versions: Mapping[int, GoldVersion],
    split: str,
) -> None:
    """What was labelled, judged and frozen of a pair, of its copy."""
    for call in world.run.calls.filter(pair=pair).select_related("reply"):
        reply, other = call.reply, _other(Order(call.order))
        reason, raw = reply.invalid_reason, reply.raw or ""
        answer(copy.run, made, other, reply.choice, reason, raw)
    for item in GoldItem.objects.filter(version__in=versions, pair=pair):
        GoldItem.objects.create(
            version=versions[item.version_id], pair=made, split=split,
            outcome=EXCHANGED.get(item.outcome, item.outcome), source=item.source,
            labels=[EXCHANGED.get(label, label) for label in item.labels],
        )  # fmt: skip
    for label in Label.objects.filter(pair=pair):
        Label.objects.create(
            pair=made, outcome=EXCHANGED.get(label.outcome, label.outcome),
            external_reviewer=label.external_reviewer, note=label.note, revision=1,
            created_at=START,
        )  # fmt: skip


def _other(order: Order) -> Order:
    return next(one for one in Order if one is not order)
