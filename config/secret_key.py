"""Find or make the key that signs sessions."""

from __future__ import annotations

import os
import secrets
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

KEY_BYTES = 48


def read_secret_key(given: str, path: Path, *, create: bool) -> str:
    """Return the given key, else the one in the file, which may be created.

    The empty string means that there is none; Django then refuses to sign anything
    and the system check evenhand.E001 says why.
    """
    if given or not create:
        return given
    try:
        return _read_or_create(path)
    except OSError:
        return ""


def _read_or_create(path: Path) -> str:
    # Processes that start together must agree: the first to link its file wins.
    if not path.exists():
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_urlsafe(KEY_BYTES))
        try:
            path.hardlink_to(draft)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text().strip()
