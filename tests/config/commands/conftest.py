"""Sites that a test starts; none of them outlives it."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from tests.config.commands.site import END_SECONDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.config.commands.site import Site


@pytest.fixture
def sites(transactional_db: None) -> Iterator[list[Site]]:
    started: list[Site] = []
    yield started
    for site in started:
        # The whole session, or a process that came later keeps the pipe open.
        with suppress(ProcessLookupError):
            os.killpg(site.process.pid, signal.SIGKILL)
        site.process.communicate(timeout=END_SECONDS)
