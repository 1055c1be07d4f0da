"""Where tests find the public data that is not part of the repository."""

from __future__ import annotations

from pathlib import Path

import pytest

_DATA = Path(__file__).parents[1] / "../shared/data"


def shared_data(name: str) -> Path:
    """Path of one shared file; skips the calling test where it is absent."""
    path = _DATA / name
    if not path.exists():
        pytest.skip(f"shared data {name} is not here")
    return path
