"""Keeping the garbage collector out of the way of many small calls."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

THRESHOLDS = (50_000, 20, 20)


@contextmanager
def quiet_collector() -> Iterator[None]:
    """Collect rarely, and leave out what is there already (every loaded module)."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
