"""A world for each test that wants one."""

from __future__ import annotations

import pytest

from tests.calibration.world import World, make_world


@pytest.fixture
def world(db: None) -> World:
    return make_world()
