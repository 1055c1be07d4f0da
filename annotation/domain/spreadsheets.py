"""Text that a spreadsheet would take for a formula, made harmless and back again.

A cell that begins with ``=``, ``+``, ``-``, ``@``, a tab or a carriage return, also
after spaces, runs as a formula when a spreadsheet opens the file. Such a cell, and one
that begins with an apostrophe, gets an apostrophe before it. So an apostrophe in front
was always put there, and taking it off gives the text back exactly. A file says that it
was written so in the column ``text_escape``; without that nothing is taken off.
Source: OWASP, CSV injection.
"""

from __future__ import annotations

import re

ESCAPE_COLUMN = "text_escape"
ESCAPE = "'"
# Full-width signs are read as the plain ones in some languages.
_FORMULA = re.compile(r"\s*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]|'|\s*[\t\r]")


def neutralised(text: str) -> str:
    """Make a cell harmless. The inverse is :func:`restored`."""
    return ESCAPE + text if _FORMULA.match(text) else text


def restored(text: str) -> str:
    """Give back the text of a cell that :func:`neutralised` wrote."""
    return text.removeprefix(ESCAPE)
