"""Label with many reviewers at once over HTTP, and print one line of JSON.

`python -m benchmarks.queue` fills a PostgreSQL of its own with 100,000 pairs, serves it
with `manage.py serve`, and lets 16 reviewers sign in and label without pause: each
submits and gets the next pair in one request.

- ``submits_per_s``, ``p50_ms``, ``p95_ms``: of that one request, after a warm-up;
- ``cpu_ms_per_submit``: processor time of web server, database and client. What two
  idle cores could do is 2,000 / their sum, whatever else this machine has to do;
- ``claim_execution_ms``: the claim alone, by EXPLAIN ANALYZE, of a reviewer who has
  just labelled all that time;
- ``nothing_left_*_ms``: the answer to a reviewer for whom nothing is left, the first
  time and again; ``all`` has labelled every pair, ``half`` all that is still open;
- ``over_labelled``, ``doubles``: pairs with too many labels, or two of one person.
"""

# ruff: noqa: INP001, PLC0415 - a script; Django comes before its models

from __future__ import annotations

if not __package__:
    raise SystemExit(
        "Run this from the project's folder as: python -m benchmarks.queue"
    )

import argparse
import asyncio
import json
import os
import platform
import signal
import sys
import tempfile
import time
from pathlib import Path
from statistics import quantiles

from benchmarks.cpu import cpu_of_tree, postmaster
from benchmarks.own_site import disconnect, free_port, serve, until_up, use_database

PASSWORD = "a password of this benchmark only"  # noqa: S105 - guards nothing
WARM_UP = 3.0


def main() -> None:
    """Parse the arguments, fill a database, serve it, label, and print the figures."""
    options = _options()
    with tempfile.TemporaryDirectory(prefix="evenhand-benchmark-") as temporary:
        home = Path(temporary)
        stop = use_database(options.db, home)
        from benchmarks import queue_rows

        try:
            round_id = queue_rows.fill(
                options.pairs, options.labels, options.reviewers, PASSWORD
            )
            figures = asyncio.run(_over_http(options, round_id, postmaster(home)))
            # Afterwards, since a claim may take the longer the more labels are in, and
            # since it leaves dead rows behind that no real site would have.
            figures |= queue_rows.inside(round_id)
            figures |= queue_rows.check(round_id)
        finally:
            disconnect()
            stop()
    sys.stdout.write(json.dumps(figures | {"machine": _machine(options)}) + "\n")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--labels", type=int, default=2, help="labels per pair")
    parser.add_argument("--reviewers", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--think", type=float, default=0, help="seconds, on average")
    parser.add_argument("--door", choices=["page", "api"], default="page")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--threads", type=int, default=6)
    parser.add_argument("--db", choices=["postgres", "sqlite"], default="postgres")
    return parser.parse_args()


async def _over_http(
    options: argparse.Namespace, round_id: int, database: int | None
) -> dict[str, object]:
    from benchmarks.queue_client import Browser, Shift, work

    port = free_port()
    server = serve(port, workers=options.workers, threads=options.threads)
    try:
        await until_up(port)
        people = [Browser(port, f"r{n}") for n in range(options.reviewers)]
        for person in people:
            await person.sign_in(PASSWORD)
        began = time.monotonic()
        until = began + WARM_UP + options.seconds
        shift = Shift(options.door, round_id, options.think, until)
        shifts = asyncio.gather(*(work(person, shift) for person in people))
        await asyncio.sleep(WARM_UP)
        before = _cpu(server.pid, database)
        records = await shifts
        spent = [b - a for a, b in zip(before, _cpu(server.pid, database), strict=True)]
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(20)
    spans = [span for record in records for span in record.spans]
    counted = [took for start, took in spans if start >= began + WARM_UP]
    return {
        "submits_per_s": round(len(counted) / options.seconds, 1),
        "p50_ms": _percentile(counted, 50),
        "p95_ms": _percentile(counted, 95),
        "p99_ms": _percentile(counted, 99),
        "submits": len(spans),
        "refused": sum(record.refused for record in records),
        "cpu_ms_per_submit": {
            name: round(seconds / max(len(counted), 1) * 1000, 2)
            for name, seconds in zip(("web", "database", "client"), spent, strict=True)
        },
        "door": options.door,
        "think_s": options.think,
        "reviewers": options.reviewers,
        "pairs": options.pairs,
    }


def _cpu(server: int, database: int | None) -> tuple[float, float, float]:
    """CPU seconds so far: of the web server, the database, and this client."""
    stored = cpu_of_tree(database) if database else 0.0
    return cpu_of_tree(server), stored, time.process_time()


def _percentile(values: list[float], percent: int) -> float:
    return round(quantiles(values, n=100)[percent - 1] * 1000, 1)


def _machine(options: argparse.Namespace) -> dict[str, object]:
    return {
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
        "python": platform.python_version(),
        "system": platform.platform(terse=True),
        "database": options.db,
        "workers": options.workers,
        "threads": options.threads,
    }


if __name__ == "__main__":
    main()
