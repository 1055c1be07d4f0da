"""Noting who saw a whole query of pairs, also one that can hold none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.utils import timezone

from annotation.models import Exposure, ExposureKind, Pair
from annotation.services.exposures import record_exposures_of
from tests.annotation.factory import make_set

if TYPE_CHECKING:
    from config.accounts.models import User

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("kind", list(ExposureKind))
def test_a_query_that_can_hold_nothing_notes_nothing(lead: User, kind) -> None:
    make_set(2)
    for nothing in (Pair.objects.none(), Pair.objects.filter(pk__in=[])):
        record_exposures_of(user=lead, pairs=nothing, kinds=[kind], now=timezone.now())
    assert not Exposure.objects.exists()
    every = Pair.objects.all()
    assert every.exists()
    record_exposures_of(user=lead, pairs=every, kinds=[kind], now=timezone.now())
    assert Exposure.objects.filter(user=lead, kind=kind).count() == every.count()
