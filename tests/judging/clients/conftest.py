"""A simulated server whose options a test plants."""

from __future__ import annotations

import pytest

from judging.simulator.options import Options
from judging.simulator.running import SimulatedJudge


@pytest.fixture(scope="module")
def server():
    with SimulatedJudge() as judge:
        yield judge


@pytest.fixture
def plant(server):
    """Plant options for one test."""

    def change(**options):
        server.options = Options(**options)
        return server

    yield change
    server.options = Options()
