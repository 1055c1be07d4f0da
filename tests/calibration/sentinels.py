"""A sentinel panel over a small gold set, and checks answered in letters."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from annotation.domain.outcomes import Order, choice_for
from calibration.services.sentinels.checking import start_checks
from calibration.services.sentinels.defining import SentinelPlan, define_sentinel
from calibration.services.sentinels.tending import Tended, settle_sentinels
from judging.models import CallState, Reply, RunStatus
from tests.annotation.factory import START, make_set
from tests.calibration.factory import GOLD
from tests.calibration.world import SHA
from tests.judging.factory import ADDRESS, freeze_gold, make_judge

if TYPE_CHECKING:
    from collections.abc import Mapping

    from annotation.models import GoldSet
    from calibration.models import SentinelCheck, SentinelPanel
    from config.accounts.models import User

DAY = timedelta(days=1)


@dataclass
class Watched:
    """A panel whose gold is baseline throughout."""

    panel: SentinelPanel
    now: datetime = START
    letters: dict[int, str] = field(default_factory=dict)

    @property
    def gold_set(self) -> GoldSet:
        return self.panel.gold_version.gold_set

    def start(self, days: float = 1, by: User | None = None) -> list[SentinelCheck]:
        """Let time pass and start what is due."""
        self.now += days * DAY
        return list(start_checks(panel=self.panel, by=by, now=self.now))

    def settle(self) -> Tended:
        """Record what is done."""
        return settle_sentinels(now=self.now)

    def check(self, letters: str | Mapping[int, str] = "B", **said: Any) -> Tended:
        """Start a check, answer it and record it. Letters: for all, or by pair."""
        days = said.pop("days", 1)
        for one in self.start(days):
            finish(one, letters, **said)
        return self.settle()

    def cycle(self, letters: str | Mapping[int, str] = "B") -> list[Tended]:
        """A reference and every part."""
        return [self.check(letters) for _ in range(self.panel.parts + 1)]


def make_watched(cases: int = 8, *, parts: int = 2, **plan: Any) -> Watched:
    gold_set = plan.pop("gold_set", None) or make_set(cases)
    freeze_gold(gold_set)
    judge = make_judge(ADDRESS, name=plan.get("judge", "judge"))
    plan.setdefault("name", "daily")
    made = define_sentinel(
        plan=SentinelPlan(
            gold_set=gold_set.name, judge=judge.name, parts=parts, **_rest(plan)
        ),
        by=None,
        now=START,
        actor="tester",
    )
    return Watched(made)


def _rest(plan: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in plan.items() if key != "judge"}


def finish(
    check: SentinelCheck,
    letters: str | Mapping[int, str] = "B",
    *,
    model: str = "sim-1",
    fingerprint: str = "",
) -> None:
    """Answer every call of a check, both orders alike."""
    for call in check.run.calls.select_related("pair"):
        assert call.pair_id is not None
        said = letters if isinstance(letters, str) else letters.get(call.pair_id, "B")
        outcome = GOLD.get(said)
        Reply.objects.create(
            call=call,
            choice=choice_for(outcome, Order(call.order)).value if outcome else "",
            invalid_reason="" if outcome else "unparsed",
            served_model=model,
            fingerprint=fingerprint,
            baseline_sha256=SHA,
            candidate_sha256=SHA,
            answered_at=START,
        )
    done(check)


def done(check: SentinelCheck) -> None:
    check.run.calls.update(state=CallState.DONE)
    check.run.status = RunStatus.DONE
    check.run.save(update_fields=["status"])
