"""The command line: whatever stops a command from outside is said in one line."""

from __future__ import annotations

import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

from config.db.refusals import OUTSIDE, in_words
from config.errors import INTERRUPTED, DomainError


def run(arguments: list[str]) -> int:
    """Run a command and return its exit code; `--traceback` shows where it stopped."""
    try:
        execute_from_command_line(arguments)
    except (ImproperlyConfigured, DomainError, *OUTSIDE) as error:
        if "--traceback" in arguments:
            raise
        sys.stderr.write(f"{_words(error)}\n")
        return 1
    except KeyboardInterrupt:
        if "--traceback" in arguments:
            raise
        sys.stderr.write("Interrupted.\n")
        return INTERRUPTED
    return 0


def _words(error: Exception) -> str:
    if isinstance(error, OUTSIDE):
        return in_words(error)
    text = error.message if isinstance(error, DomainError) else str(error)
    name = "SettingsError" if isinstance(error, ImproperlyConfigured) else "Refused"
    return f"{name}: {text}"
