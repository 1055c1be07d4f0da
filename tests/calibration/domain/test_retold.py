"""Almost all of enough calls, and neither fewer nor less."""

from __future__ import annotations

import pytest

from calibration.domain.retold import FEWEST, retold


@pytest.mark.parametrize(
    ("same", "of", "expected"),
    [
        (FEWEST, FEWEST, True), (FEWEST - 1, FEWEST - 1, False), (19, 20, True),
        (18, 20, False), (95, 100, True), (94, 100, False), (0, 0, False),
    ],
)  # fmt: skip
def test_almost_all_of_enough(same: int, of: int, *, expected: bool) -> None:
    assert retold(same, of) is expected
