"""A judge as a form: every part of its specification is a field."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from judging.domain.digests import JudgeSpec, SpecError
from judging.domain.formats.registry import FORMAT_NAMES, UnknownFormat, get_format
from judging.domain.lint_settings import TOKEN_LIMITS
from judging.domain.terms import CombiningRule, RepeatRule
from judging.forms.fields import ObjectField, WholeText
from judging.models import Provider

if TYPE_CHECKING:
    from collections.abc import Mapping

EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh")
NUMBERS = ("temperature", "top_p", "seed")
NOT_SENT = "Empty: not sent."
MOST_REPEATS = 99
SCHEMA_NAME = "verdict"

RULES = {
    CombiningRule.AGREE_ELSE_TIE: "both orders agree, else tie",
    CombiningRule.AGREE_ELSE_ABSTAIN: "both orders agree, else abstain",
    CombiningRule.MEAN_STRENGTH: "mean strength of both orders",
}
REPEAT_RULES = {
    RepeatRule.MEAN: "mean of the repeats",
    RepeatRule.MAJORITY: "majority of the repeats, else abstain",
}


class JudgeForm(forms.Form):
    """One draft; :meth:`spec` gives it as the services take it."""

    provider = forms.ChoiceField(help_text="Where the model is asked.")
    model = forms.CharField(max_length=200)
    temperature = forms.FloatField(
        required=False,
        min_value=0,
        max_value=2,
        help_text=f"{NOT_SENT} Some models refuse it.",
    )
    top_p = forms.FloatField(
        required=False, min_value=0, max_value=1, label="Top p", help_text=NOT_SENT
    )
    limit_name = forms.ChoiceField(
        choices=[(name, name) for name in TOKEN_LIMITS],
        label="Output limit is sent as",
        help_text="Newer OpenAI models take max_completion_tokens.",
    )
    limit = forms.IntegerField(min_value=1, label="Output limit, in tokens")
    seed = forms.IntegerField(required=False, help_text=NOT_SENT)
    reasoning_effort = forms.ChoiceField(
        required=False,
        choices=[("", "not sent"), *((name, name) for name in EFFORTS)],
    )
    extra = ObjectField(
        label="Other body fields",
        help_text="A JSON object, sent as it is. No keys or passwords.",
    )
    question = WholeText(rows=2, required=False)
    rubric = WholeText(rows=8)
    rubric_version = forms.CharField(max_length=80)
    system_template = WholeText(rows=12, required=False)
    user_template = WholeText(rows=14)
    verdict_format = forms.ChoiceField(
        choices=[(name, name) for name in sorted(FORMAT_NAMES)],
        help_text="How the judge writes its verdict; {{menu}} explains it.",
    )
    format_options = ObjectField(
        label="Format options",
        help_text="A JSON object: the declared place, or the pattern of regex.",
    )
    offers_abstain = forms.BooleanField(required=False, label="Offers abstain")
    use_schema = forms.BooleanField(
        required=False, label="Ask for JSON by schema (JSON formats only)"
    )
    combining_rule = forms.ChoiceField(
        choices=[(rule.value, text) for rule, text in RULES.items()],
        label="Verdict of a pair",
    )
    repeats = forms.IntegerField(
        min_value=1, max_value=MOST_REPEATS, label="Repeats in each order"
    )
    repeat_rule = forms.ChoiceField(
        choices=[(rule.value, text) for rule, text in REPEAT_RULES.items()],
        label="Outcome of an order",
    )
    input_limit = forms.IntegerField(
        required=False,
        min_value=1,
        label="Input limit, in characters",
        help_text="Longer input is too_long, never cut. Empty: no limit.",
    )
    rubric_step = ObjectField(
        label="First step that writes a rubric for each case",
        help_text="A JSON object; empty for none.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        aliases = Provider.objects.order_by("alias").values_list("alias", flat=True)
        provider = self.fields["provider"]
        assert isinstance(provider, forms.ChoiceField)  # noqa: S101 - declared above
        provider.choices = [(alias, alias) for alias in aliases]
        self._spec: JudgeSpec | None = None

    def clean(self) -> dict[str, Any]:
        """Build the specification once every field is good."""
        given = super().clean() or {}
        if not self.errors:
            try:
                self._spec = _spec(given)
            except SpecError as error:
                self.add_error(None, str(error))
            except UnknownFormat as error:
                self.add_error("format_options", str(error))
        return given

    def spec(self) -> JudgeSpec:
        """The judge as it was typed, of a form that is valid."""
        assert self._spec is not None  # noqa: S101 - callers ask is_valid first
        return self._spec


class NamedJudgeForm(JudgeForm):
    """A draft of a new line, or the next version of one."""

    name = forms.SlugField(
        max_length=80, help_text="An existing name makes its next version."
    )
    field_order = ("name",)


def initial_of(spec: JudgeSpec) -> dict[str, object]:
    """Give the form's values for a judge; the inverse of :meth:`JudgeForm.spec`."""
    params = dict(spec.params)
    limit_name = next((name for name in TOKEN_LIMITS if name in params), "max_tokens")
    plain = (
        "provider", "model", "question", "rubric", "rubric_version", "system_template",
        "user_template", "verdict_format", "format_options", "offers_abstain",
        "repeats", "input_limit", "rubric_step",
    )  # fmt: skip
    return {
        **{name: getattr(spec, name) for name in plain},
        **{name: params.pop(name, None) for name in NUMBERS},
        "limit_name": limit_name,
        "limit": params.pop(limit_name, None),
        "reasoning_effort": _effort(params),
        "extra": params or None,
        "use_schema": spec.response_format is not None,
        "combining_rule": spec.combining_rule.value,
        "repeat_rule": spec.repeat_rule.value,
    }


