"""Release policies: what is read, and what is refused by key."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.domain.policies import PolicyFault, policy_of, read_policy
from calibration.domain.policy_keys import KEYS, Disposition, Kind, json_schema
from tests.calibration.evidence import ILLUSTRATIVE, POLICY

SHARES = [key.name for key in KEYS if key.kind is Kind.SHARE]


def faults(text: str) -> dict[str, str]:
    with pytest.raises(PolicyFault) as caught:
        read_policy(text)
    return caught.value.faults


def changed(**changes: object) -> str:
    return json.dumps(POLICY | changes)


def test_the_illustrative_policy_loads_as_it_is() -> None:
    found = read_policy(ILLUSTRATIVE)

    assert found.label == "illustrative-only"
    assert (found.preference, found.flip_rate, found.invalid_rate) == (0.52, 0.05, 0.01)
    assert found.critical_named
    assert found.undecided is Disposition.HUMAN_REVIEW
    assert found.agreement is None
    assert found.document == json.loads(ILLUSTRATIVE)
    assert "nothing ships" in found.warnings[0]


def test_a_policy_that_limits_the_judge_has_no_warning() -> None:
    assert policy_of(POLICY).warnings == ()


@pytest.mark.parametrize(
    "key", ["maximumSwapFliprate", "winRate", "minimumkappa", "", "policylabel"]
)
def test_an_unknown_key_or_metric_is_an_error_that_names_it(key: str) -> None:
    assert faults(changed(**{key: 0.5})) == {key: "there is no such key"}


@pytest.mark.parametrize("key", [key.name for key in KEYS if key.required])
def test_a_missing_key_is_named(key: str) -> None:
    kept = {name: value for name, value in POLICY.items() if name != key}
    assert faults(json.dumps(kept)) == {key: "is missing"}


@pytest.mark.parametrize("key", SHARES)
@pytest.mark.parametrize("value", [0, 1, -0.1, 1.5, "0.5", True, None, [0.5], {}])
def test_a_share_out_of_range_or_of_another_type_is_named(
    key: str, value: object
) -> None:
    assert list(faults(changed(**{key: value}))) == [key]


@pytest.mark.parametrize("value", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_what_is_no_finite_number_is_named(value: str) -> None:
    text = changed().replace("0.05", value)
    assert list(faults(text)) == ["maximumSwapFlipRate"]


def test_nan_is_refused_in_plain_data_too() -> None:
    with pytest.raises(PolicyFault, match=r"maximumSwapFlipRate: .*finite"):
        policy_of(POLICY | {"maximumSwapFlipRate": float("nan")})


def test_a_key_that_occurs_twice_is_named() -> None:
    text = changed().replace("{", '{"policyLabel": "other", ', 1)
    assert list(faults(text)) == ["policyLabel"]


@pytest.mark.parametrize("text", ["", "[]", "1", "{", '"x"', "null"])
def test_what_is_no_object_is_refused(text: str) -> None:
    assert list(faults(text)) == [""]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("minimumCases", 0),
        ("minimumCases", 1.5),
        ("minimumCases", True),
        ("minimumCasesPerSlice", {}),
        ("minimumCasesPerSlice", {"language": 0}),
        ("minimumCasesPerSlice", {"language": "20"}),
        ("minimumCasesPerSlice", []),
        ("criticalSliceRule", "none"),
        ("wideIntervalDisposition", "ship"),
        ("abstainPath", "ignore"),
        ("slotBalance", True),
        ("schema", "evenhand.policy/2"),
        ("policyLabel", " "),
        ("policyLabel", 5),
        ("policyLabel", "x" * 201),
        ("evidenceOwners", {"nobody": "ann"}),
        ("evidenceOwners", {"run": ""}),
        ("evidenceOwners", "ann"),
        ("minimumCorrectedNetLowerBound", 1),
        ("minimumCorrectedNetLowerBound", -1.01),
        ("abstainSampleShare", 0.5),
    ],
)
def test_each_key_refuses_what_it_can_not_hold(key: str, value: object) -> None:
    assert list(faults(changed(**{key: value}))) == [key]


def test_all_faults_are_told_at_once() -> None:
    found = faults('{"policyLabel": "x", "maximumSwapFlipRate": 2, "limit": 1}')
    assert found.keys() == {
        "limit",
        "maximumSwapFlipRate",
        "minimumCandidatePreferenceLowerBound",
        "maximumInvalidJudgeRate",
    }


def test_everything_that_can_be_set_is_read() -> None:
    found = policy_of(
        POLICY
        | {
            "schema": "evenhand.policy/1",
            "minimumCorrectedNetLowerBound": -0.05,
            "slotBalance": "equal-calls",
            "minimumCases": 100,
            "minimumCasesPerSlice": {"language": 20},
            "wideIntervalDisposition": "hold",
            "abstainPath": "review-sample",
            "abstainSampleShare": 0.5,
            "evidenceOwners": {"run": "ann"},
        }
    )

    assert found.corrected_net == -0.05
    assert found.slot_balance
    assert (found.cases, found.slice_minimums) == (100, {"language": 20})
    assert found.undecided is Disposition.HOLD
    assert found.abstain_path == "review-sample"
    assert (found.abstain_share, found.owners) == (0.5, {"run": "ann"})


@given(st.floats(0, 1, exclude_min=True, exclude_max=True), st.sampled_from(SHARES[:3]))
def test_any_share_between_0_and_1_comes_back_as_it_was(value: float, key: str) -> None:
    document = POLICY | {key: value}
    found = read_policy(json.dumps(document))
    assert found.document == document
    assert value in (found.preference, found.flip_rate, found.invalid_rate)


@given(
    st.dictionaries(
        st.text(max_size=5) | st.sampled_from([key.name for key in KEYS]),
        st.none() | st.booleans() | st.floats() | st.text(max_size=3),
    )
)
def test_whatever_is_sent_is_read_or_refused_by_key(
    document: dict[str, object],
) -> None:
    """The required keys are never all there, so something is always wrong."""
    with pytest.raises(PolicyFault) as caught:
        policy_of(document | {"policyLabel": 5})
    assert "policyLabel" in caught.value.faults


def test_the_published_schema_agrees_with_the_reader() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = json_schema()
    valid = jsonschema.Draft202012Validator(schema).is_valid
    assert valid(json.loads(ILLUSTRATIVE))
    assert valid(POLICY)
    for bad in (
        {"limit": 1},
        {"maximumSwapFlipRate": 1},
        {"maximumSwapFlipRate": "0.5"},
        {"abstainPath": "ignore"},
        {"abstainSampleShare": 0.5},
        {"minimumCasesPerSlice": {"language": 0}},
    ):
        assert not valid(POLICY | bad)
        with pytest.raises(PolicyFault):
            policy_of(POLICY | bad)


def test_the_schema_has_every_key_and_no_other() -> None:
    properties = json_schema()["properties"]
    assert isinstance(properties, dict)
    assert list(properties) == [key.name for key in KEYS]
    assert all(part["description"] for part in properties.values())
