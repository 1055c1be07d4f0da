"""A sentinel on top of a site: checks of pairs, of marks, beside them, and alarms."""

from __future__ import annotations

import json
from datetime import timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.utils import timezone

from annotation.domain.consensus import ConsensusRule
from annotation.domain.outcomes import Outcome
from annotation.domain.rulings import RulingCategory
from annotation.models import Pair
from annotation.services.adjudicating import Opinion, adjudicate
from annotation.services.freezing import freeze_gold
from annotation.services.gold_sets import SetPlan, gold_set_named
from annotation.services.importing import import_pairs
from annotation.services.importing_labels import import_labels
from annotation.services.intake import Source
from calibration.models import SentinelAlarm
from calibration.services.sentinels.acknowledging import acknowledge_alarm
from calibration.services.sentinels.checking import start_checks
from calibration.services.sentinels.defining import SentinelPlan, define_sentinel
from calibration.services.sentinels.tending import settle_sentinels
from tests.calibration.audits.world import BEGAN, Replier, Site, case
from tests.judging.talkers import work

if TYPE_CHECKING:
    from annotation.models import GoldSet
    from calibration.models import SentinelPanel
    from judging.domain.ports import JudgeRequest

KNOWN, LIVE = "known", "live"
OUTCOMES = ("baseline", "candidate", "tie")


class Later(Replier):
    """Answers as another build of the model, and in other words, by its seed."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.seed = seed

    def body(self, request: JudgeRequest) -> dict[str, Any]:
        body = super().body(request)
        body["system_fingerprint"] = f"fp-{self.seed}"
        if "MARK" not in request.messages[-1].content:
            draw = int(request.request_hash[6:12], 16) + self.seed
            text = ("[[A>B]]", "[[B>A]]", "[[A=B]]")[draw % 3]
            body["choices"] = [{"message": {"content": text}, "finish_reason": "stop"}]
        return body


def watch(site: Site, *, checks: int = 4, parts: int = 2) -> SentinelPanel:
    """A reference, every part, and the next reference; then a panel that stood still.

    The second check answers as another build, which raises an alarm that somebody
    notes; the first has cases beside it that were ruled on meanwhile.
    """
    _known(site)
    _live(site)
    panel = define_sentinel(
        plan=SentinelPlan(
            name="daily",
            gold_set=KNOWN,
            judge=site.runs["pair"].config.name,
            pointwise_judge=site.runs["marks"].config.name,
            parts=parts,
            least_agreement=Decimal("0.010"),
            most_invalid=Decimal("0.990"),
            production=LIVE,
        ),
        by=site.people["lea"],
        now=timezone.now(),
    )
    _rule(site)
    for seed in range(checks):
        check(panel, seed)
    alarm = SentinelAlarm.objects.filter(panel=panel).earliest("pk")
    acknowledge_alarm(
        alarm=alarm, note="It was announced.", by=site.people["lea"],
        now=timezone.now(),
    )  # fmt: skip
    _stood_still(site)
    return panel


def check(panel: SentinelPanel, seed: int) -> None:
    """Start what comes next, answer it by the seed, and record it."""
    started = start_checks(panel=panel, by=None, now=timezone.now(), early=True)
    for one in started:
        work(one.run, Later(seed))
    settle_sentinels(now=timezone.now())


def _stood_still(site: Site) -> None:
    plan = SentinelPlan(
        name="still",
        gold_set=KNOWN,
        judge=site.runs["pair"].config.name,
        parts=1,
    )
    long_ago = timezone.now() - timedelta(days=3)
    define_sentinel(plan=plan, by=None, now=long_ago, actor="tester")
    settle_sentinels(now=timezone.now())


def _known(site: Site) -> None:
    """A set whose gold no secret order of labels decides."""
    gold_set = _set(site, KNOWN, range(202, 208), split="dev")
    said = [
        {"case_id": f"case-{n}", "reviewer": "outsider", "outcome": OUTCOMES[n % 3]}
        for n in range(202, 208)
    ]
    source = Source("\n".join(map(json.dumps, said)).encode(), "labels.jsonl")
    import_labels(gold_set=gold_set, source=source, now=BEGAN.replace(month=5))
    freeze_gold(
        gold_set=gold_set, rule=ConsensusRule(gold_set.consensus_rule),
        by=site.people["lea"], now=BEGAN.replace(month=6),
    )  # fmt: skip


def _live(site: Site) -> None:
    _set(site, LIVE, range(302, 304))


def _set(site: Site, name: str, numbers: range, **said: Any) -> GoldSet:
    lines = "\n".join(json.dumps(case(number) | said) for number in numbers)
    import_pairs(
        plan=SetPlan(name=name, systems=("old", "new"), labels_per_pair=1),
        source=Source(lines.encode(), "pairs.jsonl"),
        by=site.people["lea"],
        now=BEGAN,
    )
    return gold_set_named(name)


def _rule(site: Site) -> None:
    live = Pair.objects.filter(gold_set=gold_set_named(LIVE))
    for pair in live.exclude(case__split="held_out").order_by("pk"):
        opinion = Opinion(
            Outcome.CANDIDATE, RulingCategory.GENUINELY_CLOSE, "It is better."
        )
        adjudicate(
            pair=pair, opinion=opinion, by=site.people["ada"], now=timezone.now()
        )
