"""A gold set with frozen gold and a finished run, written as letters."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from annotation.domain.digests import digest_of
from annotation.domain.outcomes import Order, Outcome, choice_for
from annotation.models import GoldItem, GoldSet, GoldVersion, Pair
from calibration.services.reporting import make_report
from judging.models import Call, CallState, JudgeConfig, Provider, Reply, Run, RunStatus
from judging.services.simulations import note_frozen
from tests.annotation.factory import START, add_case, make_set
from tests.calibration.factory import GOLD

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from calibration.models import Report

SHA = "0" * 64


@dataclass(frozen=True)
class Told:
    """One pair: its split, gold, and what each order said (B, C, T, A, I)."""

    split: str
    gold: str
    there: str
    back: str
    slices: Mapping[str, str] = field(default_factory=dict)
    labels: str = ""
    critical: bool = False
    raw: str = ""
    texts: tuple[str, ...] = ()


TOLD = (
    Told("dev", "B", "B", "B", {"language": "en"}, "BBB"),
    Told("dev", "C", "C", "C", {"language": "de"}, "CCT"),
    Told("dev", "C", "B", "C", {"language": "de"}, "CCC"),
    Told("held_out", "B", "B", "B", {"language": "en"}, "BBC"),
    Told("held_out", "B", "C", "C", {"language": "en"}, "BBB"),
    Told("held_out", "C", "I", "C", {"language": "de"}, "CC"),
    Told("held_out", "U", "T", "T", {"language": "de"}, "BC"),
)
DEV_ONLY = tuple(told for told in TOLD if told.split == "dev")


@dataclass
class World:
    """What a test starts from."""

    gold_set: GoldSet
    gold: GoldVersion
    run: Run

    def report(self) -> Report:
        return make_report(run=self.run, gold=self.gold, by=None, now=START)

    def run_again(self, name: str = "") -> World:
        """The same judge, or another one, once more over the same pairs."""
        told = [(call.pair, call.order, call.reply) for call in _calls(self.run)]
        config = make_config(name) if name else self.run.config
        run = make_run(self.gold_set, config)
        for pair, order, reply in told:
            answer(run, pair, Order(order), reply.choice, reply.invalid_reason)
        return World(self.gold_set, self.gold, run)


def make_world(told: Iterable[Told] = TOLD, **fields: Any) -> World:
    systems: Sequence[str] = fields.pop("systems", ("v12", "v13"))
    gold_set = make_set(0, systems=systems, **fields)
    run = make_run(gold_set, make_config(f"judge-{gold_set.name}"))
    gold = _freeze(gold_set)
    for index, one in enumerate(told):
        _tell(gold, run, one, index)
    return World(gold_set, gold, run)


def make_config(name: str) -> JudgeConfig:
    provider, _ = Provider.objects.get_or_create(alias="simulator", simulated=True)
    spec = {"rubric_version": name}  # what tells one from another
    judge = JudgeConfig.objects.create(
        name=name,
        version=1,
        provider=provider,
        verdict_format="five_token",
        combining_rule="agree_else_tie",
        repeat_rule="mean",
        created_at=START,
        frozen_at=START,
        spec=spec,
        digest=digest_of(spec),
    )
    note_frozen(judge, START)
    return judge


def make_run(gold_set: GoldSet, config: JudgeConfig) -> Run:
    return Run.objects.create(
        config=config,
        gold_set=gold_set,
        status=RunStatus.DONE,
        created_at=START,
        started_at=START,
        finished_at=START + timedelta(minutes=5),
    )


def answer(
    run: Run, pair: Pair, order: Order, choice: str, reason: str = "", raw: str = ""
) -> None:
    call = Call.objects.create(
        run=run, pair=pair, order=order.value, repeat=1, state=CallState.DONE
    )
    Reply.objects.create(
        call=call,
        choice=choice,
        invalid_reason=reason,
        raw=raw,
        served_model="sim-1",
        baseline_sha256=SHA,
        candidate_sha256=SHA,
        answered_at=START,
    )


def _freeze(gold_set: GoldSet) -> GoldVersion:
    return GoldVersion.objects.create(
        gold_set=gold_set,
        number=1,
        rule=gold_set.consensus_rule,
        digest=SHA,
        pairs=0,
        left_open=0,
        created_at=START,
    )


def _tell(gold: GoldVersion, run: Run, told: Told, index: int) -> None:
    case = add_case(
        gold.gold_set,
        list(gold.gold_set.systems.all()),
        f"case-{index:04d}",
        told.texts,
        slices=dict(told.slices),
        split=told.split,
        critical=told.critical,
    )
    pair, outcome = case.pairs.get(), GOLD[told.gold]
    GoldItem.objects.create(
        version=gold,
        pair=pair,
        split=told.split,
        outcome=outcome.value if outcome else "",
        source="consensus" if outcome else "none",
        labels=[GOLD[letter].value for letter in told.labels],  # type: ignore[union-attr]  # labels are never U
    )
    for order, letter in zip(Order, (told.there, told.back), strict=True):
        say(run, pair, order, letter, told.raw)


def say(run: Run, pair: Pair, order: Order, letter: str, raw: str) -> None:
    if letter == "I":
        answer(run, pair, order, "", "unparsed", raw)
        return
    outcome = GOLD[letter]
    assert isinstance(outcome, Outcome)
    answer(run, pair, order, choice_for(outcome, order).value, raw=raw)


def _calls(run: Run) -> Any:
    return run.calls.select_related("pair", "reply").order_by("pk")
