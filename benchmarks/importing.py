"""Import 100,000 pairs and their labels, export them again; print one line of JSON.

`python -m benchmarks.importing [--pairs N] [--databases sqlite,postgres]`. Each step is
a command of its own, as a person would run it: seconds are those of the whole process,
cpu_seconds what it used of them (the rest went to the database, the disk and whoever
else is at work), megabytes its largest resident set. PostgreSQL is DATABASE_URL where
that names one, otherwise a throw-away server; its own memory is not counted.
"""

# ruff: noqa: INP001 - a script that first says how it is started

from __future__ import annotations

if not __package__:
    raise SystemExit(
        "Run this from the project's folder as: python -m benchmarks.importing"
    )

import argparse
import json
import os
import platform
import random
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parents[1]

if TYPE_CHECKING:
    from collections.abc import Iterator

SYSTEMS = ("heron", "plover")
WORDS = [
    "order",
    "parcel",
    "refund",
    "account",
    "letter",
    "window",
    "garden",
    "bridge",
    "silver",
    "answer",
    "please",
    "customer",
    "within",
    "before",
    "after",
    "because",
    "kettle",
    "return",
    "receipt",
    "thirty",
    "days",
    "policy",
    "Grüße",
    "вопрос",
    "注文",
]
KINDS = ("refund", "howto", "policy", "billing")
MEGABYTE = 1024 * 1024
POSTGRES = ("postgres://", "postgresql://")


def text(rng: random.Random, words: int) -> str:
    """Words at random, a line now and then."""
    return " ".join(rng.choices(WORDS, k=words)) + ".\n"


def case_row(number: int, rng: random.Random) -> dict[str, object]:
    """One case of about 1.5 kB."""
    return {
        "case_id": f"case-{number:06d}",
        "prompt": text(rng, 40),
        "responses": {name: text(rng, 80) for name in SYSTEMS},
        "slices": {"category": rng.choice(KINDS), "language": "en"},
        "split": "dev",
    }


def label_row(number: int, rng: random.Random) -> dict[str, object]:
    """One label of one outside reviewer."""
    outcomes = ("baseline", "candidate", "tie", "abstain")
    return {
        "case_id": f"case-{number:06d}",
        "reviewer": f"reviewer-{number % 16}",
        "outcome": rng.choice(outcomes),
        "note": f'=HYPERLINK("x"), "quoted"\n{text(rng, 6)}',
    }


def write_rows(path: Path, rows: Iterator[dict[str, object]]) -> float:
    """Write a JSONL file; return its megabytes."""
    with path.open("w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
    return round(path.stat().st_size / MEGABYTE, 1)


def run(url: str, home: Path, *command: str, to: str = "") -> dict[str, float]:
    """Run a manage.py command; return its seconds and its largest resident set."""
    env = {
        **os.environ,
        "DATABASE_URL": url,
        "EVENHAND_VAR": str(home),
        "EVENHAND_INSECURE_HTTP": "1",
        "SECRET_KEY": "only for a benchmark, on a database that is thrown away",
        "LOG_LEVEL": "WARNING",
    }
    target = Path(to) if to else Path(os.devnull)
    began = time.perf_counter()
    with target.open("wb") as out:
        child = subprocess.Popen(  # noqa: S603 - our own command
            [sys.executable, str(ROOT / "manage.py"), *command], env=env, stdout=out
        )
        _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"{command[0]} ended with {child.returncode}")
    return {
        "seconds": round(time.perf_counter() - began, 2),
        "cpu_seconds": round(usage.ru_utime + usage.ru_stime, 2),
        "megabytes": round(usage.ru_maxrss / 1024),
    }


def measure(url: str, home: Path, files: Path) -> dict[str, object]:
    """All steps on one database."""
    pairs, labels = str(files / "pairs.jsonl"), str(files / "labels.jsonl")
    out = str(files / "out.csv")
    name = ("--gold-set", "bench")
    run(url, home, "migrate", "--verbosity", "0")
    systems = ",".join(SYSTEMS)
    return {
        "import_pairs": run(
            url, home, "import_pairs", pairs, *name, "--systems", systems
        ),
        "import_pairs_again": run(url, home, "import_pairs", pairs, *name),
        "import_labels": run(url, home, "import_labels", labels, *name),
        "export_labels_csv": run(
            url, home, "export_labels", "bench", "--format", "csv", to=out
        ),
        "export_labels_jsonl": run(url, home, "export_labels", "bench", to=out),
    }


def machine() -> dict[str, object]:
    """What it ran on."""
    pages = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
        "memory_gb": round(pages / 1024**3),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
    }


def options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--databases", default="sqlite,postgres")
    return parser.parse_args()


def database(kind: str, home: Path, stack: ExitStack) -> str:
    """The address of an empty database."""
    given = os.environ.get("DATABASE_URL", "")
    if kind == "sqlite":
        return f"sqlite:///{home / 'bench.sqlite3'}"
    if given.startswith(POSTGRES):
        return given
    # Its package is there for development only.
    from tests.postgres import start_server  # noqa: PLC0415 - see above

    url, stop = start_server(home)
    stack.callback(stop)
    return url


def main() -> None:
    """Generate, measure, print."""
    given = options()
    with ExitStack() as stack:
        files = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        rng = random.Random(1)  # noqa: S311 - test data
        numbers = range(given.pairs)
        found: dict[str, object] = {
            "benchmark": "importing",
            "pairs": given.pairs,
            "pairs_file_mb": write_rows(
                files / "pairs.jsonl", (case_row(n, rng) for n in numbers)
            ),
        }
        write_rows(files / "labels.jsonl", (label_row(n, rng) for n in numbers))
        for kind in given.databases.split(","):
            home = Path(
                stack.enter_context(
                    tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
                )
            )
            found[kind] = measure(database(kind, home, stack), home, files)
        print(json.dumps({**found, "machine": machine()}))  # noqa: T201 - its output


if __name__ == "__main__":
    main()
