"""Stored texts for those who look over a whole set."""

from __future__ import annotations

from annotation.domain.digests import canonical_json
from annotation.domain.texts import Text, TextError, text_from_json


def read_text(stored: object) -> Text:
    """A stored text; one that no import would take is read as its JSON.

    Looking over 100,000 cases must not stop at one that came in some other way.
    """
    try:
        return text_from_json(stored)
    except TextError:
        return canonical_json(stored).decode()
