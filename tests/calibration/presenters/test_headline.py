"""The sentences of the first screen: what they claim, and what they do not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from annotation.domain.outcomes import Split
from calibration.domain.jsonable import splits_json
from calibration.domain.samples import Sample
from calibration.presenters.columns import columns_of, unsplit_pairs
from calibration.presenters.headline import Headline, headline_of
from tests.calibration.domain.test_prd import prd
from tests.calibration.factory import SYSTEMS, calibration_of, row

if TYPE_CHECKING:
    from annotation.domain.outcomes import Outcome

BOTH = "both"


def payload(*told: tuple[int, str, str, str], split: str | None = "held_out") -> Any:
    """A payload of (how often, gold, there, back) rows in one split."""
    letters = [rest for times, *rest in told for _ in range(times)]
    rows = [
        row(
            *one,
            pair=f"p{i}",
            case=f"c{i}",
            split=Split(split) if split else None,
            labels=labels_of(one[0]),
        )
        for i, one in enumerate(letters)
    ]
    sample = Sample.build(rows, SYSTEMS)
    return {
        "gold": {"systems": list(SYSTEMS)},
        "splits": splits_json(calibration_of(sample).splits),
    }


def labels_of(gold: str) -> tuple[Outcome, ...]:
    found = row(gold, "T").gold
    return (found, found) if found else ()


def headline(
    *told: tuple[int, str, str, str], split: str | None = "held_out"
) -> Headline:
    found = payload(*told, split=split)
    return headline_of(found, columns_of(found))


def said(found: Headline, about: str) -> str:
    return next(point.text for point in found.points if point.about == about)


class TestVerdict:
    def test_no_gold(self):
        found = headline((30, "U", "C", "C"))
        assert found.verdict.startswith("No pair has gold yet")
        assert found.caution

    def test_gold_that_abstains_throughout_is_gold(self):
        found = headline((30, "A", "C", "C"))
        assert found.verdict == (
            "Every pair has gold, but none can be scored: gold abstains on all 30 "
            "pairs."
        )
        assert found.basis == "None of the held-out split can be scored."
        assert found.caution

    def test_gold_that_abstains_beside_pairs_without_any(self):
        found = headline((29, "A", "C", "C"), (1, "U", "C", "C"))
        assert found.verdict == (
            "No pair can be scored: gold abstains on 29 pairs, and 1 more has no gold "
            "yet."
        )

    @pytest.mark.parametrize("n", [3, 30])
    @pytest.mark.parametrize("gold", ["C", "A", "U"])
    def test_a_judge_without_any_verdict_is_told_so_first(self, n, gold):
        found = headline((n, gold, "I", "I"))
        assert found.verdict == (
            f"The judge gave no usable verdict: {n} of {n} pairs invalid."
        )
        assert found.caution

    @pytest.mark.parametrize(("n", "few"), [(19, True), (20, False)])
    def test_under_20_pairs_are_too_few_however_good(self, n, few):
        found = headline((n - 9, "C", "C", "C"), (9, "B", "B", "B"))
        assert found.verdict.startswith("Too few pairs") is few

    def test_a_judge_no_better_than_a_constant_is_told_so(self):
        found = headline((70, "C", "C", "C"), (30, "B", "C", "C"))
        assert "Not shown to be better than always answering" in found.verdict
        assert "candidate (new)" in found.verdict
        assert found.caution

    def test_a_judge_shown_to_be_worse_than_a_constant_is_told_so(self):
        told = (50, "C", "C", "C"), (10, "B", "B", "B"), (30, "C", "B", "B")
        found = headline(*told)
        assert found.verdict == (
            "Worse than always answering \N{LEFT DOUBLE QUOTATION MARK}candidate (new)"
            "\N{RIGHT DOUBLE QUOTATION MARK}."
        )
        assert found.caution

    def test_an_interval_above_the_constant_is_not_enough(self):
        # judge 20 of 29, its interval 50.8 to 82.7; the constant answer 12 = 41.4 %
        told = (
            *((6, "C", "C", "C"), (6, "C", "B", "B")),
            *((8, "B", "B", "B"), (3, "B", "C", "C"), (6, "T", "T", "T")),
        )
        found = headline(*told)
        assert "Not shown to be better than always answering" in found.verdict
        assert (
            "The judge alone is right on 14 pairs, the constant answer alone on 6 "
            "(p = 0.12, exact McNemar)."
        ) in said(found, "Agreement")

    def test_better_than_a_constant_is_not_called_good(self):
        found = headline((50, "C", "C", "C"), (50, "B", "B", "B"))
        assert found.verdict.startswith("Better than a constant answer. Whether")
        assert not found.caution

    def test_no_pairs_at_all(self):
        found = headline_of({"gold": {}, "splits": {}}, ())
        assert (found.verdict, found.points) == ("Nothing to report yet.", ())


class TestBasis:
    def test_dev_is_said_to_flatter(self):
        found = headline((30, "C", "C", "C"), split="dev")
        assert "may have been tuned on these pairs" in found.basis

    def test_nor_is_no_split_held_out(self):
        found = headline((30, "C", "C", "C"), split=None)
        assert "nothing was held out" in found.basis

    def test_held_out_is_preferred(self):
        assert "held-out split" in headline((30, "C", "C", "C")).basis


class TestFindings:
    def test_agreement_with_its_interval_and_its_width(self):
        text = said(headline((15, "C", "C", "C"), (10, "B", "C", "C")), "Agreement")
        assert text.startswith("It gave the gold outcome in 60.0 % (15 of 25; 95 %")
        assert "Always answering candidate (new) would give 60.0 %." in text
        assert "25 pairs leave much open" in text

    def test_one_pair_leaves_much_open(self):
        text = said(headline((1, "C", "C", "C")), "Agreement")
        assert text.endswith("1 pair leaves much open.")

    def test_a_slot_preference_is_named_when_the_test_shows_it(self):
        # baseline first says B, candidate first says C: the first slot each time
        text = said(headline((10, "C", "B", "C"), (30, "C", "C", "C")), "Slots")
        assert "10 of 10 flips follow the first slot (p = 0.002)" in text
        assert text.endswith("it leans to the first slot.")

    def test_the_other_side(self):
        text = said(headline((10, "C", "C", "B"), (30, "C", "C", "C")), "Slots")
        assert text.endswith("it leans to the second slot.")

    def test_three_flips_show_nothing(self):
        text = said(headline((3, "C", "B", "C"), (30, "C", "C", "C")), "Slots")
        assert text.endswith("(p = 0.25): no slot preference is shown.")

    def test_errors_that_lean(self):
        told = ((20, "B", "C", "C"), (20, "B", "B", "B"), (40, "C", "C", "C"))
        text = said(headline(*told), "Lean of errors")
        assert text.startswith("False wins lean to candidate (new): +50.0 points")

    def test_errors_that_do_not(self):
        told = ((4, "B", "C", "C"), (20, "B", "B", "B"), (24, "C", "C", "C"))
        assert said(headline(*told), "Lean of errors").startswith("No lean")

    def test_without_baseline_gold_the_lean_is_open(self):
        text = said(headline((30, "C", "C", "C")), "Lean of errors")
        assert text.startswith("Gold of both kinds is needed")

    def test_without_gold_ties_nothing_is_said_of_them(self):
        text = said(headline((30, "C", "C", "C")), "Ties")
        assert "it is open" in text

    def test_below_the_reviewers(self):
        told = ((40, "B", "C", "C"), (40, "C", "C", "C"))
        assert said(headline(*told), "Reviewers").endswith("below the reviewers.")

    def test_invalid_is_counted_even_when_none_is(self):
        text = said(headline((30, "C", "C", "C")), "Invalid")
        assert text.startswith("It gave no usable verdict in 0.0 % (0 of 30; 95 %")


class TestWeakest:
    def test_slices_are_large_enough_by_their_scored_pairs(self):
        found = payload((30, "C", "C", "C"))
        agreement = found["splits"]["held_out"]["exact_agreement"]
        part = {"small": False, "exact_agreement": agreement}
        slices = {
            "k": {
                "thin": {**part, "n": 20, "scored": 19},
                "wide": {**part, "n": 20, "scored": 20},
            }
        }
        found["splits"]["held_out"]["slices"] = slices
        points = {p.about for p in headline_of(found, columns_of(found)).points}
        assert "Slices" not in points
        slices["k"]["more"] = {**part, "n": 25, "scored": 20}
        text = said(headline_of(found, columns_of(found)), "Slices")
        assert text.startswith("Lowest of 2 slices with 20 scored pairs or more: k = ")


def test_pairs_in_no_split_are_counted():
    found = payload((5, "C", "C", "C"))
    assert unsplit_pairs(found) == 0
    found["splits"]["all"]["n"] = 8
    assert unsplit_pairs(found) == 3


def test_public_data_in_words():
    found = {
        "gold": {"systems": ["a", "b", "c", "d", "e"]},
        "splits": splits_json(calibration_of(prd("gpt4")).splits),
    }
    headline = headline_of(found, columns_of(found))
    assert headline.verdict.startswith("Worse than always answering")
    assert said(headline, "Agreement").startswith("It gave the gold outcome in 58.3 %")
    assert "113 of 115 flips follow the first slot" in said(headline, "Slots")
    assert said(headline, "Lean of errors").startswith(
        "False wins lean to candidate: +30.6 points"
    )
