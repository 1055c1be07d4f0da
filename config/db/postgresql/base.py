"""Find out whether a kept connection still works without asking the server."""

from __future__ import annotations

import select

from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's own, but an idle connection is asked only if it has something to say."""

    def is_usable(self) -> bool:
        """Whether the connection works, asked once at the start of a request.

        Between requests the server sends nothing, unless it says goodbye or closes the
        connection; then the socket can be read, and a query finds out what it was.
        """
        if self.connection is None or self.connection.closed:
            return False
        if hasattr(select, "poll"):
            watched = select.poll()
            watched.register(self.connection.fileno(), select.POLLIN)
            if not watched.poll(0):  # errors and hang-ups are reported unasked
                return True
        return bool(super().is_usable())
