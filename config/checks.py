"""System checks of this project."""

from __future__ import annotations
