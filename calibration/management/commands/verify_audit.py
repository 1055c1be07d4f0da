"""Check an audit bundle, on a machine that has nothing but it."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from calibration.domain.audit.findings import Unreadable
from calibration.domain.audit.uncovered import uncovered
from calibration.domain.audit.verifying import verify

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from calibration.domain.audit.findings import Findings
    from calibration.domain.audit.verifying import Verified

TAMPERED, UNREADABLE, UNTOLD, OTHER_RULES = 20, 21, 22, 23
DIGEST = re.compile("[0-9a-f]{64}")


class Command(BaseCommand):
    """`verify_audit BUNDLE`."""

    help = (
        "Check an audit bundle and compute everything in it again; needs no database. "
        "Ends with 0 if all of it holds, 20 if something does not, 21 if it is no "
        "bundle that can be read, 22 if nothing is wrong but something can't be told, "
        "23 if nothing is wrong but other rules than this version's made something."
    )
    # It must run where there is no database, and no settings for one.
    requires_system_checks = ()
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the bundle and what to compare it with."""
        parser.add_argument("bundle")
        parser.add_argument(
            "--expect",
            metavar="DIGEST",
            help="the manifest's digest as export_audit printed it",
        )
        parser.add_argument("--json", metavar="FILE", help="write what was found")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Check, say what was found, and end with a code of its own."""
        name, expect = options["bundle"], _digest(options["expect"])
        try:
            with Path(name).open("rb") as file:
                found = verify(file, expect=expect, now=timezone.now())
        except OSError as error:
            raise CommandError(
                f"Cannot read {name}: {error.strerror}.", returncode=UNREADABLE
            ) from error
        except Unreadable as error:
            self._json(options["json"], {"result": "unreadable", "reason": str(error)})
            raise CommandError(f"{name}: {error}.", returncode=UNREADABLE) from error
        self._json(options["json"], _summary(found, expect))
        self._say(found, expect)
        code = _code(found.findings)
        if code:
            sys.exit(code)

    def _say(self, found: Verified, expect: str) -> None:
        findings = found.findings
        for problem in findings.problems:
            self.stdout.write(f"WRONG  {problem}")
        if findings.more:
            self.stdout.write(f"WRONG  and {findings.more} more")
        for what in findings.untold:
            self.stdout.write(f"UNTOLD {what}")
        for what in findings.taken:
            self.stdout.write(f"TAKEN  {what}")
        for what in findings.other_rules:
            self.stdout.write(f"RULES  {what}")
        for what in found.manifest.left_out:
            self.stdout.write(f"LEFT OUT {what}")
        counts = ", ".join(f"{what}: {n}" for what, n in findings.counts.items())
        self.stdout.write(f"checked {counts or 'nothing'}")
        compared = _compared(found.manifest_digest, expect)
        self.stdout.write(f"manifest {found.manifest_digest} ({compared})")
        if not expect:
            self.stdout.write(uncovered())
        self.stdout.write(_result(findings))

    def _json(self, name: str | None, content: dict[str, Any]) -> None:
        if name is None:
            return
        try:
            Path(name).write_text(json.dumps(content, indent=2) + "\n")
        except OSError as error:
            raise CommandError(f"Cannot write {name}: {error.strerror}.") from error


def _digest(given: str | None) -> str:
    """The digest asked for; an empty or cut one must not pass for none given."""
    if given is None:
        return ""
    digest = given.strip().lower()
    if not DIGEST.fullmatch(digest):
        raise CommandError(
            f"--expect: {given!r} is no digest of 64 hexadecimal digits."
        )
    return digest


def _compared(digest: str, expect: str) -> str:
    if not expect:
        return "compare it with the exporter's"
    return "as expected" if digest == expect else f"expected {expect}"


def _code(findings: Findings) -> int:
    if not findings.good:
        return TAMPERED
    if findings.other_rules:
        return OTHER_RULES
    return UNTOLD if findings.untold else 0


def _result(findings: Findings) -> str:
    words = {
        0: "verified",
        TAMPERED: "tampered",
        UNTOLD: "untold",
        OTHER_RULES: "not recomputed",
    }
    return words[_code(findings)]


def _summary(found: Verified, expect: str) -> dict[str, Any]:
    findings = found.findings
    return {
        "result": _result(findings),
        "manifest_digest": found.manifest_digest,
        "expected": expect or None,
        "scope": found.manifest.scope,
        "left_out": list(found.manifest.left_out),
        "problems": [
            {"file": p.file, "row": p.row, "what": p.what} for p in findings.problems
        ],
        "more_problems": findings.more,
        "untold": findings.untold,
        "taken": findings.taken,
        "not_recomputed": findings.other_rules,
        "counts": dict(findings.counts),
    }
