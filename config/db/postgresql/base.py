"""PostgreSQL as Django knows it, asked less often."""

from __future__ import annotations

import select
from typing import Any

from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's own, but an idle connection is asked only if it has something to say.

    ``plans`` names what was planned on this connection (see `config.db.plain`).
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.plans: set[str] = set()

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Connect; a new connection has no plans yet."""
        self.plans = set()
        return super().get_new_connection(conn_params)

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
