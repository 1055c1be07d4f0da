"""Django's migrate, which also repairs guards that an earlier failure left missing."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import connections

from config.db import guards
from config.db.declarations import BadDeclaration


class Command(migrate.Command):
    """Migrates, with the guards in place before the checks look for them."""

    def handle(self, *args: Any, **options: Any) -> None:
        """Install what is missing on the tables that exist, then migrate."""
        connection = connections[options["database"]]
        try:
            guards.install(connection)
        except BadDeclaration as error:
            raise CommandError(str(error)) from error
        super().handle(*args, **options)
