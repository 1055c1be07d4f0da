"""The pictures beside the tables say what the figures say."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from annotation.domain.outcomes import Outcome, Split
from calibration.domain.blocks import calibrate
from calibration.domain.jsonable import jsonable, splits_json
from calibration.domain.samples import Sample
from calibration.presenters.charts import (
    ceiling,
    gap_chart,
    slice_forests,
    slot_flips,
    with_charts,
)
from calibration.presenters.columns import columns_of
from calibration.presenters.forest import Scale
from calibration.presenters.sections import gap_section, sections_of
from tests.calibration.factory import SYSTEMS, rows


@pytest.fixture(scope="module")
def payload():
    """Dev right in 30 of 30, held-out in 15 of 30: 9 first-slot flips and 1 other."""
    told = [("C", "C", "C")] * 30 + [("C", "B", "C")] * 9 + [("C", "C", "B")]
    told += [("C", "B", "B")] * 5 + [("C", "C", "C")] * 15
    made = [
        replace(
            row,
            split=Split.DEV if i < 30 else Split.HELD_OUT,
            slices={"language": "en" if i % 2 else "de"} if i < 59 else {"risk": "x"},
        )
        for i, row in enumerate(rows(told))
    ]
    found = calibrate(Sample.build(made, SYSTEMS), np.random.default_rng(1))
    whole = {
        "splits": splits_json(found.splits),
        "comparison": jsonable(found.comparison),
    }
    return json.loads(json.dumps(whole))


def at(mark):
    return tuple(float(text.rstrip("%")) for text in (mark.low, mark.at, mark.high))


class TestSlices:
    def test_every_slice_of_either_split_has_its_row(self, payload):
        for forest in slice_forests(columns_of(payload)):
            assert [row.label for row in forest.rows] == [
                "All pairs",
                "critical pairs",
                "language = de",
                "language = en",
                "risk = x",
            ]

    def test_a_slice_that_a_split_lacks_has_a_dash_and_no_mark(self, payload):
        row = slice_forests(columns_of(payload))[0].rows[-1]
        assert row.value == "\N{EN DASH} / 100.0 %"
        assert row.text.startswith("held-out 100.0 % (1 of 1;")
        assert [mark.series for mark in row.marks] == [1]
        assert row.small

    def test_what_is_few_goes_by_the_cases_of_each_split(self, payload):
        dev, held_out = columns_of(payload)
        part = dev.block["slices"]["language"]["en"]["exact_agreement"]
        for n, few in ((19, True), (20, False)):
            figure = {**part, "numerator": n, "denominator": n}
            changed = {"en": {**dev.block["slices"]["language"]["en"]}}
            changed["en"]["exact_agreement"] = figure
            block = {**dev.block, "slices": {"language": changed}}
            rows = slice_forests((replace(dev, block=block), held_out))[0].rows
            whole, row = (
                next(row for row in rows if row.label == label)
                for label in ("All pairs", "language = en")
            )
            assert [mark.few for mark in whole.marks] == [False, False]
            assert [mark.few for mark in row.marks] == [few, True]
            assert row.small is few
            assert row.text.count("(few pairs)") == 1 + few
            assert row.marks[0].text.endswith("; few pairs") is few

    def test_marks_stand_where_the_rates_are(self, payload):
        whole = slice_forests(columns_of(payload))[0].rows[0]
        assert whole.value == "100.0 % / 50.0 %"
        assert at(whole.marks[0])[1:] == (98.5, 98.5)
        assert at(whole.marks[1])[1] == 50.0

    def test_without_slices_there_is_no_picture(self, payload):
        (dev, held_out) = columns_of(payload)
        bare = replace(dev, block={**dev.block, "slices": {}})
        assert slice_forests((bare,)) == ()
        assert slice_forests((bare, held_out))


class TestGap:
    def test_zero_stands_in_the_middle_and_the_gap_right_of_it(self, payload):
        chart = gap_chart(payload)
        row = chart.rows[0]
        assert (row.label, row.value) == ("Exact agreement", "+50.0 points")
        assert at(row.marks[0])[1] > at(row.marks[0])[0] > 50
        assert [tick.x for tick in chart.ticks if tick.zero] == ["50.00%"]

    def test_what_is_no_share_is_not_on_a_scale_of_points(self, payload):
        assert "Kappa" not in {row.label for row in gap_chart(payload).rows}

    @pytest.mark.parametrize(
        ("limit", "reach"), [(0.05, 0.1), (0.1, 0.1), (0.3, 0.5), (0.9, 1.0)]
    )
    def test_the_scale_holds_every_limit(self, limit, reach):
        figure = {"value": 0.0, "low": -limit, "high": None}
        assert Scale.of_gaps([figure]) == Scale(-reach, reach)


def test_flips_are_drawn_by_the_slot_they_follow(payload):
    dev, held_out = slot_flips(columns_of(payload)).rows
    assert (dev.value, dev.bars) == ("0 / 0", ())
    assert held_out.value == "9 / 1"
    assert held_out.text.startswith("9 flips to the first slot, 1 to the second; p = ")
    assert [(bar.x, bar.width) for bar in held_out.bars] == [
        ("0.00%", "90.00%"),
        ("90.00%", "10.00%"),
    ]


def test_each_reviewer_stands_beside_the_judge():
    said = {"R1": Outcome.TIE, "R2": Outcome.CANDIDATE}
    made = [
        replace(row, reviewers=said, labels=tuple(said.values()))
        for row in rows([("C", "C", "C")] * 4)
    ]
    found = calibrate(Sample.build(made, SYSTEMS), np.random.default_rng(1))
    (column,) = columns_of(
        json.loads(json.dumps({"splits": splits_json(found.splits)}))
    )
    chart = ceiling((column,))
    assert [(row.label, row.value) for row in chart.rows] == [
        ("All reviewers, all pairs", "0.0 % / 50.0 %"),
        ("R1, all pairs", "0.0 % / 0.0 %"),
        ("R2, all pairs", "0.0 % / 100.0 %"),
    ]


def test_sections_get_their_pictures(payload):
    columns = columns_of(payload)
    plain = (*sections_of(columns), *gap_section(payload))
    drawn = with_charts(plain, columns, payload)
    assert {one.anchor for one in drawn if one.forest} == {"reviewers", "gap"}
    assert {one.anchor for one in drawn if one.bars} == {"position"}
