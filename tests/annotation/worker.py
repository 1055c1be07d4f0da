"""One reviewer's process: claims and labels without pause until nothing is left.

Run as `python -m tests.annotation.worker GO USER_ID ROUND_ID...`; waits until the file
GO exists. Prints a line for each label once it is stored. EVENHAND_TEST_HASTE makes its
clock run so many times faster; EVENHAND_TEST_DAWDLE is the share of pairs that it holds
for longer than they are reserved.
"""

from __future__ import annotations

import os
import random
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import django

if TYPE_CHECKING:
    from collections.abc import Callable

PATIENCE = 40
RESERVED = 60.0  # seconds, in rounds that are opened for this


class HastyClock:
    """The same time for all workers, and faster than it is."""

    def __init__(self) -> None:
        self.haste = float(os.environ.get("EVENHAND_TEST_HASTE", "1"))
        self.base = float(os.environ.get("EVENHAND_TEST_BASE", "0"))

    def now(self) -> datetime:
        passed = (time.time() - self.base) * self.haste
        return datetime.fromtimestamp(self.base, UTC) + timedelta(seconds=passed)


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main(go: str, user_id: str, *round_ids: str) -> None:
    from config.accounts.models import User

    user = User.objects.get(pk=int(user_id))
    rng = random.Random(os.getpid())
    say("ready")
    while not Path(go).exists():
        time.sleep(0.005)
    for round_id in round_ids:
        work(user, int(round_id), rng)
    say("end")


def work(user: Any, round_id: int, rng: random.Random) -> None:
    from annotation.services.queue import AllDone, NothingNow, next_assignment

    clock, waits = HastyClock(), 0
    while waits < PATIENCE:
        found = until_not_busy(
            lambda: next_assignment(
                round_id=round_id, reviewer=user, now=clock.now(), rng=rng
            )
        )
        if isinstance(found, AllDone):
            return
        if isinstance(found, NothingNow):
            waits += 1
            time.sleep(0.025)
            continue
        waits = 0
        if rng.random() < float(os.environ.get("EVENHAND_TEST_DAWDLE", "0")):
            time.sleep(rng.uniform(0.9, 2) * RESERVED / clock.haste)
        submit(user, found, clock, rng)


def until_not_busy(act: Callable[[], Any]) -> Any:
    """Try again where SQLite's one writer made us wait too long, as a browser would."""
    from django.db import OperationalError

    while True:
        try:
            return act()
        except OperationalError as error:
            if "locked" not in str(error):
                raise
            say("busy")


def submit(user: Any, found: Any, clock: HastyClock, rng: random.Random) -> None:
    """Label as the pages do, claiming the next pair at once, or the label alone."""
    from annotation.domain.outcomes import SlotChoice
    from annotation.services.labelling import Answer, submit_label
    from annotation.services.turns import take_turn
    from config.errors import Conflict

    choices = list(SlotChoice)
    try:
        # The same answer from all tabs of one person, and when it is sent again.
        choice = choices[found.token.int % len(choices)]
        reason = "broken_text" if choice is SlotChoice.ABSTAIN else ""
        answer = Answer(choice, abstain_reason=reason)
        given = {"token": str(found.token), "reviewer": user, "answer": answer}
        if found.token.int // len(choices) % 4:
            turn = until_not_busy(lambda: take_turn(**given, now=clock.now(), rng=rng))
            label = turn.label
        else:
            label = until_not_busy(lambda: submit_label(**given, now=clock.now()))
    except Conflict as refusal:
        say(f"refused: {refusal.code}")
    else:
        say(f"label {label.pk}")


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    main(*sys.argv[1:])
