from __future__ import annotations

import json

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from calibration.domain.bradley_terry import connected, fit, spreads
from tests.shared import shared_data

# Three systems; strengths and tie parameter from evalica 0.4.2, `newman`, whose v is
# half of Davidson's: 0.364361.
WINS = np.array([[[0, 30, 35], [14, 0, 28], [10, 18, 0]]], float)
TIES = np.array([[[0, 16, 15], [16, 0, 14], [15, 14, 0]]], float)
COUNT = st.integers(0, 12)


def tables(upper, lower, ties):
    """Three systems from the counts above and below the diagonal."""
    wins, tied = np.zeros((1, 3, 3)), np.zeros((1, 3, 3))
    for place, (i, j) in enumerate(((0, 1), (0, 2), (1, 2))):
        wins[0, i, j], wins[0, j, i] = upper[place], lower[place]
        tied[0, i, j] = tied[0, j, i] = ties[place]
    return wins, tied


THREE = st.tuples(*[st.tuples(COUNT, COUNT, COUNT)] * 3).map(lambda t: tables(*t))


def test_the_same_strengths_as_another_library():
    found = fit(WINS, TIES)
    theirs = np.log([1.932338, 0.911096, 0.573220])
    assert found.strengths[0] == pytest.approx(theirs - theirs.mean(), abs=2e-6)
    assert found.ties[0] == pytest.approx(2 * 0.36436062970268235, abs=1e-6)


def test_the_published_odds_with_ties_as_half_wins():
    entries = json.loads(shared_data("golden.json").read_text())["entries"]
    entry = next(e for e in entries if e["id"] == "bt/half-tie")
    said, half = entry["inputs"], entry["inputs"]["ties"] / 2
    wins = np.array([[[0, said["wins"] + half], [said["losses"] + half, 0]]])
    found = fit(wins, np.zeros((1, 2, 2)))
    odds = np.exp(found.strengths[0, 0] - found.strengths[0, 1])
    assert odds == pytest.approx(entry["expected"], abs=entry["tolerance"])
    assert found.ties[0] == 0


def test_two_systems_are_read_off_their_counts():
    """Davidson for two: odds w/l, and v = ties / sqrt(w l)."""
    wins = np.array([[[0, 36.0], [14, 0]]])
    ties = np.array([[[0, 10.0], [10, 0]]])
    found = fit(wins, ties)
    odds = np.exp(found.strengths[0, 0] - found.strengths[0, 1])
    assert odds == pytest.approx(36 / 14)
    assert found.ties[0] == pytest.approx(10 / (36 * 14) ** 0.5)


@pytest.mark.filterwarnings("ignore:Perfect separation")  # said of exact fits too
@given(THREE)
def test_the_log_linear_model_agrees(counts):
    """Davidson's model as Poisson counts (Fienberg 1979), fitted by statsmodels."""
    wins, ties = counts
    assume(wins.min(initial=9, where=~np.eye(3, dtype=bool)) > 0)
    assume(ties.sum() > 0)
    rows, said = [], []
    for place, (i, j) in enumerate(((0, 1), (0, 2), (1, 2))):
        for kind, n in enumerate((wins[0, i, j], wins[0, j, i], ties[0, i, j])):
            row = np.zeros(3 + 3 + 1)
            row[place] = 1
            row[3 + i] += (1, 0, 0.5)[kind]
            row[3 + j] += (0, 1, 0.5)[kind]
            row[-1] = kind == 2
            rows.append(np.delete(row, 5))  # the third system is the one at 0
            said.append(n)
    model = sm.GLM(said, np.array(rows), family=sm.families.Poisson())
    theirs = model.fit(tol=1e-12, maxiter=200).params
    found = fit(wins, ties)
    ours = found.strengths[0] - found.strengths[0, 2]
    assert ours[:2] == pytest.approx(theirs[3:5], abs=1e-5)
    assert np.log(found.ties[0]) == pytest.approx(theirs[-1], abs=1e-5)


@given(THREE)
def test_observed_and_expected_points_agree(counts):
    """What the maximum means: each system's wins and half its ties as expected."""
    wins, ties = counts
    found = fit(wins, ties)
    if not found.found[0]:
        return
    s, v = found.strengths[0], found.ties[0]
    total = wins[0] + wins[0].T + ties[0]
    a = np.exp(s)
    tie = v * np.sqrt(np.outer(a, a))
    whole = a[:, None] + a[None, :] + tie
    expected = (total * (a[:, None] + tie / 2) / whole).sum(1)
    points = wins[0].sum(1) + ties[0].sum(1) / 2
    assert expected == pytest.approx(points, abs=1e-4)
    assert s.sum() == pytest.approx(0, abs=1e-6)


@given(THREE, st.permutations([0, 1, 2]))
def test_the_order_of_systems_does_not_matter(counts, order):
    wins, ties = counts
    there = fit(wins, ties)
    back = fit(wins[:, order][:, :, order], ties[:, order][:, :, order])
    assert back.found[0] == there.found[0]
    if there.found[0]:
        assert back.strengths[0] == pytest.approx(there.strengths[0, order], abs=1e-4)


