"""Tests draw the same luck in each run, and processes they fork do not share it."""

from __future__ import annotations

import multiprocessing
import secrets
import uuid
from typing import TYPE_CHECKING

from tests.chance import fix_luck

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    import pytest


def drawn() -> tuple[str, str, int]:
    return (
        secrets.token_hex(8),
        str(uuid.uuid4()),
        secrets.SystemRandom().randrange(9**9),
    )


def test_one_name_gives_one_luck(request: pytest.FixtureRequest) -> None:
    fix_luck(request.config, "a name")
    first = drawn()
    assert drawn() != first
    fix_luck(request.config, "another name")
    assert drawn() != first
    fix_luck(request.config, "a name")
    assert drawn() == first


def send_luck(end: Connection) -> None:
    end.send(drawn())


def test_a_forked_process_has_luck_of_its_own(request: pytest.FixtureRequest) -> None:
    fix_luck(request.config, "a name")
    mine, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(
        target=send_luck, args=(theirs,)
    )
    process.start()
    assert mine.poll(30)
    sent = mine.recv()
    process.join(30)
    assert sent != drawn()
