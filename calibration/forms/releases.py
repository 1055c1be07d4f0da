"""What people type where they write policies, decide releases and ask for waivers."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING, Any

from django import forms

from annotation.services.round_members import labeller_named
from annotation.services.round_planning import LONGEST_NAME, MOST_LABELS, RoundPlan
from calibration.domain.waivers import end_of_day
from calibration.services.waivers import (
    LONGEST,
    LONGEST_OWNER,
    LONGEST_TEXT,
    WaiverWish,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from annotation.models import GoldSet
    from calibration.models import Policy, Report
    from config.accounts.models import User

LONGEST_POLICY = 20_000
MOST_RUN = 2**31 - 1


class DecisionsForm(forms.Form):
    """Which decisions to list."""

    run = forms.IntegerField(
        required=False, min_value=1, max_value=MOST_RUN, label="Run"
    )


class PolicyForm(forms.Form):
    """A policy as JSON."""

    name = forms.SlugField(max_length=80, label="Name")
    document = forms.CharField(
        max_length=LONGEST_POLICY,
        label="Policy (JSON)",
        widget=forms.Textarea(
            attrs={"rows": 14, "spellcheck": "false", "class": "mono"}
        ),
    )


class DocumentForm(forms.Form):
    """The new content of a draft."""

    document = PolicyForm.base_fields["document"]


class DecideForm(forms.Form):
    """By which policy, and with which report of the judge."""

    policy = forms.TypedChoiceField(label="Policy", coerce=int)
    report = forms.TypedChoiceField(
        label="Calibration report of the judge", coerce=int, empty_value=None,
        required=False,
    )  # fmt: skip
    reason = forms.CharField(
        max_length=2000,
        required=False,
        strip=True,
        label="Why you look at held-out figures (only past the budget of looks)",
    )

    def __init__(
        self,
        data: Mapping[str, Any] | None,
        *,
        policies: Iterable[Policy],
        reports: Iterable[Report],
    ) -> None:
        super().__init__(data)
        named = [(one.pk, f"{one} ({one.label})") for one in policies]
        known = [(one.pk, _named(one)) for one in reports]
        _offer(self, "policy", named)
        _offer(self, "report", [*known, ("", "none: nothing can ship without one")])
        self.initial["report"] = known[0][0] if known else ""


class ReviewForm(forms.Form):
    """A round of the pairs that a policy sends to people."""

    policy = forms.TypedChoiceField(label="Policy", coerce=int)
    name = forms.CharField(max_length=LONGEST_NAME, label="Name of the round")
    labels_per_pair = forms.IntegerField(
        min_value=1, max_value=MOST_LABELS, label="Labels a pair"
    )
    reviewers = forms.MultipleChoiceField(
        required=False, widget=forms.CheckboxSelectMultiple, label="Reviewers"
    )

    def __init__(
        self,
        data: Mapping[str, Any] | None,
        *,
        policies: Iterable[Policy],
        people: Sequence[User],
        labels_per_pair: int,
    ) -> None:
        # Ids of its own: the form to decide stands on the same page.
        super().__init__(
            data, initial={"labels_per_pair": labels_per_pair}, auto_id="review_%s"
        )
        _offer(self, "policy", [(one.pk, f"{one}") for one in policies])
        _offer(
            self,
            "reviewers",
            [(one.get_username(), one.shown_name) for one in people],
        )

    def plan(self) -> RoundPlan:
        """The plan as the service takes it."""
        sent = self.cleaned_data
        return RoundPlan(name=sent["name"], labels_per_pair=sent["labels_per_pair"])

    def people(self) -> list[User]:
        """Who was ticked."""
        return [labeller_named(name) for name in self.cleaned_data["reviewers"]]


class UntilField(forms.DateTimeField):
    """A moment; a day alone is counted whole, in UTC."""

    def to_python(self, value: Any) -> datetime | None:
        """Read a day alone as the moment at which it is over."""
        ended = end_of_day(value) if isinstance(value, str) else None
        return ended or super().to_python(value)


class WaiverForm(forms.Form):
    """Which critical cases are to be lifted, and everything that has to be said."""

    gold_set = forms.ChoiceField(label="Gold set")
    case_ids = forms.CharField(
        label="Critical cases (their ids, one a line)",
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    systems = forms.CharField(
        label="Baseline and candidate, as in v1,v2 (where the set has more than two)",
        max_length=LONGEST_TEXT,
        required=False,
    )
    impact = forms.CharField(
        label="Impact: what may happen",
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    owner = forms.CharField(label="Owner", max_length=LONGEST_OWNER)
    reason = forms.CharField(
        label="Reason",
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    expires_at = UntilField(
        label=f"Expires (UTC, within {LONGEST.days} days)",
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}),
    )

    def __init__(
        self, data: Mapping[str, Any] | None, *, gold_sets: Iterable[GoldSet]
    ) -> None:
        super().__init__(data)
        _offer(self, "gold_set", [(one.name, one.name) for one in gold_sets])

    def wish(self) -> WaiverWish:
        """The waiver as the service takes it."""
        said = self.cleaned_data
        return WaiverWish(
            case_ids=tuple(said["case_ids"].splitlines()),
            systems=tuple(
                name.strip() for name in said["systems"].split(",") if name.strip()
            ),
            impact=said["impact"],
            owner=said["owner"],
            reason=said["reason"],
            expires_at=said["expires_at"].astimezone(UTC),
        )


class RevokeForm(forms.Form):
    """Why a waiver counts no more."""

    reason = forms.CharField(label="Why it is revoked", max_length=LONGEST_TEXT)


def _offer(form: forms.Form, name: str, choices: Sequence[tuple[Any, str]]) -> None:
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)  # noqa: S101 - declared so
    field.choices = choices


def _named(report: Report) -> str:
    gold = report.gold_version
    return f"Report {report.pk} on {gold.gold_set.name} v{gold.number}"
