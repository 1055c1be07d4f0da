"""A pairwise judge as a form: every part of its specification is a field."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from judging.domain.defaults import rubric_step_to_start_from
from judging.domain.digests import JudgeSpec, SpecError
from judging.domain.formats.registry import FORMAT_NAMES, get_format
from judging.domain.rubrics import MAX_CHARS
from judging.domain.terms import CombiningRule
from judging.forms.asked import (
    AskedForm,
    response_format,
    shared_initial,
    shared_parts,
)
from judging.forms.fields import ObjectField, WholeText

if TYPE_CHECKING:
    from collections.abc import Mapping

SCHEMA_NAME = "verdict"
STEP = "step_"

RULES = {
    CombiningRule.AGREE_ELSE_TIE: "both orders agree, else tie",
    CombiningRule.AGREE_ELSE_ABSTAIN: "both orders agree, else abstain",
    CombiningRule.MEAN_STRENGTH: "mean strength of both orders",
}


class JudgeForm(AskedForm[JudgeSpec]):
    """One draft of a judge that compares."""

    verdict_format = forms.ChoiceField(
        choices=[(name, name) for name in sorted(FORMAT_NAMES)],
        help_text="How the judge writes its verdict; {{menu}} explains it.",
    )
    format_options = ObjectField(
        label="Format options",
        help_text="A JSON object: the declared place, or the pattern of regex.",
    )
    offers_abstain = forms.BooleanField(required=False, label="Offers abstain")
    combining_rule = forms.ChoiceField(
        choices=[(rule.value, text) for rule, text in RULES.items()],
        label="Verdict of a pair",
    )
    step = forms.BooleanField(
        required=False, label="First write a rubric for each case"
    )
    step_system_template = WholeText(
        rows=8, required=False, label="System template of the first step"
    )
    step_user_template = WholeText(
        rows=10, required=False, label="User template of the first step"
    )
    step_params = ObjectField(
        label="Body fields of the first step",
        help_text="A JSON object, sent as it is, with an output limit.",
    )
    step_max_chars = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=MAX_CHARS,
        label="Longest rubric, in characters",
        help_text="A longer one makes the case invalid; it is never cut.",
    )

    def build(self, given: Mapping[str, Any]) -> JudgeSpec:
        """Make the specification; raises ``SpecError`` and ``UnknownFormat``."""
        known = get_format(given["verdict_format"], given["format_options"])
        schema = known.response_schema(offers_abstain=given["offers_abstain"])
        return JudgeSpec(
            **shared_parts(given),
            verdict_format=given["verdict_format"],
            parser_version=known.parser_version,
            response_format=response_format(
                schema, asked=given["use_schema"], name=SCHEMA_NAME, what=known.name
            ),
            offers_abstain=given["offers_abstain"],
            combining_rule=CombiningRule(given["combining_rule"]),
            format_options=given["format_options"],
            rubric_step=_step(given),
        )


class NamedJudgeForm(JudgeForm):
    """A draft of a new line, or the next version of one."""

    name = forms.SlugField(
        max_length=80, help_text="An existing name makes its next version."
    )
    field_order = ("name",)


def initial_of(spec: JudgeSpec) -> dict[str, object]:
    """Give the form's values for a judge; the inverse of :meth:`JudgeForm.spec`."""
    plain = ("verdict_format", "format_options", "offers_abstain")
    step = spec.rubric_step or rubric_step_to_start_from()
    return {
        **shared_initial(spec),
        **{name: getattr(spec, name) for name in plain},
        "combining_rule": spec.combining_rule.value,
        "step": spec.rubric_step is not None,
        **{f"{STEP}{name}": value for name, value in step.items()},
    }


def _step(given: Mapping[str, Any]) -> dict[str, object] | None:
    """The first step as it was typed; none unless it is asked for."""
    if not given["step"]:
        return None
    if given["step_max_chars"] is None:
        raise SpecError("rubric_step.max_chars", "must be given")
    return {
        name: given[f"{STEP}{name}"]
        for name in ("system_template", "user_template", "max_chars")
    } | {"params": given["step_params"] or {}}
