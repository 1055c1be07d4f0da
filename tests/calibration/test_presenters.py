from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.estimates import Estimate, Undefined
from annotation.domain.intervals import share
from annotation.domain.outcomes import Outcome, Split
from calibration.domain.jsonable import figure_json, splits_json
from calibration.domain.samples import Row, Sample
from calibration.presenters import (
    compact_number,
    compact_text,
    count_text,
    estimate_text,
    exact_test_text,
    figure_of,
    number_text,
    p_text,
    percent,
    points_text,
    text_report,
)
from calibration.presenters.columns import columns_of
from calibration.presenters.notices import report_notices
from tests.calibration.factory import SYSTEMS, calibration_of, row

DASH = "\N{EN DASH}"
NOTHING = Undefined("0 cases", 0, 0)


def test_a_share_in_full():
    expected = f"34.1 % (46 of 135; 95 % 26.6{DASH}42.4, Wilson)"
    assert estimate_text(share(46, 135)) == expected


def test_stored_figures_read_the_same():
    for figure in (
        share(46, 135),
        NOTHING,
        Estimate(0.2, None, 9, None, None, None, None),
    ):
        assert estimate_text(figure_json(figure)) == estimate_text(figure)
        assert figure_of(figure_json(figure)) == figure


@pytest.mark.parametrize(
    "text", [estimate_text, number_text, points_text, compact_text, compact_number]
)
def test_nothing_is_never_a_number(text):
    assert text(NOTHING) == "n/a (0 cases)"


@pytest.mark.parametrize(
    ("k", "n", "expected"),
    [
        (0, 30, "0.0 %"),
        (30, 30, "100.0 %"),
        (1, 3000, "< 0.1 %"),
        (2999, 3000, "> 99.9 %"),
        (466, 800, "58.3 %"),
        (1, 3, "33.3 %"),
    ],
)
def test_only_true_extremes_read_as_extremes(k, n, expected):
    assert percent(share(k, n)) == expected


def test_percent_of_nothing():
    assert percent(NOTHING) == "n/a"


def test_kappa():
    kappa = Estimate(0.24384, None, 800, 0.1912, 0.2964, 0.95, "fleiss-cohen-everitt")
    expected = f"0.244 (800 cases; 95 % 0.191{DASH}0.296, Fleiss-Cohen-Everitt)"
    assert number_text(kappa) == expected
    assert compact_number(kappa) == f"0.244 0.191{DASH}0.296 (800)"


def test_no_dash_beside_a_minus_sign():
    kappa = Estimate(0.1, None, 8, -0.2, 0.4, 0.95, "x")
    assert "-0.200 to 0.400" in number_text(kappa)
    assert "-0.20 to 0.40" in compact_number(kappa, 2)


def test_a_missing_interval_is_said():
    bare = Estimate(1.0, None, 1, None, None, None, None)
    assert number_text(bare) == "1.000 (1 case; no interval)"
    assert compact_text(bare) == "100.0 % (1)"


def test_points():
    gap = Estimate(0.3062, None, 685, 0.2293, 0.39, 0.95, "newcombe")
    expected = "+30.6 points (685 cases; 95 % 22.9 to 39.0, Newcombe)"
    assert points_text(gap) == expected
    down = Estimate(-0.05, None, 60, -0.1, 0.01, 0.95, "newcombe")
    assert points_text(down).startswith("-5.0 points")


@pytest.mark.parametrize(
    ("p", "expected"),
    [
        (1e-30, "p < 0.001"),
        (0.0139, "p = 0.014"),
        (0.3249, "p = 0.32"),
        (1.0, "p = 1.00"),
        (None, "p n/a"),
    ],
)
def test_p_values(p, expected):
    assert p_text(p) == expected


def test_exact_tests():
    done = {"p_value": 0.0139, "n": 67, "method": "sign test, exact", "undefined": None}
    assert exact_test_text(done) == "p = 0.014 (67 cases; sign test, exact)"
    empty = {**done, "p_value": None, "n": 0, "undefined": "no decisive cases"}
    assert exact_test_text(empty) == "p n/a (no decisive cases)"


def test_counts():
    assert count_text(1, "case") == "1 case"
    assert count_text(12345, "pair") == "12,345 pairs"


@given(st.integers(0, 500), st.integers(0, 500))
def test_any_share_can_be_written(k, more):
    text = compact_text(share(k, k + more))
    assert "nan" not in text.replace("unanimous", "").lower()
    assert ("n/a" in text) == (k + more == 0)


NOTICE = "Choices were taken as stored in the file, not read from text."


