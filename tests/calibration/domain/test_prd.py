"""Public answers, human votes and stored judge choices, to the last count."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from numpy.random import default_rng

from annotation.domain.outcomes import Order, Outcome, SlotChoice
from calibration.domain.coherence import coherence
from calibration.domain.columns import TIE
from calibration.domain.rates import Rates
from calibration.domain.samples import CallOutcome, Row, Sample
from judging.domain.terms import CombiningRule, JudgeOutcome, RepeatRule
from judging.domain.verdicts import CallReading, Verdict, call_outcome, combine
from tests.calibration.factory import block_of
from tests.shared import shared_data

if TYPE_CHECKING:
    from calibration.domain.results import Block

SYSTEMS = ("bard", "gpt35", "vicuna-13b", "claude", "gpt4")
JUDGES = ["gpt4", "gpt35"]


def lines(name: str) -> list[dict[str, Any]]:
    text = shared_data(f"prd/{name}.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def mode_or_tie(votes: list[Outcome]) -> Outcome:
    (first, most), *rest = Counter(votes).most_common()
    return Outcome.TIE if rest and rest[0][1] == most else first


def row(key: tuple[str, ...], votes: list[Outcome], calls: list[CallReading]) -> Row:
    said = combine(
        calls,
        rule=CombiningRule.AGREE_ELSE_TIE,
        repeat_rule=RepeatRule.MEAN,
        repeats=1,
    )
    case, *systems = key
    return Row(
        pair="/".join(key),
        case=case,
        cluster=case,
        systems=(systems[0], systems[1]),
        split=None,
        slices={},
        critical=False,
        gold=mode_or_tie(votes),
        gold_source="mode_or_tie",
        baseline_first=said.baseline_first,
        candidate_first=said.candidate_first,
        verdict=said.outcome,
        consistency=said.consistency,
        tie_source=said.tie_source,
        calls=tuple(
            CallOutcome(c.order, c.repeat, call_outcome(c), c.reading.choice)
            for c in calls
            if isinstance(c.reading, Verdict)
        ),
        labels=tuple(votes),
    )


@cache
def prd(judge: str) -> Sample:
    votes, calls = defaultdict(list), defaultdict(list)
    for line in lines("labels"):
        votes[line["case_id"], *line["systems"]].append(Outcome(line["outcome"]))
    for line in lines(f"verdicts-{judge}"):
        reading = Verdict(SlotChoice(line["choice"]))
        made = CallReading(Order(line["order"]), line["repeat"], reading)
        calls[line["case_id"], *line["systems"]].append(made)
    return Sample.build((row(k, v, calls[k]) for k, v in votes.items()), SYSTEMS)


@cache
def report(judge: str) -> Block:
    return block_of(prd(judge))


@pytest.fixture(params=JUDGES)
def judge(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def expected(judge: str) -> dict[str, Any]:
    text = shared_data("prd/expected.json").read_text("utf-8")
    found: dict[str, Any] = json.loads(text)[judge]
    return found


@pytest.fixture
def found(judge: str) -> Block:
    return report(judge)


def test_agreement(found, expected):
    assert (found.n, found.scored, found.no_gold) == (800, 800, 0)
    assert found.exact_agreement.value == expected["acc_both_agree_else_tie"]
    assert found.coverage.value == 1
    kappa = expected["kappa_both_agree_else_tie"]
    assert found.kappa.value == pytest.approx(kappa, abs=1e-12)
    stated = expected.get("agreement_with_stated_ties_only")
    assert stated in (None, found.stated_agreement.value)


def test_confusion(found, expected):
    for gold, row_expected in expected["confusion_both"].items():
        got = getattr(found.confusion, gold)
        assert {k: getattr(got, k) for k in row_expected} == row_expected
        assert got.abstain == 0
        assert getattr(found.per_class, gold).support == expected["gold_counts"][gold]


def test_errors(found, expected):
    for figure, name in [
        (found.false_candidate_wins, "false_candidate_wins_on_baseline_gold"),
        (found.false_baseline_wins, "false_baseline_wins_on_candidate_gold"),
        (found.missed_ties, "tie_gold_called_decisive"),
        (found.invented_ties, "decisive_gold_called_tie"),
    ]:
        assert figure.numerator == expected[name]["k"]
        assert figure.denominator == expected[name]["n"]
        assert figure.design_effect >= 1
        assert figure.method in ("wilson", "wilson, clustered")


def test_unclustered_limits(judge, expected):
    """Each pair as its own cluster gives the plain Wilson limits of the file."""
    sample = prd(judge)
    alone = Rates(sample.columns.cluster * 0 + range(len(sample)), 0.95)
    gold, verdict = sample.columns.gold, sample.columns.verdict
    for code, said, name in [
        (0, 1, "false_candidate_wins_on_baseline_gold"),
        (1, 0, "false_baseline_wins_on_candidate_gold"),
    ]:
        figure = alone.share(verdict == said, gold == code)
        assert figure.value == expected[name]["rate"]
        limits = expected[name]["wilson95"]
        assert (figure.low, figure.high) == pytest.approx(limits, abs=1e-12)
        assert figure.method == "wilson"


def test_position(found, expected):
    place = found.position
    assert place.consistent == expected["consistent"]
    assert place.flip == expected["strict_flips"]
    assert place.tie_transition == expected["decisive_to_tie_transitions"]
    assert place.invalid == expected["invalid_pairs"] == found.invalid_rate.numerator
    assert place.first_slot_flips == expected["flips_first_first"]
    assert place.second_slot_flips == expected["flips_second_second"]
    test = expected["position_sign_test"]
    assert place.slot_test.n == test["n"]
    assert place.slot_test.p_value == pytest.approx(test["p_two_sided"], rel=1e-9)
    assert place.first_slot_flip_share.numerator == test["k_first"]
    by_order = place.order_accuracy
    assert by_order.baseline_first.value == expected["acc_order1"]
    assert by_order.candidate_first.value == expected["acc_order2"]
    assert place.slot_balance.unequal_pairs == 0
    assert place.flip_rate.denominator == place.usable == 800


def test_ties(found, expected):
    ties = found.ties
    assert ties.stated + ties.transition + ties.flip == found.preference.judge.ties
    if "tie_verdicts" in expected:
        assert expected["tie_verdicts"] == {
            "stated": ties.stated,
            "transition": ties.transition,
            "flip": ties.flip,
        }


def test_preference(found, expected):
    judged = found.preference.judge
    test = expected["win_loss_sign_test_both"]
    assert judged.candidate_wins == test["candidate_wins"]
    assert judged.baseline_wins == test["baseline_wins"]
    assert judged.sign_test.p_value == pytest.approx(test["p_two_sided"], rel=1e-9)
    gold = found.preference.gold
    assert gold.candidate_wins == expected["gold_counts"]["candidate"]
    assert gold.missing == gold.invalid == 0


def test_coherence(judge, found, expected):
    whole = found.coherence
    assert (whole.cases, whole.incomplete) == (80, 0)
    assert whole.ipi.value == pytest.approx(expected["ipi_mean_over_cases"], abs=1e-12)
    assert whole.tov.value == expected["tov_mean_over_cases"]
    assert whole.excess.value == pytest.approx(whole.tov.value - 10 * whole.ipi.value)
    first = []
    for number in range(1, 6):
        case = f"vicuna-{number:03}"
        part = [r for r in prd(judge).rows if r.case == case]
        one = Sample.build(part, SYSTEMS)
        first.append(coherence(one, Rates.of(one, 0.95), default_rng(3)).tov.value)
    assert first == expected["tov_first_five_cases"]


def test_reviewers(found):
    assert found.human.pairs == 480
    assert found.human.labels == 1440
    assert 0 < found.human.alpha.low < found.human.alpha.value < found.human.alpha.high
    assert found.human.unanimous.value < found.human.pairwise_agreement.value


def test_clusters_are_found(judge, found):
    sample = prd(judge)
    assert len(set(sample.columns.cluster)) == 80
    assert found.exact_agreement.method == "wilson, clustered"
    assert found.exact_agreement.design_effect > 1
    ties = (sample.columns.verdict == TIE).sum()
    assert ties == sum(r.verdict is JudgeOutcome.TIE for r in sample.rows)
