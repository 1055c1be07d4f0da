"""Limits of a sealed set, against the planner's table (METHODS 3.16)."""

from __future__ import annotations

import pytest

from calibration.domain.gates import (
    RATES,
    Count,
    GateResult,
    Limit,
    Side,
    all_pass,
    confidence_of,
    gate,
    limits_of,
)

LEAST, MOST = Side.AT_LEAST, Side.AT_MOST


def result(side: Side, value: float, hits: int, cases: int, **rest: float) -> str:
    count = Count(hits, cases, rest.get("effect", 1.0))
    found = gate(Limit("x", side, value), count, rest.get("confidence", 0.95))
    return found.result.value


@pytest.mark.parametrize(
    ("bound", "needed"), [(0.75, 11), (0.80, 14), (0.90, 29), (0.95, 59)]
)
def test_a_perfect_record_passes_from_the_size_in_the_table(
    bound: float, needed: int
) -> None:
    assert result(LEAST, bound, needed, needed) == "pass"
    assert result(LEAST, bound, needed - 1, needed - 1) == "too_few"


@pytest.mark.parametrize(("cases", "allowed"), [(59, 0), (93, 1), (124, 2), (200, 4)])
def test_failures_allowed_at_a_limit_of_five_percent(cases: int, allowed: int) -> None:
    assert result(MOST, 0.05, allowed, cases) == "pass"
    assert result(MOST, 0.05, allowed + 1, cases) == "not_shown"


def test_a_limit_is_broken_where_the_opposite_bound_proves_it() -> None:
    assert result(LEAST, 0.8, 60, 100) == "fail"
    assert result(LEAST, 0.8, 80, 100) == "not_shown"
    assert result(MOST, 0.05, 20, 100) == "fail"


def test_more_looks_ask_for_more() -> None:
    assert confidence_of(1) == pytest.approx(0.95)
    assert confidence_of(10) == pytest.approx(0.995)
    assert result(LEAST, 0.75, 161, 200) == "pass"  # 80.5 %: passes one look
    assert result(LEAST, 0.75, 161, 200, confidence=confidence_of(10)) == "not_shown"
    assert result(LEAST, 0.75, 166, 200, confidence=confidence_of(10)) == "pass"


def test_clusters_count_for_less() -> None:
    assert result(LEAST, 0.75, 161, 200) == "pass"
    assert result(LEAST, 0.75, 161, 200, effect=3.0) == "not_shown"


def test_no_case_never_passes() -> None:
    found = gate(Limit("x", MOST, 0.5), Count(0, 0), 0.95)
    assert (found.result, found.bound) == (GateResult.TOO_FEW, None)


def test_the_bound_is_told() -> None:
    found = gate(Limit("x", MOST, 0.05), Count(0, 59), 0.95)
    assert found.bound == pytest.approx(0.0495, abs=5e-5)


class TestAllPass:
    def test_every_one_has_to(self) -> None:
        good = gate(Limit("x", LEAST, 0.5), Count(99, 100), 0.95)
        open_ = gate(Limit("x", LEAST, 0.9), Count(91, 100), 0.95)
        assert all_pass([good, good])
        assert not all_pass([good, open_])

    def test_nothing_is_not_a_pass(self) -> None:
        assert not all_pass([])


class TestLimits:
    def test_each_rate_knows_its_good_side(self) -> None:
        found = limits_of({"agreement": 0.8, "flip_rate": 0.1})
        assert found == (
            Limit("agreement", LEAST, 0.8),
            Limit("flip_rate", MOST, 0.1),
        )
        assert [s for _, s in RATES.values()].count(LEAST) == 1

    @pytest.mark.parametrize(
        ("name", "value"),
        [("kappa", 0.5), ("agreement", 0.0), ("agreement", 1), ("flip_rate", -1)],
    )
    def test_unknown_or_useless_ones_are_refused(self, name: str, value: float) -> None:
        with pytest.raises(ValueError, match=name):
            limits_of({name: value})

    def test_not_a_number_is_refused(self) -> None:
        with pytest.raises(ValueError, match="between"):
            limits_of({"agreement": float("nan")})
