"""What pages may send about splits, gold versions and checks."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from django import forms

from annotation.domain.consensus import ConsensusRule
from annotation.services.set_aside import LONGEST_NOTE, REASONS
from annotation.services.splitting import LONGEST_SEED, SplitWish
from config.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import QueryDict

LONGEST_ID = 18


def first_error(form: forms.Form) -> str:
    """The first thing that is wrong, as "field: reason"."""
    name, errors = next(iter(form.errors.items()))
    return f"{name}: {errors[0]}"


class SplitForm(forms.Form):
    """How a set is to be split; ``expect`` names the proposal that was seen."""

    share = forms.IntegerField(
        min_value=1, max_value=99, initial=50, label="Held-out share, in percent"
    )
    slices = forms.MultipleChoiceField(required=False)
    by_class = forms.BooleanField(required=False)
    join_near_duplicates = forms.BooleanField(required=False)
    reassign = forms.BooleanField(required=False)
    accept_seen = forms.BooleanField(required=False)
    seed = forms.CharField(max_length=LONGEST_SEED)
    expect = forms.CharField(required=False, max_length=64)

    def __init__(self, data: QueryDict | None, keys: Sequence[str]) -> None:
        super().__init__(data)
        self.fields["slices"] = forms.MultipleChoiceField(
            required=False, choices=[(key, key) for key in keys]
        )
        self.fields["seed"].initial = secrets.token_hex(8)

    def wish(self) -> SplitWish:
        """The wish as the service takes it; raises InvalidInput for a bad form."""
        if not self.is_valid():
            raise InvalidInput("splits_invalid", first_error(self))
        sent = self.cleaned_data
        return SplitWish(
            seed=sent["seed"],
            held_out=sent["share"] / 100,
            slices=tuple(sent["slices"]),
            by_class=sent["by_class"],
            reassign=sent["reassign"],
            join_near_duplicates=sent["join_near_duplicates"],
            accept_seen=sent["accept_seen"],
        )


class FreezeForm(forms.Form):
    """By which rule, and whether open pairs are left out."""

    rule = forms.ChoiceField(
        choices=[(rule.value, rule.value) for rule in ConsensusRule]
    )
    leave_open = forms.BooleanField(required=False)


class SetAsideForm(forms.Form):
    """Why pairs are kept out of rounds; ``all`` are all that the check found."""

    reason = forms.ChoiceField(choices=[(reason, reason) for reason in REASONS])
    note = forms.CharField(required=False, max_length=LONGEST_NOTE)
    all = forms.BooleanField(required=False)

    def refuse_bad(self) -> None:
        """Raise InvalidInput with the first error as "field: reason"."""
        if not self.is_valid():
            raise InvalidInput("set_aside_invalid", first_error(self))


def pair_ids(data: QueryDict) -> list[int]:
    """The chosen pairs, also several at once with commas; refuses what is no number."""
    words = [word for value in data.getlist("pairs") for word in value.split(",")]
    if not all(word.isdecimal() and len(word) <= LONGEST_ID for word in words):
        raise InvalidInput("set_aside_invalid", "pairs: must be numbers of pairs")
    return [int(word) for word in words]
