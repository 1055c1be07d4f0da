from __future__ import annotations

import json
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, nbinom

from annotation.domain.intervals import upper_bound
from calibration.domain.plan_clusters import clustering
from calibration.domain.planning import (
    Known,
    Reason,
    drawn_pairs,
    failures_allowed,
    gate_pairs,
    half_width_pairs,
    share_pairs,
    sign_power,
    smallest_share,
    spotless_pairs,
    suggestions,
)
from tests.shared import shared_data


def golden():
    text = shared_data("golden.json").read_text("utf-8")
    return [e for e in json.loads(text)["entries"] if e["id"].startswith("plan/")]


def answer(name, given):
    if "halfwidth" in name:
        return half_width_pairs(given["half_width"], given["rate"])
    if "zero-failures" in name:
        return spotless_pairs(given["limit"])
    if name == "plan/gate fcw":
        return gate_pairs(given["limit"], given["true"], power=given["power"])
    if name == "plan/gate agreement":
        wrong = 1 - given["limit"], 1 - given["true"]
        return gate_pairs(*wrong, power=given["power"])
    if name == "plan/sign power":
        return sign_power(given["n"], given["share"])
    assert name == "plan/mde"
    return [smallest_share(n) for n in given["decisive_cases"]]


def test_every_check_value():
    entries = golden()
    assert len(entries) >= 8
    for entry in entries:
        found = answer(entry["id"], entry["inputs"])
        assert found == pytest.approx(entry["expected"], abs=entry["tolerance"])


def test_the_table_of_methods():
    assert [half_width_pairs(w) for w in (0.1, 0.05, 0.03)] == [93, 381, 1064]
    assert [half_width_pairs(0.05, p) for p in (0.8, 0.9)] == [245, 141]
    assert [spotless_pairs(x) for x in (0.1, 0.05, 0.02, 0.01)] == [29, 59, 149, 299]
    allowed = [failures_allowed(n, 0.05) for n in (59, 93, 124, 200)]
    assert allowed == [0, 1, 2, 4]
    assert [gate_pairs(0.05, p) for p in (0.02, 0.01)] == [260, 124]
    assert [gate_pairs(0.1, p) for p in (0.05, 0.03)] == [203, 89]
    looks = [gate_pairs(0.25, 0.15, looks=k) for k in (1, 5, 10)]
    assert looks == [117, 179, 204]
    assert [gate_pairs(0.2, p) for p in (0.15, 0.1)] == [398, 94]
    assert [spotless_pairs(1 - b) for b in (0.75, 0.8, 0.9, 0.95)] == [11, 14, 29, 59]


@given(st.integers(1, 300), st.floats(0.01, 0.6))
def test_allowed_failures_are_those_of_the_exact_bound(n, limit):
    allowed = failures_allowed(n, limit)
    if allowed is None:
        assert upper_bound(0, n) > limit - 1e-9
        return
    assert upper_bound(allowed, n) <= limit + 1e-9
    assert allowed == n or upper_bound(allowed + 1, n) >= limit - 1e-9


def test_sign_power_is_that_of_an_enumeration():
    chance = sum(
        binomtest(k, 30, 0.7, alternative="less").pvalue
        - (binomtest(k - 1, 30, 0.7, alternative="less").pvalue if k else 0)
        for k in range(31)
        if binomtest(k, 30).pvalue <= 0.05
    )
    assert sign_power(30, 0.7) == pytest.approx(chance)


def test_few_decisive_pairs_find_nothing():
    assert sign_power(5, 1.0) == 0
    assert smallest_share(5) is None
    assert smallest_share(6) == pytest.approx(0.8 ** (1 / 6), abs=1e-6)


@given(st.integers(1, 200), st.floats(0.05, 0.95))
def test_class_needs_are_the_point_of_the_negative_binomial(needed, share):
    expected = needed + int(nbinom.ppf(0.9, needed, share))
    assert abs(drawn_pairs(needed, share) - expected) <= 1


