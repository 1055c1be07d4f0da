"""Worker processes at one queue, killed and replaced; and what must hold afterwards."""

from __future__ import annotations

import contextlib
import random
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING

from django.utils import timezone

from annotation.models import Assignment, Label, Round, RoundMember, Seat
from annotation.services.queue import AllDone
from tests.annotation.factory import Clock, Desk
from tests.processes import ROOT, environment

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from config.accounts.models import User

WORKER = "tests.annotation.worker"


@dataclass
class Hand:
    """One process, who it works as, and what it printed."""

    user_id: int
    process: subprocess.Popen[bytes]
    output: Path

    def lines(self) -> list[str]:
        return self.output.read_text().splitlines()


@dataclass
class Crew:
    """Processes that start together. Each prints into a file, so that none waits."""

    folder: Path
    haste: float = 1
    dawdle: float = 0
    hands: list[Hand] = field(default_factory=list)
    gone: list[Hand] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.go = self.folder / "go"
        self.environment = environment(
            self.folder,
            EVENHAND_TEST_HASTE=str(self.haste),
            EVENHAND_TEST_DAWDLE=str(self.dawdle),
            EVENHAND_TEST_BASE=str(time.time()),
        )

    def hire(self, user_id: int, rounds: Sequence[Round]) -> Hand:
        ids = [str(r.pk) for r in rounds]
        output = self.folder / f"hand-{len(self.hands) + len(self.gone)}.txt"
        with output.open("wb") as file:
            process = subprocess.Popen(
                [sys.executable, "-m", WORKER, str(self.go), str(user_id), *ids],
                cwd=ROOT,
                env=self.environment,
                stdout=file,
            )
        hand = Hand(user_id, process, output)
        self.hands.append(hand)
        return hand

    def start(self, seconds: float = 120) -> None:
        deadline = time.monotonic() + seconds
        while not all("ready" in hand.lines() for hand in self.hands):
            assert time.monotonic() < deadline, "the workers did not start"
            time.sleep(0.05)
        self.go.touch()

    def kill(self, hand: Hand) -> None:
        hand.process.kill()
        hand.process.wait()
        self.hands.remove(hand)
        self.gone.append(hand)

    def kill_after(self, hand: Hand, *, labels: int, seconds: float = 120) -> list[str]:
        """Kill one who has stored so many; what it had printed by then."""
        deadline = time.monotonic() + seconds
        while sum("label" in line for line in hand.lines()) < labels:
            assert time.monotonic() < deadline, "too few labels"
            time.sleep(0.005)
        self.kill(hand)
        return [line for line in hand.lines() if line.startswith("label")]

    def kill_some(self, rounds: Sequence[Round], rng: random.Random, times: int) -> int:
        """Kill workers in mid-work, each replaced by a new one of the same person."""
        killed = 0
        for _ in range(times):
            time.sleep(rng.uniform(0.1, 0.6))
            busy = [hand for hand in self.hands if hand.process.poll() is None]
            if not busy:
                break
            victim = rng.choice(busy)
            self.kill(victim)
            killed += 1
            self.hire(victim.user_id, rounds)
        return killed

    def finish(self, seconds: float = 240) -> None:
        deadline = time.monotonic() + seconds
        for hand in self.hands:
            hand.process.wait(max(1.0, deadline - time.monotonic()))

    def dismiss(self) -> None:
        for hand in self.hands:
            with contextlib.suppress(ProcessLookupError):
                hand.process.kill()
            hand.process.wait()

    def replied(self) -> set[int]:
        """Labels that somebody was told are stored."""
        lines = [line for hand in [*self.hands, *self.gone] for line in hand.lines()]
        return {int(line.split()[1]) for line in lines if line.startswith("label ")}


@dataclass(frozen=True)
class Faults:
    """What must be nought."""

    doubles: int
    over_labelled: int
    lost: int
    seats_astray: int
    miscounted: int
    neighbours: int

    @property
    def total(self) -> int:
        return sum(vars(self).values())


def faults(round_: Round, replied: set[int] | None = None) -> Faults:
    rows = Label.objects.filter(seat__round=round_, revision=1)
    labels = list(rows.select_related("seat"))
    by_pair = Counter(label.pair_id for label in labels)
    own = Counter((label.pair_id, label.reviewer_id) for label in labels)
    done = Seat.objects.filter(round=round_, available_at__isnull=True)
    astray = sum(
        label.seat is None or label.seat.reviewer_id != label.reviewer_id
        for label in labels
    )
    mine = Counter(label.reviewer_id for label in labels)
    stored = set(Label.objects.values_list("pk", flat=True))
    return Faults(
        doubles=sum(count > 1 for count in own.values()),
        over_labelled=sum(count > round_.labels_per_pair for count in by_pair.values()),
        lost=len((replied or set()) - stored),
        seats_astray=astray + abs(done.count() - len(labels)),
        miscounted=sum(
            member.labels != mine[member.reviewer_id]
            for member in RoundMember.objects.filter(round=round_)
        ),
        neighbours=unmarked_neighbours(round_),
    )


def unmarked_neighbours(round_: Round) -> int:
    """Two pairs of one case in a row that were not marked as such."""
    shown: dict[int, int] = {}
    found = 0
    rows = Assignment.objects.filter(round=round_).order_by("claimed_at", "pk")
    for row in rows.select_related("pair"):
        same = shown.get(row.reviewer_id) == row.pair.case_id
        found += same and not row.same_case_again
        shown[row.reviewer_id] = row.pair.case_id
    return found


def finish_after_expiry(round_: Round, users: Sequence[User], *, days: int = 1) -> None:
    """When all reservations have run out, the living get what the dead ones held."""
    clock = Clock(timezone.now() + timedelta(days=days))
    for user in users:
        desk = Desk(round_, user, clock, random.Random(1))
        desk.label_all()
        assert desk.next() == AllDone()