def _effort(params: dict[str, object]) -> object:
    """Take the effort out, unless it is a word that the field does not know."""
    return params.pop("reasoning_effort") if _known_effort(params) else ""


def _known_effort(params: Mapping[str, object]) -> bool:
    return params.get("reasoning_effort") in EFFORTS


def _spec(given: Mapping[str, Any]) -> JudgeSpec:
    known = get_format(given["verdict_format"], given["format_options"])
    provider = Provider.objects.get(alias=given["provider"])
    return JudgeSpec(
        provider=provider.alias,
        base_url=provider.base_url,
        model=given["model"],
        params=_params(given),
        system_template=given["system_template"],
        user_template=given["user_template"],
        rubric=given["rubric"],
        rubric_version=given["rubric_version"],
        question=given["question"],
        verdict_format=given["verdict_format"],
        parser_version=known.parser_version,
        response_format=_response_format(given),
        offers_abstain=given["offers_abstain"],
        combining_rule=CombiningRule(given["combining_rule"]),
        repeats=given["repeats"],
        repeat_rule=RepeatRule(given["repeat_rule"]),
        input_limit=given["input_limit"],
        format_options=given["format_options"],
        rubric_step=given["rubric_step"],
    )


def _params(given: Mapping[str, Any]) -> dict[str, object]:
    """Join the known fields and the others; the same one twice is an error."""
    known = {name: given[name] for name in NUMBERS if given[name] is not None}
    known[given["limit_name"]] = given["limit"]
    if given["reasoning_effort"]:
        known["reasoning_effort"] = given["reasoning_effort"]
    extra = given["extra"] or {}
    for name in extra.keys() & known.keys():
        raise SpecError(f"extra.{name}", "has a field of its own above")
    return {**known, **extra}


def _response_format(given: Mapping[str, Any]) -> dict[str, object] | None:
    """The body field that asks for JSON of the format's own shape."""
    if not given["use_schema"]:
        return None
    known = get_format(given["verdict_format"], given["format_options"])
    schema = known.response_schema(offers_abstain=given["offers_abstain"])
    if schema is None:
        raise SpecError("use_schema", f"{known.name} is not JSON, so it has no schema")
    shape = {"name": SCHEMA_NAME, "strict": True, "schema": dict(schema)}
    return {"type": "json_schema", "json_schema": shape}
