from __future__ import annotations

import json
from dataclasses import replace

import pytest

from annotation.domain.estimates import Estimate, Undefined
from calibration.domain import confusion as tables
from calibration.domain.rates import Rates
from calibration.domain.samples import Sample
from tests.calibration.factory import rows, sample
from tests.shared import shared_data

GOLD = "BBBBBBBBBBCCCCCCCCTTTTTTAAAUU"
JUDGE = "BBBBBBCTAICCCCCBTTTTTTCBATCCB"


@pytest.fixture
def mixed() -> Sample:
    return sample(list(zip(GOLD, JUDGE, strict=True)))


@pytest.fixture
def rates(mixed: Sample) -> Rates:
    return Rates.of(mixed, 0.95)


def test_table_matches_the_check_value(mixed):
    text = shared_data("golden.json").read_text("utf-8")
    entries = {e["id"]: e for e in json.loads(text)["entries"]}
    entry = entries["confusion/29"]
    assert entry["inputs"] == {"gold": GOLD, "judge": JUDGE}
    assert tables.table(mixed)[:4].tolist() == entry["expected"]
    accuracy = tables.balanced_accuracy(mixed, Rates.of(mixed, 0.95))
    expected = entries["balanced_accuracy/29"]["expected"]
    assert accuracy.value == pytest.approx(expected, abs=1e-12)


def test_confusion_keeps_abstain_and_invalid_apart(mixed):
    found = tables.confusion(mixed)
    assert (found.baseline.abstain, found.baseline.invalid) == (1, 1)
    assert found.baseline.decided == 8
    assert found.baseline.total == 10
    assert found.abstain.abstain == 1
    assert found.abstain.total == 3


def test_agreement_counts_what_is_not_answered_as_wrong(mixed, rates):
    exact = tables.exact_agreement(mixed, rates)
    assert (exact.numerator, exact.denominator) == (15, 24)
    cover = tables.coverage(mixed, rates)
    assert (cover.numerator, cover.denominator) == (22, 24)
    answered = tables.answered_agreement(mixed, rates)
    assert (answered.numerator, answered.denominator) == (15, 22)


def test_stated_agreement_drops_ties_that_come_from_disagreement():
    given = sample(["TTT", "TBC", "TBT", "BBB", "CCB"])
    rates = Rates.of(given, 0.95)
    assert tables.exact_agreement(given, rates).numerator == 4
    assert tables.stated_agreement(given, rates).numerator == 2
    assert tables.stated_agreement(given, rates).denominator == 5


def test_precision_leaves_out_pairs_that_gold_does_not_score(mixed, rates):
    candidate = tables.per_class(mixed, rates).candidate
    assert candidate.support == 8
    assert (candidate.recall.numerator, candidate.recall.denominator) == (5, 8)
    # C was said of 1 B, 5 C, 1 T; also of one A and one U, which do not count.
    assert (candidate.precision.numerator, candidate.precision.denominator) == (5, 7)
    assert candidate.f1.value == pytest.approx(2 * 5 / (8 + 7))
    assert candidate.f1.low < candidate.f1.value < candidate.f1.high


def test_gold_abstain_is_a_line_of_its_own(mixed, rates):
    line = tables.gold_abstain(mixed, rates)
    assert line.n == 3
    shares = (line.abstained, line.decided, line.invalid)
    assert [share.numerator for share in shares] == [1, 2, 0]
    assert {share.denominator for share in shares} == {3}


def test_balanced_accuracy_is_over_the_classes_present():
    given = sample(["BB", "BC", "CC"])
    figure = tables.balanced_accuracy(given, Rates.of(given, 0.95))
    assert figure.value == pytest.approx(0.75)
    assert "2 classes" in figure.method
    assert 0 <= figure.low < figure.value < figure.high <= 1


def test_a_perfect_judge_still_has_an_interval():
    given = sample(["BB", "CC", "TT"])
    rates = Rates.of(given, 0.95)
    for figure in (
        tables.balanced_accuracy(given, rates),
        tables.exact_agreement(given, rates),
        tables.per_class(given, rates).tie.f1,
    ):
        assert isinstance(figure, Estimate)
        assert figure.value == pytest.approx(1)
        assert figure.low < 0.9


@pytest.mark.parametrize("letters", [[], ["UB"], ["AB", "AA"]])
def test_nothing_scored_is_undefined_and_never_zero(letters):
    given = sample(letters)
    rates = Rates.of(given, 0.95)
    for figure in (
        tables.exact_agreement(given, rates),
        tables.stated_agreement(given, rates),
        tables.coverage(given, rates),
        tables.balanced_accuracy(given, rates),
        tables.per_class(given, rates).baseline.f1,
    ):
        assert isinstance(figure, Undefined)
        assert figure.reason == "0 cases"
        assert figure.denominator == 0


def test_class_absent_from_gold_is_undefined():
    given = sample(["BB", "BC"])
    classes = tables.per_class(given, Rates.of(given, 0.95))
    assert isinstance(classes.candidate.recall, Undefined)
    assert classes.candidate.precision.value == 0
    assert isinstance(classes.tie.precision, Undefined)
    assert classes.tie.support == 0


def test_clustered_pairs_widen_the_interval():
    letters = ["BB"] * 10 + ["BC"] * 10
    alone = Sample.build(rows(letters), ("old", "new"))
    paired = [
        row for i, row in enumerate(rows(letters)) for row in [_in_cluster(row, i // 5)]
    ]
    together = Sample.build(paired, ("old", "new"))
    one = tables.exact_agreement(alone, Rates.of(alone, 0.95))
    other = tables.exact_agreement(together, Rates.of(together, 0.95))
    assert one.value == other.value
    assert (one.method, other.method) == ("wilson", "wilson, clustered")
    assert other.high - other.low > 1.3 * (one.high - one.low)


def _in_cluster(row, number):
    return replace(row, cluster=f"g{number}")
