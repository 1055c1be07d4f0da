"""How fast a judge run is stored, against the simulated judge in a process of its own.

`python -m benchmarks.judging` makes 2,000 calls with 64 in flight at 200 ms each, keeps
every verdict in a PostgreSQL server of its own, and prints one line of JSON:

- ``rate``: calls a second, from the first request to the last commit;
- ``ideal``: calls in flight divided by latency; ``share``: rate / ideal;
- ``latency_ms``: how long a call took as the runner saw it, on average; what is above
  the judge's own latency is the machine's, which judge, runner and database share;
- ``cpu_s_per_1000``: CPU seconds of the runners' processes for 1,000 calls.

With ``--runners 2`` two processes share the run, half of the calls in flight each. With
``--faults`` 5 % each of the requests are refused (429), fail (500) and hang, and 1 %
each of the replies are malformed in five ways. ``faults`` then says what was planted,
and what was stored besides: ``lost`` calls have no answer, ``invented`` valid answers
were read from malformed replies; ``bought`` is how many replies the judge gave.
"""

# ruff: noqa: INP001, PLC0415 - a script; Django comes before its models

from __future__ import annotations

if not __package__:
    raise SystemExit(
        "Run this from the project's folder as: python -m benchmarks.judging"
    )

import argparse
import json
import multiprocessing
import os
import platform
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.own_site import disconnect, use_database

if TYPE_CHECKING:
    from judging.models import Run
    from judging.simulator.options import Options

WORDS = "the reply answers what was asked and explains each of its steps in turn "
RESPONSE = WORDS * 16  # about 1.2 kB, so that a prompt has about 3 kB


def main() -> None:
    """Parse the arguments, start a database, run, and print the figures."""
    options = _options()
    with tempfile.TemporaryDirectory(prefix="evenhand-benchmark-") as home:
        stop = use_database(options.db, Path(home))
        try:
            figures = _measure(options)
        finally:
            disconnect()
            stop()
    sys.stdout.write(json.dumps(figures) + "\n")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=2000)
    parser.add_argument("--concurrency", type=int, default=64)
    parser.add_argument("--latency", type=float, default=0.2)
    parser.add_argument("--db", choices=["postgres", "sqlite"], default="postgres")
    parser.add_argument("--runners", type=int, default=1)
    parser.add_argument("--faults", action="store_true")
    parser.add_argument("--profile", help="write the profile of the runner here")
    return parser.parse_args()


def _measure(options: argparse.Namespace) -> dict[str, object]:
    from judging.simulator.running import SimulatedJudgeProcess

    with SimulatedJudgeProcess(_planted(options)) as judge:
        run = _run(judge.base_url, options)
        cpu = _together(run, options)
        stats = judge.stats()
    calls, seconds = run.calls.count(), _seconds(run)
    ideal = options.concurrency / options.latency
    figures: dict[str, object] = {
        "rate": round(calls / seconds, 1),
        "ideal": ideal,
        "share": round(calls / seconds / ideal, 3),
        "latency_ms": round(_latency(run)),
        "cpu_s_per_1000": round(cpu / calls * 1000, 2),
        "calls": calls,
        "seconds": round(seconds, 2),
        "runners": options.runners,
        "machine": {
            "cores": os.cpu_count(),
            "load": round(os.getloadavg()[0], 1),
            "python": platform.python_version(),
            "system": platform.platform(terse=True),
            "database": options.db,
        },
    }
    return figures | ({"faults": _account(run, stats)} if options.faults else {})


def _planted(options: argparse.Namespace) -> Options:
    from judging.simulator.options import Fault, Options, Shape

    if not options.faults:
        return Options(latency=options.latency)
    faults = (Fault.RATE_LIMITED, Fault.SERVER_ERROR, Fault.HANG)
    shapes = (
        Shape.UNPARSED,
        Shape.OFF_MENU,
        Shape.CONFLICTING,
        Shape.TRUNCATED,
        Shape.NO_CHOICES,
    )
    return Options(
        latency=options.latency,
        faults=dict.fromkeys(faults, 0.05),
        shapes=dict.fromkeys(shapes, 0.01),
        retry_after=0.2,
    )


def _account(run: Run, stats: dict[str, Any]) -> dict[str, object]:
    """Compare what was planted with what was stored."""
    from collections import Counter

    from judging.models import Attempt, Reply

    replies = Reply.objects.filter(call__run=run)
    invalid = Counter(replies.values_list("invalid_reason", flat=True))
    planted = dict(stats["shapes"])
    valid = planted.pop("verdict", 0)
    return {
        "planted": stats["faults"],
        "malformed": planted,
        "invalid": {reason: n for reason, n in invalid.items() if reason},
        "lost": run.calls.count() - replies.count(),
        "invented": invalid[""] - valid,
        "bought": stats["bought"],
        "attempts": Attempt.objects.filter(call__run=run).count(),
    }


def _together(run: Run, options: argparse.Namespace) -> float:
    """Have the run carried out by one process or several; give their CPU seconds."""
    if options.runners == 1:
        cpu = time.process_time()
        _carry_out(run, options.profile, options.concurrency)
        return time.process_time() - cpu
    disconnect()
    share = -(-options.concurrency // options.runners)
    with multiprocessing.get_context("fork").Pool(options.runners) as pool:
        return sum(pool.starmap(_apart, [(run.pk, share)] * options.runners, 1))


def _apart(run_id: int, concurrency: int) -> float:
    """Take part in a run, in a process of its own; give its CPU seconds."""
    from judging.models import Run

    cpu = time.process_time()
    run = Run.objects.select_related("config__provider").get(pk=run_id)
    _carry_out(run, None, concurrency)
    return time.process_time() - cpu


def _run(base_url: str, options: argparse.Namespace) -> Run:
    """Make a gold set of as many pairs as the calls need, and a run of it."""
    from tests.annotation.factory import add_case, make_set
    from tests.judging.factory import make_run

    gold_set = make_set(0)
    systems = list(gold_set.systems.all())
    for number in range(options.calls // 2):
        name = f"case-{number:04d}"
        texts = [f"{side} {number}: {RESPONSE}" for side in ("One", "Two")]
        add_case(gold_set, systems, name, texts)
    return make_run(base_url, gold_set=gold_set, concurrency=options.concurrency)


def _carry_out(run: Run, profile: str | None, concurrency: int) -> None:
    from judging.clients.openai_chat import OpenAIChatClient
    from judging.services.working import work_on

    # Hung calls are given up after 2 s: the simulated judge answers in less.
    def work() -> None:
        work_on(
            run,
            open_client=OpenAIChatClient,
            concurrency=concurrency,
            call_seconds=2.0,
        )

    if profile is None:
        work()
        return
    import cProfile

    with cProfile.Profile() as profiler:
        work()
    profiler.dump_stats(profile)


def _latency(run: Run) -> float:
    from django.db.models import Avg

    mean = run.calls.aggregate(mean=Avg("attempts__latency_ms"))["mean"]
    return float(mean or 0)


def _seconds(run: Run) -> float:
    """From the first request to the last commit (the closing of the run's books)."""
    from django.db.models import Min

    run.refresh_from_db()
    first = run.calls.aggregate(first=Min("attempts__sent_at"))["first"]
    if run.status != "done" or run.finished_at is None:
        raise SystemExit(f"the run is {run.status}: {run.failure}")
    seconds: float = (run.finished_at - first).total_seconds()
    return seconds


if __name__ == "__main__":
    main()
