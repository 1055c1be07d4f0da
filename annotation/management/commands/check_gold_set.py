"""Look a gold set over before a round opens."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from annotation.domain.check_texts import CHECK_TEXTS
from annotation.domain.hygiene import Severity
from annotation.management.files import refusals_in_words
from annotation.management.values import whole
from annotation.services.gold_sets import gold_set_named
from annotation.services.hygiene import SetFindings, check_set
from annotation.services.told_names import names_told

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Iterator

    from annotation.services.hygiene import CheckResult


class Command(BaseCommand):
    """`check_gold_set NAME`."""

    help = (
        "Look a gold set over before a round opens: leaks across splits, system names "
        "in responses, repeated, empty, cut off or unequal texts. What is found is "
        "kept for the set's page."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare set and how to print."""
        parser.add_argument("gold_set")
        parser.add_argument(
            "--strict",
            action="store_true",
            help="end with 1 where something should be settled before a round",
        )
        parser.add_argument(
            "--show",
            type=whole(0),
            default=5,
            help="findings to print of each check (5)",
        )
        parser.add_argument("--json", action="store_true", help="print all as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Check and print."""
        with refusals_in_words():
            gold_set = gold_set_named(options["gold_set"])
            found = check_set(gold_set=gold_set, by=None, now=timezone.now())
        for told in names_told(gold_set):
            self.stderr.write(told)
        if options["json"]:
            self.stdout.write(json.dumps(_data(found), ensure_ascii=False, indent=2))
        else:
            for line in _lines(found, options["show"]):
                self.stdout.write(line)
        blocking = found.count(Severity.SETTLE_FIRST)
        if options["strict"] and blocking:
            some = "1 finding" if blocking == 1 else f"{blocking} findings"
            raise CommandError(f"{some} should be settled first.")


def _lines(found: SetFindings, most: int) -> Iterator[str]:
    yield (
        f"{found.pairs} pairs of {found.cases} cases, {found.set_aside} more pairs set "
        "aside"
    )
    for result in found.results:
        yield from _result_lines(result, most)
    for one in found.lengths:
        ratio = "n/a" if one.ratio is None else f"{one.ratio:.2f}"
        yield (
            f"length: {one.candidate} longer than {one.baseline} in "
            f"{one.candidate_longer} of {one.candidate_longer + one.baseline_longer} "
            f"pairs of unequal length, median ratio {ratio}"
        )


def _result_lines(result: CheckResult, most: int) -> Iterator[str]:
    title = CHECK_TEXTS[result.check].title
    severity = f" ({result.severity.replace('_', ' ')})" if result.count else ""
    yield f"{result.count:>6}  {title}{severity}"
    for finding in result.findings[:most]:
        cases = ", ".join(finding.cases[:8])
        yield (
            f"        {cases}: {finding.detail}"
            if cases
            else f"        {finding.detail}"
        )
    if result.count > most > 0:
        yield f"        and {result.count - most} more"


def _data(found: SetFindings) -> dict[str, Any]:
    return {
        "cases": found.cases,
        "pairs": found.pairs,
        "set_aside": found.set_aside,
        "checks": [
            {
                "check": result.check.value,
                "severity": result.severity.value,
                "count": result.count,
                "findings": [
                    {"cases": f.cases, "pairs": f.pairs, "detail": f.detail}
                    for f in result.findings
                ],
            }
            for result in found.results
        ],
        "lengths": [asdict(one) for one in found.lengths],
    }
