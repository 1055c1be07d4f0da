"""Which calls may be counted by what came of them: not those about sealed pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Q

from annotation.models import Pair
from annotation.services.seals import any_seal, not_under_seal, under_seal
from judging.models import Call

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judging.models import Run


def not_sealed(prefix: str = "") -> Q:
    """The condition that a call is about nothing that is sealed.

    A response that is marked, and a case that a rubric is written for, are sealed with
    the pair that they belong to. ``prefix`` leads to the call (``"call__"``).
    """
    if not any_seal():
        return Q()
    cases = under_seal(Pair.objects.all()).values("case")
    return (
        not_under_seal(f"{prefix}pair")
        & ~Q(**{f"{prefix}response__case__in": cases})
        & ~Q(**{f"{prefix}case__in": cases})
    )


def any_sealed(runs: Sequence[Run]) -> bool:
    """Whether any call of these runs is about something sealed."""
    if not any_seal():
        return False
    return Call.objects.filter(run__in=runs).exclude(not_sealed()).exists()
