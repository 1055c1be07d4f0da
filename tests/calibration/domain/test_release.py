"""What a release run is counted as."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.domain.estimates import Undefined
from calibration.domain.release import sample_of, summarise
from tests.calibration.evidence import pair, pairs

SYSTEMS = ["old", "new"]


def summary(rows):
    return summarise(sample_of(rows, SYSTEMS))


def test_every_pair_is_counted_in_one_of_five() -> None:
    found = summary(pairs(["CC", "CC", "BB", "TT", "BC", "AA", "CA", "IC"]))
    said = found.preference
    assert (said.candidate_wins, said.baseline_wins, said.ties) == (2, 1, 2)
    assert (said.abstain, said.invalid, found.n) == (2, 1, 8)
    assert (said.decisive_share.value, said.sign_test.p_value) == (2 / 3, 1.0)
    assert (found.flips, found.usable) == (1, 5)
    assert found.invalid_rate.value == 1 / 8
    assert found.answered_cases == 5


@pytest.mark.parametrize(
    ("wins", "losses", "p"), [(36, 14, 0.0026021714567), (0, 5, 0.0625)]
)
def test_the_sign_test_is_exact(wins: int, losses: int, p: float) -> None:
    """Source: the golden values sign/36v14 and sign/0v5."""
    found = summary(pairs("C" * wins + "B" * losses + "TTAI"))
    assert found.preference.sign_test.p_value == pytest.approx(p, abs=1e-9)


def test_pairs_of_similar_length_stand_apart() -> None:
    rows = [
        pair(0, "C", lengths=[100, 120]),
        pair(1, "C", lengths=[100, 121]),
        pair(2, "B", lengths=[120, 100]),
        pair(3, "B", lengths=[100, 82]),
        pair(4, "C", lengths=[0, 0]),
        pair(5, "C", lengths=[0, 5]),
        pair(6, "C", lengths=None),
    ]
    found = summary(rows).length_matched
    assert (found.kept.numerator, found.kept.denominator) == (3, 6)
    assert found.unknown == 1
    assert (found.preference.candidate_wins, found.preference.baseline_wins) == (2, 1)


def test_where_no_length_matches_the_share_is_undefined() -> None:
    found = summary([pair(0, "C", lengths=[10, 100])]).length_matched
    assert found.kept.value == 0
    assert isinstance(found.preference.decisive_share, Undefined)
    unknown = summary([pair(0, "C", lengths=None)]).length_matched
    assert isinstance(unknown.kept, Undefined)


def test_slices_and_critical_pairs_stand_apart() -> None:
    rows = [
        *[pair(i, "C", slices={"language": "en"}) for i in range(25)],
        *[
            pair(i + 50, "B", slices={"language": "de"}, critical=True)
            for i in range(3)
        ],
        pair(99, "T", slices={}),
    ]
    found = summary(rows)
    english, german = (found.slices["language"][name] for name in ("en", "de"))
    assert (english.n, english.small, english.preference.candidate_wins) == (
        25,
        False,
        25,
    )
    assert (german.n, german.small, german.preference.baseline_wins) == (3, True, 3)
    assert (found.critical.n, found.critical.preference.baseline_wins) == (3, 3)


def test_an_empty_run_has_no_figure() -> None:
    found = summary([])
    assert found.n == found.cases == found.answered_cases == 0
    for figure in (
        found.flip_rate, found.invalid_rate, found.preference.decisive_share,
        found.preference.net, found.length_matched.kept, found.critical.flip_rate,
    ):  # fmt: skip
        assert isinstance(figure, Undefined)
    assert found.preference.sign_test.p_value is None


@pytest.mark.parametrize(
    "change",
    [
        {"verdict": "baseline"},
        {"verdict": "nan"},
        {"consistency": "flip"},
        {"tie_source": "stated"},
        {"systems": ["new", "old"]},
        {"systems": ["old", "newest"]},
        {"baseline_first": "NaN"},
    ],
)
def test_a_row_that_contradicts_itself_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"pair '7'|is not a valid"):
        summary([pair(7, "C", **change)])


def test_a_pair_that_comes_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="twice"):
        summary([pair(7, "C"), pair(7, "C")])
