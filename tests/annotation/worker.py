"""One reviewer's process: claims and labels without pause until nothing is left.

Run as `python -m tests.annotation.worker GO USER_ID ROUND_ID...`; waits until the file
GO exists. Prints a line for each label once it is stored.
"""

from __future__ import annotations

import os
import random
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import django

if TYPE_CHECKING:
    from config.accounts.models import User

PATIENCE = 40


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


def work(user: User, round_id: int, rng: random.Random) -> None:
    from django.utils import timezone

    from annotation.domain.outcomes import SlotChoice
    from annotation.services.labelling import Answer, submit_label
    from annotation.services.queue import AllDone, NothingNow, next_assignment

    choices, waits = list(SlotChoice), 0
    while waits < PATIENCE:
        found = next_assignment(
            round_id=round_id, reviewer=user, now=timezone.now(), rng=rng
        )
        if isinstance(found, AllDone):
            return
        if isinstance(found, NothingNow):
            waits += 1
            time.sleep(0.025)
            continue
        waits = 0
        label = submit_label(
            token=str(found.token),
            reviewer=user,
            # The same answer from all tabs of one person.
            answer=Answer(choices[found.token.int % len(choices)]),
            now=timezone.now(),
        )
        say(f"label {label.pk}")


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    main(*sys.argv[1:])
