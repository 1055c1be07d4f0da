"""The swapped diagnostic panel: in proportion, and the same for everybody."""

from __future__ import annotations

from collections import Counter
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.domain.swap_panel import draw_panel

STRATA = {i: "de" if i % 4 == 0 else "en" for i in range(400)}


def test_a_panel_of_a_tenth_has_a_tenth_of_each_stratum() -> None:
    found = draw_panel(STRATA, share=0.1, seed="s")
    assert Counter(STRATA[key] for key in found) == {"en": 30, "de": 10}


def test_the_seed_decides_and_the_order_of_the_keys_does_not() -> None:
    one = draw_panel(STRATA, share=0.1, seed="s")
    turned = dict(reversed(STRATA.items()))
    assert draw_panel(turned, share=0.1, seed="s") == one
    assert draw_panel(STRATA, share=0.1, seed="t") != one


def test_the_whole_may_be_the_panel() -> None:
    found = draw_panel(STRATA, share=1, seed="s")
    assert found == tuple(STRATA)


@pytest.mark.parametrize("share", [0, -0.1, 1.1, float("nan")])
def test_a_share_that_is_none_is_refused(share: float) -> None:
    with pytest.raises(ValueError, match="share"):
        draw_panel(STRATA, share=share, seed="s")


def test_a_panel_needs_a_seed() -> None:
    with pytest.raises(ValueError, match="seed"):
        draw_panel(STRATA, share=0.5, seed="")


def test_of_nothing_nothing_is_drawn() -> None:
    assert draw_panel({}, share=0.5, seed="s") == ()


@given(
    st.dictionaries(st.integers(0, 300), st.sampled_from("abcd"), min_size=1),
    st.floats(0.05, 1),
    st.text(min_size=1, max_size=3),
)
def test_every_stratum_is_in_it_and_sizes_are_near_their_share(
    strata: dict[int, str], share: float, seed: str
) -> None:
    found = draw_panel(strata, share=share, seed=seed)
    assert list(found) == sorted(set(found) & set(strata))
    sizes = Counter(strata.values())
    drawn = Counter(strata[key] for key in found)
    for name, size in sizes.items():
        assert drawn[name] >= 1
        assert abs(drawn[name] - share * size) <= 1 + 1e-6
    least = ceil(share * len(strata) - 1e-6)
    assert least <= len(found) <= least + len(sizes)


def test_each_pair_has_its_share_of_chances() -> None:
    """Over 400 seeds each of 20 is drawn about 100 times (3 standard errors: 26)."""
    keys = dict.fromkeys(range(20), "x")
    drawn = Counter(
        key for i in range(400) for key in draw_panel(keys, share=0.25, seed=f"{i}")
    )
    assert all(abs(drawn[key] - 100) <= 26 + 9 for key in keys)
