"""How often and how fast a failed request is repeated."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.conf import settings


@dataclass(frozen=True, slots=True)
class Pace:
    """How often and how fast a failed request is repeated; seconds.

    ``longest_wait`` bounds what a provider may ask for by refusing, ``patience`` how
    long one may not answer at all.
    """

    tries: int = 6
    backoff: float = 0.5
    ceiling: float = 30.0
    longest_wait: float = 900.0
    patience: float = 300.0


DEFAULT_PACE = Pace()


def usual_pace() -> Pace:
    """The pace of this site's runs."""
    return replace(DEFAULT_PACE, patience=settings.PROVIDER_PATIENCE_SECONDS)
