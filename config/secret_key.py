"""Find or make the key that signs sessions."""

from __future__ import annotations

import os
import secrets
from typing import TYPE_CHECKING

from django.core.exceptions import ImproperlyConfigured

if TYPE_CHECKING:
    from pathlib import Path

KEY_BYTES = 48


def read_secret_key(given: str, path: Path, *, create: bool) -> str:
    """Return the given key, else the one in the file, which may be created.

    The empty string means that none may be made; Django then refuses to sign anything
    and the system check evenhand.E001 says why. Raises ``ImproperlyConfigured`` where
    the file can be neither read nor written.
    """
    if given or not create:
        return given
    try:
        return _read_or_create(path)
    except OSError as error:
        raise ImproperlyConfigured(
            f"The site's key can't be kept in {path} ({error.strerror}). Make the "
            "folder writable, name another by EVENHAND_VAR, or set SECRET_KEY."
        ) from None


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
