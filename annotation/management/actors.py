"""Who runs a command."""

from __future__ import annotations

import getpass


def account() -> str:
    """The account that runs the command; a container may have none by name."""
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return "unknown"
