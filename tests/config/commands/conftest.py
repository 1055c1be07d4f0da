"""Sites that a test starts; none of them outlives it."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.config.commands.site import Site


@pytest.fixture
def sites(transactional_db: None) -> Iterator[list[Site]]:
    started: list[Site] = []
    yield started
    for site in started:
        for pid in site.left():
            os.kill(pid, signal.SIGKILL)
        site.process.kill()
        site.process.communicate()
