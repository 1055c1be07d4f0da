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

    @pytest.mark.parametrize(("n", "few"), [(19, True), (20, False)])
    def test_under_20_pairs_are_too_few_however_good(self, n, few):
        found = headline((n - 9, "C", "C", "C"), (9, "B", "B", "B"))
        assert found.verdict.startswith("Too few pairs") is few

    def test_a_judge_no_better_than_a_constant_is_told_so(self):
        found = headline((70, "C", "C", "C"), (30, "B", "C", "C"))
        assert "Not shown to be better than always answering" in found.verdict
        assert "candidate (new)" in found.verdict
        assert found.caution

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
    assert "Not shown to be better than always answering" in headline.verdict
    assert said(headline, "Agreement").startswith("It gave the gold outcome in 58.3 %")
    assert "113 of 115 flips follow the first slot" in said(headline, "Slots")
    assert said(headline, "Lean of errors").startswith(
        "False wins lean to candidate: +30.6 points"
    )
