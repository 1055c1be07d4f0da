"""Django's migrate, which also repairs guards that an earlier failure left missing."""

from __future__ import annotations

from typing import Any

from django.core.management.commands import migrate
from django.db import connections

from config.db import guards


class Command(migrate.Command):
    """Migrates, with the guards in place before the checks look for them."""

    def handle(self, *args: Any, **options: Any) -> None:
        """Install what is missing on the tables that exist, then migrate."""
        connection = connections[options["database"]]
        # Never create the database file or need a server for a mere listing.
        connection.prepare_database()
        guards.install(connection)
        super().handle(*args, **options)
