"""Which judges differ in one field alone."""

from __future__ import annotations

from typing import Any

from calibration.domain.ablations import ablations

BASE: dict[str, Any] = {
    "model": "m",
    "rubric": "Be fair.",
    "rubric_version": "1",
    "params": {"temperature": 0, "max_tokens": 9},
}


def with_params(**params: object) -> dict[str, Any]:
    return BASE | {"params": BASE["params"] | params}


def test_values_of_one_field_stand_in_order() -> None:
    specs = {
        "hot": with_params(temperature=1),
        "base": BASE,
        "warm": with_params(temperature=0.5),
        "ten": with_params(temperature=10),
    }
    (found,) = ablations(specs)
    assert found.field == "params.temperature"
    assert list(found.values.items()) == [
        ("base", 0), ("warm", 0.5), ("hot", 1), ("ten", 10),
    ]  # fmt: skip


def test_a_field_that_one_lacks_is_a_value() -> None:
    (found,) = ablations({"base": BASE, "hard": with_params(effort="high")})
    assert (found.field, dict(found.values)) == (
        "params.effort",
        {"base": None, "hard": "high"},
    )


def test_a_rubric_and_its_version_are_one_change() -> None:
    (found,) = ablations(
        {"base": BASE, "strict": BASE | {"rubric": "Be strict.", "rubric_version": "2"}}
    )
    assert (found.field, found.values["strict"]) == ("rubric", "Be strict.")


def test_two_changes_at_once_tell_nothing() -> None:
    assert ablations({"base": BASE, "other": with_params(temperature=1, top_p=1)}) == ()


def test_the_same_judge_twice_is_no_ablation() -> None:
    assert ablations({"one": BASE, "two": dict(BASE)}) == ()


def test_a_judge_may_be_in_several_groups() -> None:
    specs = {
        "base": BASE,
        "hot": with_params(temperature=1),
        "long": with_params(max_tokens=99),
        "both": with_params(temperature=1, max_tokens=99),
    }
    groups = [(one.field, sorted(one.values)) for one in ablations(specs)]
    assert sorted(groups) == [
        ("params.max_tokens", ["base", "long"]),
        ("params.max_tokens", ["both", "hot"]),
        ("params.temperature", ["base", "hot"]),
        ("params.temperature", ["both", "long"]),
    ]


def test_one_and_true_are_different_values() -> None:
    (found,) = ablations({"a": with_params(seed=1), "b": with_params(seed=True)})
    assert found.field == "params.seed"
