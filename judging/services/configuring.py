"""Judge drafts, and freezing them under a digest."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction
from django.db.models import Max

from annotation.models import System
from config.errors import Conflict, InvalidInput
from judging.domain.digests import SpecError, refuse_flaws, spec_from_json
from judging.domain.findings import Severity
from judging.domain.kinds import (
    asked_digest,
    asked_from_json,
    asked_to_json,
    lint_asked,
    outdated,
)
from judging.domain.lint import may_freeze
from judging.domain.lint_settings import MOST_REPEATS
from judging.domain.pointwise import PointwiseSpec, pointwise_from_json
from judging.domain.secrets import secrets_of
from judging.models import ConfigKind, JudgeConfig, Provider
from judging.services.few_shot import held_out_findings
from judging.services.simulations import note_frozen
from judging.services.unaltered import refuse_altered

if TYPE_CHECKING:
    from datetime import datetime

    from config.accounts.models import User
    from judging.domain.digests import JudgeSpec
    from judging.domain.findings import Finding
    from judging.domain.kinds import AskedSpec

LONGEST_FORMAT = 40
SLUG = re.compile(r"[-a-zA-Z0-9_]{1,80}")


def spec_of(config: JudgeConfig) -> JudgeSpec:
    """Return what a pairwise judge's digest is taken of; raises ``SpecError``."""
    return spec_from_json(config.spec)


def pointwise_spec_of(config: JudgeConfig) -> PointwiseSpec:
    """Return what a pointwise judge's digest is taken of; raises ``SpecError``."""
    return pointwise_from_json(config.spec)


def asked_spec_of(config: JudgeConfig) -> AskedSpec:
    """Return what the digest of a judge of either kind is taken of."""
    return asked_from_json(config.spec)


def refuse_outdated(config: JudgeConfig) -> None:
    """Raise ``Conflict`` for a judge that this release would ask or read otherwise.

    What it was answered so far keeps the verdicts that were read then. A panel asks
    nothing itself. One that is not what was frozen is refused whatever its kind.
    """
    refuse_altered(config)
    if config.kind == ConfigKind.PANEL:
        return
    if why := outdated(asked_spec_of(config)):
        raise Conflict(
            "judge_outdated",
            f"{config} is of another release: {why}. Copy it to a new draft and freeze "
            "that; its earlier runs and reports stay as they are.",
        )


def draft_judge(
    *,
    name: str,
    spec: AskedSpec,
    by: User | None,
    now: datetime,
    recorded: bool = False,
) -> JudgeConfig:
    """Store a draft as the next version of a judge's line."""
    refuse_name(name)
    refuse_impossible(spec)
    refuse_mixed_line(name, recorded=recorded)
    last = JudgeConfig.objects.filter(name=name).aggregate(n=Max("version"))["n"] or 0
    draft = JudgeConfig(
        name=name,
        version=last + 1,
        recorded=recorded,
        created_at=now,
        created_by=by,
    )
    take_from(spec, draft)
    if JudgeConfig.objects.filter(name=name).exclude(kind=draft.kind).exists():
        raise Conflict(
            "judge_other_kind", f"{name} is a line of judges of another kind."
        )
    try:
        with transaction.atomic():
            draft.save()
    except IntegrityError as error:
        raise Conflict(
            "judge_version_taken",
            f"{draft} was made by somebody else just now; try again.",
        ) from error
    return draft


def refuse_name(name: str) -> None:
    """Raise ``InvalidInput`` for what can't be the name of a judge's line."""
    if not SLUG.fullmatch(name):
        raise InvalidInput(
            "judge_name_invalid",
            "judge: the name may hold letters, digits, - and _ (at most 80)",
        )


def refuse_mixed_line(name: str, *, recorded: bool) -> None:
    """Raise ``Conflict`` where asked and recorded judges would share a line.

    Whoever names the line means its newest version: an import must not put itself in
    the place of a judge that is asked, nor the other way round.
    """
    line = set(JudgeConfig.objects.filter(name=name).values_list("recorded", flat=True))
    if not line or (recorded and line == {True}) or (not recorded and False in line):
        return
    if recorded:
        raise Conflict(
            "judge_not_recorded",
            f"{name} is a judge that is asked; give imported verdicts a name of their "
            "own.",
        )
    raise Conflict(
        "judge_recorded_line",
        f"{name} is a line of imported verdicts; give a judge that is asked another "
        "name.",
    )


