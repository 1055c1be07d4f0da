"""Many processes label one round at once and are killed; count what must be nought.

`python -m benchmarks.contention` lets 16 processes give 5,000 pairs two labels each
through the services, on a PostgreSQL of its own, kills one about every half second and
replaces it, and prints one line of JSON. `--db sqlite --processes 8` does it on SQLite.
With `--haste 600 --dawdle 0.2` a minute lasts a tenth of a second and a fifth of the
pairs are held until their reservation has run out.
"""

# ruff: noqa: INP001, PLC0415 - a script; Django comes before its models

from __future__ import annotations

if not __package__:
    raise SystemExit(
        "Run this from the project's folder as: python -m benchmarks.contention"
    )

import argparse
import json
import os
import random
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.own_site import disconnect, use_database

if TYPE_CHECKING:
    from annotation.models import Round
    from config.accounts.models import User


def main() -> None:
    """Parse the arguments, start a database, label, and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--processes", type=int, default=16)
    parser.add_argument("--pairs", type=int, default=5000)
    parser.add_argument("--labels", type=int, default=2, help="labels per pair")
    parser.add_argument("--kills", type=int, default=60)
    parser.add_argument("--haste", type=float, default=1)
    parser.add_argument("--dawdle", type=float, default=0)
    parser.add_argument("--db", choices=["postgres", "sqlite"], default="postgres")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="evenhand-benchmark-") as home:
        stop = use_database(options.db, Path(home))
        try:
            figures = _measure(options, Path(home))
        finally:
            disconnect()
            stop()
    sys.stdout.write(json.dumps(figures) + "\n")


def _measure(options: argparse.Namespace, home: Path) -> dict[str, object]:
    from annotation.models import Label
    from tests.annotation.crew import Crew, faults, finish_after_expiry

    round_, users = _round(options)
    crew = Crew(home, haste=options.haste, dawdle=options.dawdle)
    try:
        for user in users:
            crew.hire(user.pk, [round_])
        crew.start()
        began = time.monotonic()
        rng = random.Random(5)  # noqa: S311 - when to kill whom
        killed = crew.kill_some([round_], rng, options.kills)
        crew.finish(3600)
        seconds = time.monotonic() - began
    finally:
        crew.dismiss()
    replied = crew.replied()
    at_once = faults(round_, replied)
    finish_after_expiry(round_, users, days=400)
    return {
        "processes": options.processes,
        "killed": killed,
        "labels": len(replied),
        "busy": sum("busy" in hand.lines() for hand in crew.hands),
        "labels_per_s": round(len(replied) / seconds, 1),
        "faults": at_once.total + faults(round_, replied).total,
        **asdict(at_once),
        "seats": round_.seats.count(),
        "labelled_in_the_end": Label.objects.filter(seat__round=round_).count(),
        "database": options.db,
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
    }


def _round(options: argparse.Namespace) -> tuple[Round, list[User]]:
    from django.utils import timezone

    from config.accounts.models import User
    from tests.annotation.factory import make_round, make_set

    users = [
        User.objects.create(username=f"r{number}")
        for number in range(options.processes)
    ]
    # Three pairs a case, so that cases that follow each other would show.
    gold_set = make_set(cases=options.pairs // 3, systems=("a1", "b2", "c3"))
    round_ = make_round(
        gold_set,
        *users,
        labels_per_pair=options.labels,
        minutes=1 if options.haste > 1 else 30,
        now=timezone.now(),
    )
    return round_, users


if __name__ == "__main__":
    main()
