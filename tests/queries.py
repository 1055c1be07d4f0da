"""What was asked of the database."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.test.utils import CaptureQueriesContext


def statements(captured: CaptureQueriesContext) -> list[str]:
    """The statements, without those that plan another one.

    A connection does that once, for whichever test comes first on it: their number
    would depend on the order of the tests.
    """
    found = (query["sql"].strip() for query in captured)
    return [sql for sql in found if not sql.startswith("PREPARE")]
