"""One adjudicator's process: rules without pause until nothing is left.

Run as `python -m tests.annotation.ruling_worker GO USER_ID [TOKEN]`; waits until the
file GO exists. With a token it rules once, in that hearing. Prints a line for each
ruling that was stored, and `raced` for one that came too late.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import django

if TYPE_CHECKING:
    from config.accounts.models import User

WAITS = 400


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main(go: str, user_id: str, token: str = "") -> None:
    from config.accounts.models import User

    user = User.objects.get(pk=int(user_id))
    say("ready")
    while not Path(go).exists():
        time.sleep(0.002)
    if token:
        rule(user, token)
    else:
        work(user)
    say("end")


def rule(user: User, token: str) -> None:
    from django.utils import timezone

    from annotation.domain.outcomes import SlotChoice
    from annotation.services import hearings
    from config.errors import Conflict

    statement = hearings.Statement(SlotChoice.TIE, "bad_case", f"By {user.pk}.")
    try:
        ruling = hearings.rule(
            token=token, adjudicator=user, statement=statement, now=timezone.now()
        )
    except Conflict as refusal:
        say(refusal.code)
    else:
        say(f"ruling {ruling.pk}")


def work(user: User) -> None:
    from django.utils import timezone

    from annotation.services import hearings

    for _ in range(WAITS):
        docket = hearings.next_hearing(adjudicator=user, now=timezone.now())
        if docket.hearing is not None:
            rule(user, str(docket.hearing.token))
        elif docket.wait_until is None:
            return
        else:
            time.sleep(0.01)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    main(*sys.argv[1:])
