"""How long the figures of a large report take.

`python -m benchmarks.report` makes 100,000 pairs in 20 slices, half of them held out,
and prints one line of JSON: ``build_s`` to check and code rows, ``report_s`` for all
figures of dev, held-out and all pairs with 10,000 resamples each, ``pairs``, and
``cpu_s``, the processor time of both, which is what counts on a machine that is busy.
``tov_650x6_s`` and ``tov_12_s`` are CPU seconds of exact TOV: of 650 questions with 6
answers, and of the slowest of a few questions with 12.

Where scikit-learn is installed also ``plain_bootstrap_s`` and ``plain_tov_650x6_s``:
what it takes with ``scipy.stats.bootstrap``, and what trying every weak order takes,
for a part of the same. Both are measured on a part and multiplied. ``--no-plain``
leaves them out.
"""

# ruff: noqa: INP001 - a script that first says how it is started

from __future__ import annotations

if not __package__:
    raise SystemExit(
        "Run this from the project's folder as: python -m benchmarks.report"
    )

import argparse
import json
import sys
from importlib.util import find_spec
from random import Random
from time import perf_counter, process_time
from typing import TYPE_CHECKING

import numpy as np

from annotation.domain.outcomes import Outcome, Split
from calibration.domain.blocks import calibrate
from calibration.domain.orders import order_violations
from calibration.domain.samples import Row, Sample
from judging.domain.terms import Consistency, JudgeOutcome, TieSource

if TYPE_CHECKING:
    from calibration.domain.orders import Matrices

SYSTEMS = ("v12", "v13")


def main() -> None:
    """Make the rows, compute, print."""
    asked = _asked()
    pairs = asked.pairs
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
        **_orders(),
    }
    if asked.plain:
        found |= _plain(sample)
    sys.stdout.write(json.dumps(found) + "\n")


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.report",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("pairs", type=int, nargs="?", default=100_000, help="(100000)")
    parser.add_argument(
        "--plain",
        action=argparse.BooleanOptionalAction,
        default=find_spec("sklearn") is not None,
        help="measure the plain way too (where scikit-learn is installed)",
    )
    asked = parser.parse_args()
    if asked.pairs < 1:
        parser.error("pairs must be 1 or more")
    return asked


def _orders() -> dict[str, float]:
    """CPU seconds of exact TOV: of all questions, and of the slowest large one."""
    start = process_time()
    order_violations(_questions(650, 6))
    many = process_time() - start
    large = []
    for one in _questions(5, 12):
        start = process_time()
        order_violations(one[None])
        large.append(process_time() - start)
    return {"tov_650x6_s": round(many, 4), "tov_12_s": round(max(large), 4)}


def _questions(number: int, answers: int) -> Matrices:
    """Answers at random: what contradicts itself most."""
    random = np.random.default_rng(3)
    return random.integers(-1, 2, (number, answers, answers)).astype(np.int8)


def _plain(sample: Sample) -> dict[str, float]:
    from benchmarks import report_plain  # noqa: PLC0415 - heavy, and rarely wanted

    return {
        "plain_bootstrap_s": round(report_plain.bootstrap_seconds(sample)),
        "plain_tov_650x6_s": round(
            report_plain.weak_orders_seconds(_questions(650, 6))
        ),
    }


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
