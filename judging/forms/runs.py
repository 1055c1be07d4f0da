"""What the pages ask about a run: which judge, which set, how much it may spend."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django import forms

from annotation.models import GoldSet
from config.errors import InvalidInput
from judging.models import JudgeConfig, RunPurpose, RunStatus
from judging.presenters.seats import seat_field
from judging.services.budgets import MOST_CALLS, MOST_TOKENS, Budget
from judging.services.panels import members_of
from judging.services.run_options import RunOptions
from judging.services.starting import MOST_CONCURRENT

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from judging.models import Run

USUAL_CONCURRENCY = 8
NO_LIMIT = "Empty: no limit."


def judges_to_run() -> QuerySet[JudgeConfig]:
    """Judges that a run can be started of from here."""
    found = JudgeConfig.objects.frozen().in_use().filter(recorded=False)
    return found.order_by("name", "-version")


def judge_key(config: JudgeConfig) -> str:
    """How addresses and forms name one version of a judge."""
    return f"{config.name}:{config.version}"


class BudgetForm(forms.Form):
    """What a run may spend."""

    max_calls = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=MOST_CALLS,
        label="Requests at most",
        help_text=NO_LIMIT,
    )
    max_tokens = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=MOST_TOKENS,
        label="Tokens at most",
        help_text=NO_LIMIT,
    )
    max_cost = forms.DecimalField(
        required=False,
        min_value=Decimal("0.000001"),
        max_digits=18,
        decimal_places=6,
        label="Cost at most",
        help_text=f"{NO_LIMIT} Needs a price in this currency.",
    )
    currency = forms.RegexField(
        r"^[A-Za-z]{3}$", required=False, initial="USD", max_length=3
    )

    def budget(self) -> Budget:
        """The limits as the services take them."""
        given = self.cleaned_data
        return Budget(
            calls=given["max_calls"],
            tokens=given["max_tokens"],
            cost=given["max_cost"],
            currency=given["currency"] if given["max_cost"] is not None else "",
        )


def budget_form(run: Run) -> BudgetForm | None:
    """The form that changes a run's budget, of a run that has not ended."""
    if run.status in {RunStatus.DONE, RunStatus.STOPPED}:
        return None
    names = ("max_calls", "max_tokens", "max_cost")
    limits = {name: getattr(run, name) for name in names}
    return BudgetForm(initial={**limits, "currency": run.currency or "USD"})


class RunForm(BudgetForm):
    """A run to estimate or to start."""

    judge = forms.ChoiceField(help_text="Frozen judges that are in use.")
    gold_set = forms.ModelChoiceField(
        GoldSet.objects.order_by("name"), to_field_name="name", empty_label=None
    )
    concurrency = forms.IntegerField(
        min_value=1,
        max_value=MOST_CONCURRENT,
        initial=USUAL_CONCURRENCY,
        label="Calls in flight at most",
    )
    purpose = forms.ChoiceField(
        choices=RunPurpose.choices,
        initial=RunPurpose.CALIBRATION,
        help_text="Noise, sentinel and stability runs never reuse earlier replies.",
    )
    reuse = forms.BooleanField(
        required=False,
        initial=True,
        label="Reuse replies to the same requests from earlier runs",
    )
    again = forms.BooleanField(
        required=False, label="Start a new run although one is complete"
    )

    batches = forms.BooleanField(
        required=False,
        label="Send in batches: takes up to a day, at the price of batches",
    )

    seats_of = forms.CharField(required=False, widget=forms.HiddenInput)

    field_order = ("judge", "gold_set", "purpose", "concurrency")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        judge = self.fields["judge"]
        assert isinstance(judge, forms.ChoiceField)  # noqa: S101 - declared above
        judge.choices = [(judge_key(c), str(c)) for c in judges_to_run()]

    def config(self) -> JudgeConfig:
        """The judge that was chosen, of a form that is valid."""
        name, version = self.cleaned_data["judge"].split(":")
        return judges_to_run().get(name=name, version=int(version))

    def options(self) -> RunOptions:
        """Purpose, reuse and budget as the services take them."""
        return RunOptions(
            purpose=RunPurpose(self.cleaned_data["purpose"]),
            reuse=self.cleaned_data["reuse"],
            batches=self.cleaned_data["batches"],
            budget=self.budget(),
            member_runs=self._member_runs(),
        )

    @property
    def asked(self) -> str:
        """The judge and the set; runs of members were chosen for both together."""
        return f"{self.cleaned_data['judge']} {self.cleaned_data['gold_set'].name}"

    def _member_runs(self) -> tuple[int, ...]:
        """The runs that a panel's members are to take part with."""
        if self.cleaned_data["seats_of"] != self.asked:
            return ()
        fields = (seat_field(each.pk) for each in members_of(self.config()))
        given = [str(self.data[name]) for name in fields if self.data.get(name)]
        if not all(value.isascii() and value.isdecimal() for value in given):
            raise InvalidInput("member_run_unknown", "member runs: must be numbers")
        return tuple(int(value) for value in given)
