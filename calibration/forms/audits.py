"""What people type into the audit page and the activity log."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING, Any

from django import forms

from annotation.models import GoldSet
from calibration.presenters.activity import KINDS, ActivityFilter
from calibration.services.audits.scopes import Wanted
from config.accounts.models import User

if TYPE_CHECKING:
    from datetime import date

BUNDLE, DEV, HTML, CSV = "bundle", "dev", "html", "csv"
DAY = forms.DateInput(attrs={"type": "date"})


def _start(day: date | None) -> datetime | None:
    return datetime.combine(day, time(), tzinfo=UTC) if day else None


def _end(day: date | None) -> datetime | None:
    return _start(day + timedelta(days=1)) if day else None


class AuditForm(forms.Form):
    """What a bundle is to be about: a set, a decision, or a period."""

    what = forms.ChoiceField(
        label="What",
        widget=forms.RadioSelect,
        initial=BUNDLE,
        choices=[
            (BUNDLE, "Audit bundle (zip)"),
            (
                DEV,
                "Audit bundle of a gold set's dev pairs alone (also of a sealed one)",
            ),
            (HTML, "Adjudication notes of a gold set, to read (HTML)"),
            (CSV, "Adjudication notes of a gold set (CSV)"),
        ],
    )
    gold_set = forms.ChoiceField(label="Gold set", required=False)
    decision = forms.IntegerField(
        label="or decision, by number", required=False, min_value=1
    )
    since = forms.DateField(label="or from", required=False, widget=DAY)
    to = forms.DateField(label="to, itself included", required=False, widget=DAY)
    reason = forms.CharField(
        label="Why you look at held-out pairs",
        required=False,
        max_length=2000,
        widget=forms.TextInput(attrs={"size": 60}),
        help_text="Logged with your name; needed once the looks are used up.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("label_suffix", "")
        super().__init__(*args, **kwargs)
        names = GoldSet.objects.order_by("name").values_list("name", flat=True)
        field = self.fields["gold_set"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101 - declared above
        field.choices = [("", "(none)"), *((name, name) for name in names)]

    def clean(self) -> dict[str, Any]:
        """Notes and dev pairs are of a gold set."""
        said = super().clean() or {}
        if said.get("what") in {HTML, CSV} and not said.get("gold_set"):
            self.add_error("gold_set", "Choose the gold set whose notes you want.")
        if said.get("what") == DEV and not said.get("gold_set"):
            self.add_error("gold_set", "Choose the gold set whose dev pairs you want.")
        return said

    def wanted(self) -> Wanted:
        """The wish as the service takes it."""
        said = self.cleaned_data
        return Wanted(
            gold_set=said["gold_set"],
            decision=said["decision"],
            since=_start(said["since"]),
            to=_end(said["to"]),
            dev_only=said["what"] == DEV,
        )


class ActivityForm(forms.Form):
    """Which events of the log are shown."""

    kind = forms.MultipleChoiceField(label="What", required=False, choices=KINDS)
    gold_set = forms.CharField(label="Gold set", required=False, max_length=80)
    person = forms.CharField(label="User name", required=False, max_length=150)
    since = forms.DateField(label="From", required=False, widget=DAY)
    to = forms.DateField(label="To", required=False, widget=DAY)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("label_suffix", "")
        super().__init__(*args, **kwargs)
        names = GoldSet.objects.order_by("name").values_list("name", flat=True)
        self.fields["gold_set"].widget = forms.Select(
            choices=[("", "Any"), *((name, name) for name in names)]
        )
        people = User.objects.order_by("username").values_list("username", flat=True)
        self.fields["person"].widget = forms.Select(
            choices=[("", "Anybody"), *((name, name) for name in people)]
        )

    def wanted(self) -> ActivityFilter:
        """The filter as the service takes it; what can't be read filters nothing."""
        said = self.cleaned_data
        return ActivityFilter(
            kinds=tuple(said.get("kind") or ()),
            gold_set=said.get("gold_set") or "",
            person=said.get("person") or "",
            since=_start(said.get("since")),
            to=_end(said.get("to")),
        )
