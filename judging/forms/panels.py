"""A panel as a form: its members and how they vote."""

from __future__ import annotations

from typing import Any

from django import forms

from judging.domain.panels import (
    FEWEST_MEMBERS,
    AbstainRule,
    NoQuorum,
    PanelSpec,
    TopTie,
)
from judging.domain.terms import CombiningRule
from judging.forms.judges import RULES
from judging.services.panels import judges_for_panels

TOP_TIES = {TopTie.TIE: "tie", TopTie.ABSTAIN: "abstain"}
ABSTAINS = {
    AbstainRule.LEFT_OUT: "no vote",
    AbstainRule.COUNTED: "a vote for abstain",
}
NO_QUORUMS = {
    NoQuorum.ABSTAIN: "abstain",
    NoQuorum.INVALID: "invalid, where too few members answered at all",
}


class PanelForm(forms.Form):
    """A panel to freeze; there is nothing to draft."""

    name = forms.SlugField(
        max_length=80, help_text="An existing panel's name makes its next version."
    )
    members = forms.MultipleChoiceField(
        widget=forms.CheckboxSelectMultiple,
        help_text="Frozen pairwise judges in use. Each has one vote in each order.",
    )
    combining_rule = forms.ChoiceField(
        choices=[
            (rule.value, text)
            for rule, text in RULES.items()
            if rule is not CombiningRule.MEAN_STRENGTH
        ],
        label="Verdict of a pair",
    )
    top_tie = forms.ChoiceField(
        choices=[(each.value, text) for each, text in TOP_TIES.items()],
        label="Two outcomes share the most votes",
    )
    abstain_rule = forms.ChoiceField(
        choices=[(each.value, text) for each, text in ABSTAINS.items()],
        label="An abstain of a member is",
    )
    quorum = forms.IntegerField(
        required=False,
        min_value=1,
        label="Votes needed",
        help_text="Empty: more than half of the members.",
    )
    no_quorum = forms.ChoiceField(
        choices=[(each.value, text) for each, text in NO_QUORUMS.items()],
        label="Fewer votes come to",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        members = self.fields["members"]
        assert isinstance(members, forms.MultipleChoiceField)  # noqa: S101 - declared
        found = judges_for_panels()
        members.choices = [
            (each.digest, f"{each} ({each.digest[:12]})") for each in found
        ]
        self.enough = len(found) >= FEWEST_MEMBERS
        self._spec: PanelSpec | None = None

    def clean(self) -> dict[str, Any]:
        """Build the rules once every field is good."""
        given = super().clean() or {}
        if not self.errors:
            try:
                self._spec = PanelSpec(
                    members=tuple(given["members"]),
                    combining_rule=CombiningRule(given["combining_rule"]),
                    top_tie=TopTie(given["top_tie"]),
                    abstain_rule=AbstainRule(given["abstain_rule"]),
                    no_quorum=NoQuorum(given["no_quorum"]),
                    quorum=given["quorum"],
                )
            except ValueError as error:
                self.add_error(None, str(error))
        return given

    def spec(self) -> PanelSpec:
        """The panel as it was chosen, of a form that is valid."""
        assert self._spec is not None  # noqa: S101 - callers ask is_valid first
        return self._spec
