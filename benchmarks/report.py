"""How long the figures of a large report take.

`python -m benchmarks.report` makes 100,000 pairs in 20 slices, half of them held out,
and prints one line of JSON: ``build_s`` to check and code rows, ``report_s`` for all
figures of dev, held-out and all pairs with 10,000 resamples each, ``pairs``, and
``cpu_s``, the processor time of both, which is what counts on a machine that is busy.
"""

# ruff: noqa: INP001 - a script

from __future__ import annotations

import json
import sys
from random import Random
from time import perf_counter, process_time

import numpy as np

from annotation.domain.outcomes import Outcome, Split
from calibration.domain.blocks import calibrate
from calibration.domain.samples import Row, Sample
from judging.domain.terms import Consistency, JudgeOutcome, TieSource

SYSTEMS = ("v12", "v13")


def main() -> None:
    """Make the rows, compute, print."""
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    random = Random(7)  # noqa: S311 - made-up data
    rows = [_row(index, random) for index in range(pairs)]
    start, used = perf_counter(), process_time()
    sample = Sample.build(rows, SYSTEMS)
    built = perf_counter()
    calibrate(sample, np.random.default_rng(1))
    found = {
        "benchmark": "report",
        "pairs": pairs,
        "build_s": round(built - start, 3),
        "report_s": round(perf_counter() - built, 3),
        "cpu_s": round(process_time() - used, 3),
    }
    sys.stdout.write(json.dumps(found) + "\n")


def _row(index: int, random: Random) -> Row:
    gold = random.choice(list(Outcome)[:3])
    same = random.random() < 0.8  # noqa: PLR2004 - how good the judge is
    said = JudgeOutcome((gold if same else random.choice(list(Outcome)[:3])).value)
    return Row(
        pair=f"p{index:06}",
        case=f"c{index:06}",
        cluster=f"c{index:06}",
        systems=SYSTEMS,
        split=Split.DEV if index % 2 else Split.HELD_OUT,
        slices={"slice": f"s{random.randrange(20):02}"},
        critical=random.random() < 0.1,  # noqa: PLR2004 - share of critical pairs
        gold=gold,
        gold_source="consensus",
        baseline_first=said,
        candidate_first=said,
        verdict=said,
        consistency=Consistency.CONSISTENT,
        tie_source=TieSource.STATED if said is JudgeOutcome.TIE else None,
        calls=(),
        lengths=(random.randrange(200, 900), random.randrange(200, 900)),
    )


if __name__ == "__main__":
    main()