def test_the_design_effect_multiplies():
    assert drawn_pairs(100) == 100
    alike = clustering(None, per_prompt=5, correlation=0.5)
    assert alike.pairs(drawn_pairs(100)) == 300


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda: half_width_pairs(0), "a half-width lies"),
        (lambda: half_width_pairs(0.1, 2), "a rate lies"),
        (lambda: spotless_pairs(1), "a limit lies"),
        (lambda: failures_allowed(0, 0.1), "1 pair or more"),
        (lambda: gate_pairs(0.05, 0.05), "below the limit"),
        (lambda: gate_pairs(5, 2), "a limit lies"),
        (lambda: gate_pairs(0.1, 0.05, looks=0), "1 look"),
        (lambda: sign_power(0, 0.5), "1 decisive pair"),
        (lambda: smallest_share(10, 1), "a power lies"),
        (lambda: drawn_pairs(10, 0), "share of a class"),
        (lambda: share_pairs(0.5), "is not 0.5"),
        (lambda: failures_allowed(10, 0.1, effect=0.5), "1 pair or more"),
    ],
)
def test_what_is_no_plan(wrong, words):
    with pytest.raises(ValueError, match=words):
        wrong()


def test_a_rate_next_to_its_limit_has_no_answer_in_reach(monkeypatch):
    monkeypatch.setattr("calibration.domain.planning.MOST", 50)
    assert gate_pairs(0.05, 0.049) is None


@given(st.integers(1, 300), st.floats(0.01, 0.6), st.floats(1.01, 4))
def test_allowed_failures_of_clustered_pairs_are_those_of_their_bound(n, limit, effect):
    allowed = failures_allowed(n, limit, effect=effect)
    if allowed is None:
        assert upper_bound(0, n, 0.95, effect) > limit
        return
    assert upper_bound(allowed, n, 0.95, effect) <= limit
    assert allowed == n or upper_bound(allowed + 1, n, 0.95, effect) > limit


@pytest.mark.parametrize("effect", [1.5, 2.0, 3.7])
def test_a_clustered_gate_lets_as_many_fail_in_proportion(effect):
    """260 pairs allow 7 of them at a limit of 5 %: effective counts decide."""
    assert failures_allowed(260, 0.05) == 7
    pairs = ceil(260 * effect)
    assert failures_allowed(pairs, 0.05, effect=effect) >= int(7 * effect)


def test_a_share_is_found_by_as_many_pairs_as_find_it_at_least():
    for share in (0.65, 0.8, 0.2):
        n = share_pairs(share)
        assert all(sign_power(m, share) >= 0.8 for m in range(n, n + 20))
        assert sign_power(n - 1, share) < 0.8
    assert share_pairs(0.7) == share_pairs(0.3) == 54
    assert share_pairs(1.0) == 6


def test_a_share_next_to_half_has_no_answer_in_reach(monkeypatch):
    monkeypatch.setattr("calibration.domain.planning.MOST", 50)
    assert share_pairs(0.51) is None


def known(case, gold=False, labels=0, flips=False, systems=("v12", "v13"), **slices):
    return Known(case, systems, slices, has_gold=gold, labels=labels, flips=flips)


def test_suggestions_are_ranked_and_say_why():
    found = suggestions(
        [
            *[known(f"x{i}", gold=True, lang="en") for i in range(20)],
            *[known(f"y{i}", gold=True, lang="de") for i in range(19)],
            known("plain", lang="en"),
            known("flip", flips=True, lang="en"),
            known("thin", lang="de"),
            known("fight", labels=2, lang="en"),
            known("both", labels=2, flips=True, lang="en"),
            known("done", gold=True, labels=3, flips=True, lang="de"),
        ]
    )
    # The last pair with gold makes German thick enough.
    assert [one.case for one in found] == ["both", "fight", "flip"]
    assert found[0].reasons == (Reason.DISPUTED, Reason.FLIPPING)


def test_thin_slices_are_named():
    (one,) = suggestions([known("a", lang="de", topic="x")])
    assert one.reasons == (Reason.THIN_SLICE,)
    assert one.slices == ("lang=de", "topic=x")
    assert suggestions([]) == ()


def test_pairs_of_one_case_are_told_apart():
    found = suggestions(
        [
            known("a", systems=("v12", "v14"), lang="de"),
            known("a", systems=("v12", "v13"), lang="de"),
            known("a", systems=("v13", "v14"), gold=True, lang="de"),
        ]
    )
    assert [(s.case, s.systems) for s in found] == [
        ("a", ("v12", "v13")),
        ("a", ("v12", "v14")),
    ]
