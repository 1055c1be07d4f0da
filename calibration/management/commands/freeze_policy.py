"""Freeze a release policy from a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from calibration.domain.policy_keys import json_schema
from calibration.management.actors import account
from calibration.services.policies import (
    document_from,
    frozen_policy,
    warnings_of,
)
from config.errors import DomainError

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(BaseCommand):
    """`freeze_policy NAME --file FILE`."""

    help = (
        "Freeze a release policy under a digest. A policy decides only runs that begin "
        "afterwards. The same content again is the same version."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the name and the file."""
        parser.add_argument("name", nargs="?", help="letters, digits, - and _")
        parser.add_argument("--file", help="the policy, a JSON object")
        parser.add_argument(
            "--schema", action="store_true", help="print the JSON schema and stop"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Freeze, and say what of it can't ship anything."""
        if options["schema"]:
            self.stdout.write(json.dumps(json_schema(), indent=1))
            return
        if not (options["name"] and options["file"]):
            raise CommandError("Name the policy and its --file, or ask for --schema.")
        try:
            document = document_from(_read(options["file"]))
            policy = frozen_policy(
                name=options["name"],
                document=document,
                by=None,
                now=timezone.now(),
                actor=account(),
            )
        except DomainError as error:
            raise CommandError(error.message) from error
        self.stdout.write(f"{policy} is frozen, digest {policy.digest}")
        for warning in warnings_of(document):
            self.stderr.write(warning)


def _read(path: str) -> str:
    try:
        return Path(path).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"Cannot read {path}: {error}") from error
