"""Hypothesis without its deadline: a busy machine is no reason to fail."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")
