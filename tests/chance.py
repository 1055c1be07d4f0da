"""The same luck in every run: what a gate says must not hang on a throw of dice.

Keys of gold sets, seeds of rounds and tokens come from the system's randomness, which
no seed reaches. Here it is replaced, for each test and each shared fixture, by a stream
of its own, made of the run's seed (``--randomly-seed``, which pyproject.toml gives) and
the name. Another seed gives another luck, and other examples of Hypothesis.
"""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING

from hypothesis import settings

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

# What pyproject.toml gives to --randomly-seed.
USUAL_SEED = 20261201

_system: Callable[[int], bytes] = os.urandom


def fix_examples(config: pytest.Config) -> None:
    """Let Hypothesis try the same examples in each run with the usual seed."""
    usual = config.getoption("randomly_seed", None) == USUAL_SEED
    settings.register_profile("evenhand", deadline=None, derandomize=usual)
    settings.load_profile("evenhand")


def fix_luck(config: pytest.Config, name: str) -> None:
    """From here on the system's randomness is a stream that the name decides."""
    stream = random.Random(f"{config.getoption('randomly_seed', None)} {name}")
    _replace(stream.randbytes)


def restore_luck() -> None:
    """Give the system's randomness back."""
    _replace(_system)


def _replace(source: Callable[[int], bytes]) -> None:
    os.urandom = source  # read by uuid
    random._urandom = source  # type: ignore[attr-defined]  # by secrets


# Two processes that share a stream would make the same tokens.
os.register_at_fork(after_in_child=restore_luck)
