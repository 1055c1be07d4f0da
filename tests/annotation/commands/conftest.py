"""The import commands on a folder of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.annotation.commands.imports import Imports, case, lines

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def imports(db: None, tmp_path: Path) -> Imports:
    return Imports(tmp_path)


@pytest.fixture
def box(imports: Imports) -> Imports:
    """A gold set `box` with two cases is there already."""
    imports.pairs(lines(case("a1"), case("a2")))
    return imports
