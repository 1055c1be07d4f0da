"""Who runs a command."""

from __future__ import annotations

from annotation.management.actors import account

__all__ = ["account"]
