"""How a simulated judge labels its replies, and how that is told from them."""

from __future__ import annotations

SERVED_MODEL = "simulated-judge"
FINGERPRINT = "simulated"


def says_simulated(served_model: str, fingerprint: str) -> bool:
    """Whether a reply says of itself that it comes from a simulated judge."""
    return served_model == SERVED_MODEL or fingerprint == FINGERPRINT
