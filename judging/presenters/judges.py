"""Judges on the page: lines with their versions, and one specification in full."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from django.db.models import Max

from config.errors import NotFound
from judging.domain.digests import SpecError
from judging.models import JudgeConfig
from judging.services.configuring import asked_spec_of, spec_of
from judging.services.editing import differences

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from django.db.models import QuerySet

    from judging.domain.digests import JudgeSpec
    from judging.domain.kinds import AskedSpec
    from judging.services.editing import DiffLine

LABELS = {
    "model": "Model",
    "provider": "Provider",
    "base_url": "Base URL",
    "params": "Body fields",
    "response_format": "Response format",
    "verdict_format": "Verdict format",
    "parser_version": "Parser",
    "format_options": "Format options",
    "offers_abstain": "Offers abstain",
    "scale": "Scale",
    "combining_rule": "Verdict of a pair",
    "repeats": "Repeats",
    "repeat_rule": "Outcome of the repeats",
    "input_limit": "Input limit, characters",
    "on_too_long": "Longer input",
    "reask": "Asks again",
    "renderer": "Renderer",
    "rubric_step": "First step: a rubric for each case",
    "members": "Members",
    "rule": "Vote",
    "top_tie": "Two outcomes with the most votes",
    "abstain_rule": "Members that abstain",
    "quorum": "Votes needed",
    "no_quorum": "Too few votes",
    "question": "Question",
    "rubric_version": "Rubric version",
    "rubric": "Rubric",
    "system_template": "System template",
    "user_template": "User template",
}
TEXTS = ("question", "rubric", "system_template", "user_template")
NOTHING = "none"


@dataclass(frozen=True, slots=True)
class JudgeLine:
    """All versions of one judge, newest first."""

    name: str
    versions: tuple[JudgeConfig, ...]

    @property
    def latest(self) -> JudgeConfig:
        """The newest version."""
        return self.versions[0]

    @property
    def older(self) -> tuple[JudgeConfig, ...]:
        """Those before it."""
        return self.versions[1:]


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a specification as it is shown; ``is_text`` is long."""

    name: str
    label: str
    value: str
    is_text: bool


def state_of(config: JudgeConfig) -> str:
    """Whether a judge is a draft, frozen or retired."""
    if config.retired:
        return "retired"
    return "draft" if config.frozen_at is None else "frozen"


def lines_of(configs: Iterable[JudgeConfig]) -> tuple[JudgeLine, ...]:
    """Group configs that are ordered by name into lines, the newest version first."""
    lines = [
        JudgeLine(name, tuple(sorted(group, key=lambda c: -c.version)))
        for name, group in groupby(configs, key=lambda config: config.name)
    ]
    lines.sort(key=lambda line: line.name)
    lines.sort(key=lambda line: line.latest.created_at, reverse=True)
    return tuple(lines)


def readable_spec(config: JudgeConfig) -> JudgeSpec | None:
    """The specification, or ``None`` for one of another time that can't be read."""
    try:
        return spec_of(config)
    except SpecError:
        return None


def readable_asked_spec(config: JudgeConfig) -> AskedSpec | None:
    """The specification of either kind that is asked, or ``None``."""
    try:
        return asked_spec_of(config)
    except SpecError:
        return None


def parts_of(config: JudgeConfig) -> tuple[Part, ...]:
    """Every part of a judge's specification under its label, short ones first."""
    values = config.spec
    return tuple(part_of(name, values[name]) for name in _ordered(values))


def part_of(name: str, value: object) -> Part:
    """One part as text."""
    return Part(name, LABELS.get(name, name), shown_value(value), name in TEXTS)


def _ordered(values: Mapping[str, object]) -> list[str]:
    known = [name for name in LABELS if name in values]
    return known + [name for name in values if name not in LABELS and name != "schema"]


def shown_value(value: object) -> str:
    """A value of a specification as text."""
    if value is None or value in ("", {}):
        return NOTHING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False, sort_keys=True, indent=1)
    return str(value)


@dataclass(frozen=True, slots=True)
class Change:
    """One part in which two versions differ; long texts have lines."""

    label: str
    before: str
    after: str
    lines: tuple[DiffLine, ...]


def changes_of(before: JudgeConfig, after: JudgeConfig) -> tuple[Change, ...]:
    """Every part in which two versions differ, under its label."""
    return tuple(
        Change(
            label_of(each.field),
            shown_value(each.before),
            shown_value(each.after),
            each.lines,
        )
        for each in differences(before, after)
    )


def label_of(path: str) -> str:
    """The label of a part, with what is inside it: `Body fields: temperature`."""
    name, _, inside = path.partition(".")
    label = LABELS.get(name, name)
    return f"{label}: {inside}" if inside else label


def judge_names() -> QuerySet[JudgeConfig, str]:
    """The lines of judges by name, the one with the newest version first."""
    lines = JudgeConfig.objects.values("name").annotate(newest=Max("created_at"))
    return lines.order_by("-newest", "name").values_list("name", flat=True)


def judges(names: Iterable[str]) -> QuerySet[JudgeConfig]:
    """All versions of these judges by name, without their long texts."""
    found = JudgeConfig.objects.for_pages().defer("spec").filter(name__in=list(names))
    return found.order_by("name", "version")


def judge_versions(name: str) -> QuerySet[JudgeConfig]:
    """All versions of one judge without long texts; raises ``NotFound`` for none."""
    found = JudgeConfig.objects.for_pages().defer("spec").filter(name=name)
    if not found.exists():
        raise NotFound("judge_unknown", f"There is no judge {name}.")
    return found


def judge_version(name: str, version: int) -> JudgeConfig:
    """One version of a judge; raises ``NotFound``."""
    found = JudgeConfig.objects.for_pages().filter(name=name, version=version).first()
    if found is None:
        raise NotFound("judge_unknown", f"There is no judge {name} v{version}.")
    return found