@given(THREE)
def test_many_sets_are_fitted_as_each_alone(counts):
    wins, ties = counts
    both = fit(np.concatenate([WINS, wins]), np.concatenate([TIES, ties]))
    alone = fit(wins, ties)
    assert both.strengths[0] == pytest.approx(fit(WINS, TIES).strengths[0])
    assert both.found[1] == alone.found[0]
    if alone.found[0]:
        assert both.strengths[1] == pytest.approx(alone.strengths[0], abs=1e-6)


@pytest.mark.parametrize(
    ("upper", "lower", "ties"),
    [
        ((5, 5, 5), (0, 0, 3), (0, 0, 0)),  # one never loses
        ((0, 0, 0), (0, 0, 0), (4, 4, 4)),  # nothing decided
        ((0, 0, 0), (0, 0, 0), (0, 0, 0)),  # nothing at all
        ((9, 0, 0), (7, 0, 0), (3, 0, 0)),  # one never compared
        ((9, 0, 0), (0, 0, 0), (0, 5, 5)),  # most likely at infinity
        ((3, 0, 0), (0, 0, 0), (3, 0, 0)),  # so are two of which one never loses
    ],
)
def test_data_that_determine_no_strengths(upper, lower, ties):
    found = fit(*tables(upper, lower, ties))
    assert not found.found[0]
    assert np.isnan(found.strengths).all()
    assert np.isnan(found.ties).all()


def units_of(wins, ties, size):
    """Every comparison a unit of its own."""
    rows = []
    for kind, counts in enumerate((wins[0], ties[0])):
        for i, j in zip(*np.nonzero(np.triu(counts) if kind else counts), strict=True):
            row = np.zeros((2, size, size))
            row[kind, i, j] = 1
            if kind:
                row[kind, j, i] = 1
            rows += [row.ravel()] * int(counts[i, j])
    return csr_array(np.array(rows))


def test_errors_of_two_systems_are_those_of_the_odds():
    wins, ties = np.array([[[0, 18.0], [4, 0]]]), np.array([[[0, 4.0], [4, 0]]])
    found = fit(wins, ties)
    errors = spreads(found, wins[0], ties[0], units_of(wins, ties, 2))
    plain = (1 / 18 + 1 / 4) ** 0.5
    assert errors[0, 1] == pytest.approx(plain * (26 / 25) ** 0.5)
    assert errors[0, 0] == errors[1, 1] == 0
    untied = spreads(
        fit(wins, 0 * ties), wins[0], 0 * ties[0], units_of(wins, 0 * ties, 2)
    )
    assert untied[0, 1] == pytest.approx(plain * (22 / 21) ** 0.5)


def test_units_that_repeat_themselves_count_once():
    wins, ties = np.array([[[0, 18.0], [4, 0]]]), np.array([[[0, 4.0], [4, 0]]])
    units = units_of(wins, ties, 2)
    alone = spreads(fit(wins, ties), wins[0], ties[0], units)[0, 1]
    thrice = spreads(fit(3 * wins, 3 * ties), 3 * wins[0], 3 * ties[0], 3 * units)
    assert thrice[0, 1] == pytest.approx(alone)


def test_errors_of_three_systems_are_those_of_many_draws():
    wins, ties = 40 * WINS, 40 * TIES
    errors = spreads(fit(wins, ties), wins[0], ties[0], units_of(wins, ties, 3))
    rng = np.random.default_rng(3)
    n = int(wins.sum() + ties.sum() / 2)
    flat = np.concatenate([wins[0].ravel(), np.triu(ties[0]).ravel()])
    drawn = rng.multinomial(n, flat / n, 2000).reshape(-1, 2, 3, 3).astype(float)
    again = fit(drawn[:, 0], drawn[:, 1] + drawn[:, 1].transpose(0, 2, 1))
    gaps = again.strengths[:, 0] - again.strengths[:, 2]
    assert errors[0, 2] == pytest.approx(gaps.std(), rel=0.06)


def test_who_reaches_whom():
    ring = np.roll(np.eye(7), 1, axis=1)[None]
    assert connected(ring)[0]
    broken = ring.copy()
    broken[0, 3, 4] = 0
    assert not connected(broken)[0]


@pytest.mark.parametrize(
    ("wins", "ties", "words"),
    [
        (np.zeros((2, 2)), np.zeros((2, 2)), "square"),
        (np.zeros((1, 2, 3)), np.zeros((1, 2, 3)), "square"),
        (-WINS, TIES, "0 or more"),
        (WINS * np.nan, TIES, "0 or more"),
        (WINS + np.eye(3), TIES, "itself"),
        (WINS, WINS, "symmetric"),
    ],
)
def test_tables_that_cannot_be(wins, ties, words):
    with pytest.raises(ValueError, match=words):
        fit(wins, ties)


def test_data_on_the_way_to_infinity_hold_up_no_others():
    """One win, and ties alone elsewhere: the steps had no inverse."""
    wins, ties = np.zeros((2, 4, 4)), np.zeros((2, 4, 4))
    wins[0, 0, 1] = 1
    for i, j in ((0, 2), (1, 2), (1, 3)):
        ties[0, i, j] = ties[0, j, i] = 1
    wins[1], ties[1] = 5.0, 2.0
    for counts in (wins[1], ties[1]):
        np.fill_diagonal(counts, 0)
    found = fit(wins, ties)
    assert found.found.tolist() == [False, True]
    assert found.strengths[1] == pytest.approx([0] * 4, abs=1e-8)
