"""Who runs a command."""

from __future__ import annotations

from config.management.actors import account

__all__ = ["account"]