def payload_of(made: list[Row], **judge: object) -> dict[str, Any]:
    built = Sample.build(made, SYSTEMS)
    return {
        "gold": {"set": "support", "version": 2, "rule": "mode_or_tie"},
        "judge": {
            "name": "strict",
            "version": 3,
            "combining_rule": "agree_else_tie",
            **judge,
        },
        "run": {"id": 7, "calls": 180, "served_models": [], "notices": [NOTICE]},
        "looks": {"n": 1, "budget": 5},
        "splits": json.loads(json.dumps(splits_json(calibration_of(built).splits))),
    }


@pytest.fixture
def mixed() -> list[Row]:
    random = Random(2)
    return [
        row(
            random.choice("BBCCTAU"),
            random.choice("BCTAI"),
            random.choice("BCTAI"),
            pair=f"p{i}",
            case=f"c{i}",
            split=Split.DEV if i % 3 else Split.HELD_OUT,
            slices={"category": random.choice(["refund", "a very long category name"])},
            labels=(Outcome.TIE, random.choice(list(Outcome))),
        )
        for i in range(90)
    ]


def test_report_has_dev_and_held_out_side_by_side(mixed):
    payload = payload_of(mixed)
    text = text_report(payload)
    lines = text.splitlines()
    assert max(map(len, lines)) <= 98
    assert any("dev" in line and "held-out" in line for line in lines)
    dev, held = payload["splits"]["dev"], payload["splits"]["held_out"]
    (agreement,) = [line for line in lines if line.startswith("  exact agreement")]
    assert compact_text(dev["exact_agreement"]) in agreement
    assert compact_text(held["exact_agreement"]) in agreement
    for title in ("Agreement", "Errors", "Invalid", "Position", "Coherence"):
        assert title in lines
    assert "Slices, dev" in lines
    assert "support, version 2" in text
    assert "None" not in text
    assert "nan" not in text.replace("unanimous", "").lower()


def test_report_shows_the_confusion_of_each_split(mixed):
    payload = payload_of(mixed)
    lines = text_report(payload).splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("Confusion"))
    numbers = [int(v) for v in lines[start + 1].split()[1:]]
    expected = [
        count
        for split in ("dev", "held_out")
        for count in payload["splits"][split]["confusion"]["baseline"].values()
    ]
    assert numbers == expected


def test_report_names_the_reasons_that_occur(mixed):
    payload = payload_of(mixed)
    text = text_report(payload)
    counts = [
        payload["splits"][split]["invalid_calls"]["unparsed"]
        for split in ("dev", "held_out")
    ]
    (line,) = [line for line in text.splitlines() if "unparsed" in line]
    assert line.split() == ["unparsed", *map(str, counts)]
    assert "truncated" not in text


def test_report_says_when_the_judge_is_simulated(mixed):
    assert "SIMULATED" in text_report(payload_of(mixed, simulated=True))
    assert "SIMULATED" not in text_report(payload_of(mixed))


def test_report_without_splits_shows_all_pairs():
    text = text_report(payload_of([row("B", "C"), row("T", "T", pair="q", case="d")]))
    assert "all pairs" in text
    assert "n/a (0 cases)" in text


def test_report_leaves_out_what_is_withheld(mixed):
    payload = payload_of(mixed)
    held = compact_text(payload["splits"]["held_out"]["exact_agreement"])
    payload["splits"]["held_out"] = payload["splits"]["all"] = None
    text = text_report(payload)
    assert "Held-out results are not shown here." in text
    assert held not in text


def test_report_with_nothing_to_disclose(mixed):
    payload = payload_of(mixed)
    payload["splits"] = {"dev": None, "held_out": None, "all": None}
    text = text_report(payload)
    assert "Held-out results are not shown here." in text
    assert "exact agreement" not in text


def test_report_tells_what_the_page_tells(mixed):
    made = [*mixed, *(row("B", "B", "B", pair=f"u{i}", case=f"u{i}") for i in range(9))]
    payload = payload_of(made, simulated=True)
    payload["gold"]["simulated"] = True
    payload["looks"] |= {"n": 6, "over_budget": True, "this": 6}
    text = " ".join(text_report(payload).split())
    told = [one.text for one in report_notices(payload, columns_of(payload))]
    assert [one for one in told if one not in text] == []
    assert "9 judged pairs in no split: not shown here." in text
    assert f"NOTE: {NOTICE}" in text
    assert "NOTE: SIMULATED JUDGE AND GOLD SET" in text
    assert "rule mode_or_tie" in text
    assert "run 7, 180 calls" in text


def test_report_of_an_empty_sample_shows_no_zero_rates():
    text = text_report(payload_of([]))
    assert "0.0 %" not in text
    assert "100.0 %" not in text


def test_clustered_intervals_are_announced(mixed):
    said = "several pairs of one case or group"
    assert said not in text_report(payload_of(mixed))
    made = [
        row("B", "BC"[i // 10], pair=f"p{i}", case=f"c{i}", cluster=f"g{i // 5}")
        for i in range(20)
    ]
    assert said in text_report(payload_of(made))
