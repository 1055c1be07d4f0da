"""Families of systems' models, named as their responses are imported."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.core.management import CommandError

from annotation.models import GoldSet, System
from tests.annotation.commands.imports import case, lines

if TYPE_CHECKING:
    from tests.annotation.commands.imports import Imports

ROWS = lines(case("a1"))


def families() -> list[str]:
    return list(System.objects.order_by("position").values_list("family", flat=True))


def test_a_new_set_takes_them(imports: Imports) -> None:
    imports.pairs(ROWS, families="v13 = gpt")
    assert families() == ["", "gpt"]


def test_an_old_set_takes_them_and_keeps_those_not_named(imports: Imports) -> None:
    imports.pairs(ROWS, families="v13=gpt")
    imports.pairs(ROWS, families="v12=claude")
    imports.pairs(ROWS)
    assert families() == ["claude", "gpt"]


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("v99=gpt", "no system 'v99'"),
        ("gpt", "'gpt' is not SYSTEM=FAMILY"),
        ("v13=", "'v13=' is not SYSTEM=FAMILY"),
        (f"v13={'x' * 121}", "at most 120 characters"),
    ],
)
def test_others_are_refused_and_nothing_is_imported(
    imports: Imports, written: str, says: str
) -> None:
    with pytest.raises(CommandError, match=says):
        imports.pairs(ROWS, families=written)
    assert not GoldSet.objects.exists()
