"""Export an audit bundle of 100,000 pairs and verify it; print one line of JSON.

`python -m benchmarks.audit [--pairs N] [--databases sqlite,postgres]`. Each pair has
three outside labels and a recorded reply in both orders; then gold is frozen, a report
made, the bundle written, and verified with nothing but the bundle. Each step is a
command of its own: seconds are those of the whole process, megabytes its largest
resident set.
"""

# ruff: noqa: INP001 - a script that first says how it is started

from __future__ import annotations

if not __package__:
    raise SystemExit(
        "Run this from the project's folder as: python -m benchmarks.audit"
    )

import argparse
import json
import random
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.importing import (
    MEGABYTE,
    SYSTEMS,
    case_row,
    database,
    machine,
    run,
    text,
    write_rows,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

OUTCOMES = ("baseline", "candidate", "tie")
TOKENS = ("[[A>>B]]", "[[A>B]]", "[[A=B]]", "[[B>A]]", "[[B>>A]]", "I can't say.")


def label_rows(pairs: int, rng: random.Random) -> Iterator[dict[str, object]]:
    """Three reviewers' labels of each pair."""
    for number in range(pairs):
        for reviewer in range(3):
            yield {
                "case_id": f"case-{number:06d}",
                "reviewer": f"reviewer-{reviewer}",
                "outcome": rng.choice(OUTCOMES),
                "note": text(rng, 4),
            }


def verdict_rows(pairs: int, rng: random.Random) -> Iterator[dict[str, object]]:
    """A reply in each order."""
    for number in range(pairs):
        for order in ("baseline_first", "candidate_first"):
            yield {
                "case_id": f"case-{number:06d}",
                "order": order,
                "raw": f"{text(rng, 30)}\n{rng.choice(TOKENS)}",
            }


def measure(url: str, home: Path, files: Path) -> dict[str, object]:
    """All steps on one database."""
    bundle, name = home / "bundle.zip", ("--gold-set", "bench")
    run(url, home, "migrate", "--verbosity", "0")
    pairs, labels, verdicts = (
        str(files / f"{each}.jsonl") for each in ("pairs", "labels", "verdicts")
    )
    run(url, home, "import_pairs", pairs, *name, "--systems", ",".join(SYSTEMS))
    run(url, home, "import_labels", labels, *name)
    run(url, home, "freeze_gold", "bench", "--rule", "mode_or_tie")
    run(url, home, "import_verdicts", verdicts, *name, "--judge", "j")
    report = run(url, home, "report", *name, "--judge", "j", "--json")
    exported = run(url, home, "export_audit", "bench", "--output", str(bundle))
    nowhere = "postgres://nobody@127.0.0.1:1/none"
    return {
        "report": report,
        "export_audit": exported,
        "bundle_mb": round(bundle.stat().st_size / MEGABYTE, 1),
        "verify_audit": run(nowhere, home, "verify_audit", str(bundle)),
    }


def main() -> None:
    """Generate, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--databases", default="sqlite,postgres")
    given = parser.parse_args()
    with ExitStack() as stack:
        files = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        rng = random.Random(1)  # noqa: S311 - test data
        cases = (case_row(number, rng) for number in range(given.pairs))
        write_rows(files / "pairs.jsonl", cases)
        write_rows(files / "labels.jsonl", label_rows(given.pairs, rng))
        write_rows(files / "verdicts.jsonl", verdict_rows(given.pairs, rng))
        found: dict[str, object] = {"benchmark": "audit", "pairs": given.pairs}
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
