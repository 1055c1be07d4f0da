"""Draft a judge from a JSON file and freeze it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone

from annotation.domain.strict_json import BrokenJson, decode
from annotation.management.actors import account
from annotation.management.files import read_source
from config.errors import DomainError, InvalidInput
from judging.domain.digests import SpecError
from judging.domain.kinds import asked_from_json
from judging.services.configuring import (
    draft_judge,
    findings_for,
    freeze_judge,
    frozen_with,
)
from judging.services.drafting import default_spec_json, ensure_provider

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from judging.domain.kinds import AskedSpec


class Command(BaseCommand):
    """`freeze_judge NAME --spec FILE`, or `freeze_judge --template`."""

    help = (
        "Freeze a judge from a JSON specification: provider, model, parameters, "
        "templates, rubric, verdict format and rules; or one that marks single "
        "responses. Refused unless its lint passes. "
        "Print a specification to start from with --template."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare name, specification and where the provider's secret is."""
        parser.add_argument("name", nargs="?", help="name of the judge's line")
        parser.add_argument("--spec", metavar="FILE", help="JSON file, or -")
        parser.add_argument(
            "--api-key-env",
            default="",
            help="environment variable that holds the provider's key (never the key)",
        )
        parser.add_argument(
            "--template", action="store_true", help="print a specification to edit"
        )
        parser.add_argument(
            "--pointwise",
            action="store_true",
            help="with --template: of a judge that marks one response at a time",
        )
        parser.add_argument(
            "--rubric-step",
            action="store_true",
            help="with --template: of one that first writes a rubric for each case",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Freeze, or print the template."""
        pointwise, rubric_step = options["pointwise"], options["rubric_step"]
        if pointwise and rubric_step:
            raise CommandError("A pointwise judge has no rubric step.")
        if options["template"]:
            spec = default_spec_json(pointwise=pointwise, rubric_step=rubric_step)
            self.stdout.write(json.dumps(spec, indent=1, ensure_ascii=False))
            return
        if not (options["name"] and options["spec"]):
            raise CommandError("Name the judge and its --spec FILE, or ask --template.")
        try:
            # A draft that can't be frozen is not worth a version, nor a provider.
            with transaction.atomic():
                self._freeze(options)
        except DomainError as error:
            raise CommandError(error.message) from error

    def _freeze(self, options: dict[str, Any]) -> None:
        spec, now = self._spec(options["spec"]), timezone.now()
        known = frozen_with(options["name"], spec)
        if known is not None:
            self.stdout.write(f"{known} is frozen already, digest {known.digest}")
            return
        ensure_provider(
            alias=spec.provider,
            base_url=spec.base_url,
            api_key_env=options["api_key_env"],
        )
        draft = draft_judge(name=options["name"], spec=spec, by=None, now=now)
        frozen = freeze_judge(config=draft, by=None, now=now, actor=account())
        for finding in findings_for(frozen):
            self.stderr.write(f"Warning: {finding.field}: {finding.message}")
        self.stdout.write(f"{frozen} is frozen, digest {frozen.digest}")

    def _spec(self, name: str) -> AskedSpec:
        try:
            return asked_from_json(decode(read_source(name).data.decode("utf-8-sig")))
        except UnicodeDecodeError as error:
            raise InvalidInput("spec_invalid", f"{name}: not UTF-8") from error
        except (BrokenJson, SpecError) as error:
            raise InvalidInput("spec_invalid", f"{name}: {error}") from error