def refuse_impossible(spec: AskedSpec) -> None:
    """Raise ``InvalidInput`` for what not even a draft may hold.

    A draft is stored and shown, so a credential is refused here and not only when it
    is frozen; the message never repeats it.
    """
    if not 1 <= spec.repeats <= MOST_REPEATS:
        raise InvalidInput(
            "judge_repeats_invalid",
            f"repeats: must be at least 1, at most {MOST_REPEATS}",
        )
    try:
        refuse_flaws(asked_to_json(spec))
    except SpecError as error:
        raise InvalidInput(
            "spec_invalid", str(error), {"field": error.field}
        ) from error
    for path in secrets_of(spec):
        raise InvalidInput(
            "secret_in_clear",
            f"{path}: looks like a credential, which would be stored; name an "
            "environment variable at the provider instead",
            {"field": path},
        )


def take_from(spec: AskedSpec, draft: JudgeConfig) -> None:
    """Set the columns that repeat what the specification says."""
    draft.spec = asked_to_json(spec)
    draft.provider = _provider(spec, recorded=draft.recorded)
    if isinstance(spec, PointwiseSpec):
        draft.kind, draft.combining_rule = ConfigKind.POINTWISE, ""
        draft.verdict_format = str(spec.scale.get("kind", ""))[:LONGEST_FORMAT]
    else:
        draft.kind = ConfigKind.PAIRWISE
        draft.combining_rule = spec.combining_rule.value
        draft.verdict_format = spec.verdict_format
    draft.repeats = spec.repeats
    draft.repeat_rule = spec.repeat_rule.value


def _provider(spec: AskedSpec, *, recorded: bool) -> Provider | None:
    if recorded:
        return None
    provider = Provider.objects.filter(alias=spec.provider).first()
    if provider is None:
        raise InvalidInput(
            "provider_unknown",
            f"provider: there is none called {spec.provider!r}; add it first",
        )
    if provider.base_url != spec.base_url:
        raise InvalidInput(
            "provider_differs",
            f"base_url: provider {provider.alias} is at {provider.base_url}, not "
            f"{spec.base_url}",
        )
    return provider


def findings_for(config: JudgeConfig) -> tuple[Finding, ...]:
    """Lint a draft against every system that it could be shown and held-out cases."""
    return (*quick_findings(config), *held_out_findings(config.spec))


def quick_findings(config: JudgeConfig) -> tuple[Finding, ...]:
    """The lint without a look through the cases, as fast as somebody types."""
    names = [
        name
        for system in System.objects.only("name", "aliases")
        for name in (system.name, *system.aliases)
    ]
    return lint_asked(asked_spec_of(config), names)


@transaction.atomic
def freeze_judge(
    *, config: JudgeConfig, by: User | None, now: datetime, actor: str = ""
) -> JudgeConfig:
    """Freeze a draft if its lint passes; from here on nothing of it can change."""
    draft = JudgeConfig.objects.select_for_update().get(pk=config.pk)
    if draft.frozen_at is not None:
        raise Conflict("judge_frozen", f"{draft} is frozen already.")
    if not draft.recorded:
        _refuse_findings(draft)
    spec = asked_spec_of(draft)
    take_from(spec, draft)
    draft.frozen_at, draft.frozen_by, draft.actor = now, by, actor
    draft.digest = asked_digest(spec)
    draft.save()
    note_frozen(draft, now)
    return draft


def _refuse_findings(draft: JudgeConfig) -> None:
    findings = quick_findings(draft)  # a quoted case is no error
    if may_freeze(findings):
        return
    errors = [
        f"{finding.field}: {finding.message}"
        for finding in findings
        if finding.severity is Severity.ERROR
    ]
    raise Conflict(
        "judge_lint",
        f"{draft} can't be frozen.\n" + "\n".join(errors),
        {"errors": errors},
    )


def refuse_twin(draft: JudgeConfig) -> None:
    """Raise ``Conflict`` where the line has a version in use that is exactly this."""
    twin = frozen_with(draft.name, asked_spec_of(draft))
    if twin is None or twin.pk == draft.pk or twin.retired:
        return
    raise Conflict(
        "judge_frozen_as",
        f"{draft} says exactly what {twin} was frozen with; use that one.",
        {"version": twin.version, "digest": twin.digest},
    )


def frozen_with(name: str, spec: AskedSpec) -> JudgeConfig | None:
    """Return the frozen version of a judge that has exactly this specification."""
    return (
        JudgeConfig.objects.filter(
            name=name, digest=asked_digest(spec), frozen_at__isnull=False
        )
        .select_related("provider")
        .order_by("version")
        .first()
    )
