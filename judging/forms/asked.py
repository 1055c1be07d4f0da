"""What the forms of all judges that are asked have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from django import forms

from judging.domain.digests import JudgeSpec, SpecError
from judging.domain.formats.registry import UnknownFormat
from judging.domain.lint_settings import MOST_REPEATS, MOST_TOKENS, TOKEN_LIMITS
from judging.domain.pointwise import PointwiseSpec
from judging.domain.terms import RepeatRule
from judging.forms.fields import ObjectField, WholeText
from judging.models import Provider

if TYPE_CHECKING:
    from collections.abc import Mapping

    from judging.domain.kinds import AskedSpec

Spec = TypeVar("Spec", JudgeSpec, PointwiseSpec)

EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh")
NUMBERS = ("temperature", "top_p", "seed")
NOT_SENT = "Empty: not sent."

REPEAT_RULES = {
    RepeatRule.MEAN: "mean of the repeats",
    RepeatRule.MAJORITY: "majority of the repeats, else abstain",
}
SHARED = (
    "provider", "model", "question", "rubric", "rubric_version", "system_template",
    "user_template", "repeats", "input_limit",
)  # fmt: skip


class AskedForm(forms.Form, Generic[Spec]):
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
    limit = forms.IntegerField(
        min_value=1, max_value=MOST_TOKENS, label="Output limit, in tokens"
    )
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
    use_schema = forms.BooleanField(
        required=False, label="Ask for JSON by schema (JSON formats only)"
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
    options_field = "format_options"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        aliases = Provider.objects.order_by("alias").values_list("alias", flat=True)
        provider = self.fields["provider"]
        assert isinstance(provider, forms.ChoiceField)  # noqa: S101 - declared above
        provider.choices = [(alias, alias) for alias in aliases]
        self._spec: Spec | None = None

    def build(self, given: Mapping[str, Any]) -> Spec:
        """Make the specification; raises ``SpecError`` and ``UnknownFormat``."""
        raise NotImplementedError

    def clean(self) -> dict[str, Any]:
        """Build the specification once every field is good."""
        given = super().clean() or {}
        if not self.errors:
            try:
                self._spec = self.build(given)
            except SpecError as error:
                self.add_error(None, str(error))
            except UnknownFormat as error:
                self.add_error(self.options_field, str(error))
        return given

    def spec(self) -> Spec:
        """The judge as it was typed, of a form that is valid."""
        assert self._spec is not None  # noqa: S101 - callers ask is_valid first
        return self._spec


def shared_initial(spec: AskedSpec) -> dict[str, object]:
    """Give the values of the fields above; the inverse of :func:`shared_parts`."""
    params = dict(spec.params)
    limit_name = next((name for name in TOKEN_LIMITS if name in params), "max_tokens")
    return {
        **{name: getattr(spec, name) for name in SHARED},
        **{name: params.pop(name, None) for name in NUMBERS},
        "limit_name": limit_name,
        "limit": params.pop(limit_name, None),
        "reasoning_effort": _effort(params),
        "extra": params or None,
        "use_schema": spec.response_format is not None,
        "repeat_rule": spec.repeat_rule.value,
    }


def shared_parts(given: Mapping[str, Any]) -> dict[str, Any]:
    """Give what the fields above say, as parts of a specification."""
    provider = Provider.objects.get(alias=given["provider"])
    return {
        **{name: given[name] for name in SHARED},
        "provider": provider.alias,
        "base_url": provider.base_url,
        "params": _params(given),
        "repeat_rule": RepeatRule(given["repeat_rule"]),
    }


def response_format(
    schema: Mapping[str, object] | None, *, asked: bool, name: str, what: str
) -> dict[str, object] | None:
    """The body field that asks for JSON of a shape; ``what`` has it, or has none."""
    if not asked:
        return None
    if schema is None:
        raise SpecError("use_schema", f"{what} is not JSON, so it has no schema")
    shape = {"name": name, "strict": True, "schema": dict(schema)}
    return {"type": "json_schema", "json_schema": shape}


def _effort(params: dict[str, object]) -> object:
    """Take the effort out, unless it is a word that the field does not know."""
    known = params.get("reasoning_effort") in EFFORTS
    return params.pop("reasoning_effort") if known else ""


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
