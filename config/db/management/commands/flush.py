"""Django's flush, on test databases only."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import flush
from django.db import connections

from config.db import guards
from config.db.emptying import empty


class Command(flush.Command):
    """Empties a test database; refuses any other, whose rows must be kept."""

    def handle(self, **options: Any) -> None:
        """Let the guards rest while the rows are deleted."""
        connection = connections[options["database"]]
        if not guards.is_test_database(connection):
            raise CommandError(
                "flush would delete labels and records that must be kept. Refused: "
                "this is not a test database."
            )
        empty(connection)
