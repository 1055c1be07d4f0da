"""A pointwise judge as a form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from judging.domain.formats.registry import BadOptions
from judging.domain.pointwise import PointwiseSpec
from judging.domain.scale_kinds import scale_from
from judging.domain.scales import ScaleKind
from judging.forms.asked import (
    AskedForm,
    response_format,
    shared_initial,
    shared_parts,
)
from judging.forms.fields import ObjectField

if TYPE_CHECKING:
    from collections.abc import Mapping

SCHEMA_NAME = "mark"
KINDS = {
    ScaleKind.PASS_FAIL: "PASS or FAIL",
    ScaleKind.SHORT_SCALE: "a short scale, each level described",
    ScaleKind.GATED_SCORE: "0 to 10, with gates that cap it",
}


class PointwiseForm(AskedForm[PointwiseSpec]):
    """One draft of a judge that marks one response at a time."""

    scale_kind = forms.ChoiceField(
        choices=[(kind.value, text) for kind, text in KINDS.items()],
        label="Scale",
        help_text="{{menu}} explains it to the judge.",
    )
    scale_options = ObjectField(
        rows=6,
        label="Scale options",
        help_text="A JSON object. A short scale: "
        '{"levels": ["…", "…"], "pass_mark": 2}. 0 to 10: '
        '{"gates": [{"name": "safe", "question": "Is it safe?"}], "cap": 3}.',
    )
    options_field = "scale_options"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["repeats"].label = "Repeats on each response"
        self.fields["repeat_rule"].label = "Mark of a response"

    def build(self, given: Mapping[str, Any]) -> PointwiseSpec:
        """Make the specification; raises ``SpecError`` and ``BadOptions``."""
        options = given["scale_options"] or {}
        if "kind" in options:
            raise BadOptions("kind", "has a field of its own above")
        declared = {"kind": given["scale_kind"], **options}
        scale = scale_from(declared)
        return PointwiseSpec(
            **shared_parts(given),
            scale=declared,
            parser_version=scale.parser_version,
            response_format=response_format(
                scale.schema,
                asked=given["use_schema"],
                name=SCHEMA_NAME,
                what=scale.kind.value,
            ),
        )


class NamedPointwiseForm(PointwiseForm):
    """A draft of a new line, or the next version of one."""

    name = forms.SlugField(
        max_length=80, help_text="An existing name makes its next version."
    )
    field_order = ("name",)


def pointwise_initial_of(spec: PointwiseSpec) -> dict[str, object]:
    """Give the form's values; the inverse of :meth:`PointwiseForm.spec`."""
    options = dict(spec.scale)
    return {
        **shared_initial(spec),
        "scale_kind": options.pop("kind", ""),
        "scale_options": options or None,
    }
