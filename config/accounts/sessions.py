"""Sessions in the database, read by one plain statement: every request begins with it.

They are read each time and kept nowhere else, so that signing out, or the end of a
session by whatever means, holds from the next request on in all processes.
"""

from __future__ import annotations

from typing import Any

from django.contrib.sessions.backends import db
from django.db import connection
from django.utils import timezone

SESSION = """
SELECT session_data FROM django_session
WHERE session_key = %s AND expire_date > %s
"""


class SessionStore(db.SessionStore):
    """Django's own, but for how a session is read."""

    def load(self) -> dict[str, Any]:
        """The data of a session that has not expired; nothing for any other key."""
        now = connection.ops.adapt_datetimefield_value(timezone.now())
        with connection.cursor() as cursor:
            cursor.execute(SESSION, [self.session_key, now])
            found = cursor.fetchone()
        if found is None:
            self._session_key = None
            return {}
        data: dict[str, Any] = self.decode(found[0])
        return data
