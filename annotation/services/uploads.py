"""Keeping uploaded files for a while, out of reach of whoever sent them."""

from __future__ import annotations

import hashlib
import shutil
from datetime import timedelta
from typing import TYPE_CHECKING

from annotation.models import Upload
from annotation.services.intake import Source
from config.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    import uuid
    from collections.abc import Iterable, Sequence
    from datetime import datetime
    from pathlib import Path

    from config.accounts.models import User

    # A name, and the file's bytes in pieces.
    Sent = tuple[str, Iterable[bytes]]

MEGABYTE = 1024 * 1024
MOST_BYTES = 200 * MEGABYTE
MOST_FILES = 20
LONGEST_NAME = 200
KEPT = timedelta(hours=6)


def keep_upload(
    *, files: Sequence[Sent], plan: dict[str, object], owner: User, now: datetime
) -> Upload:
    """Store files and what is to be done with them; forget what has expired."""
    forget_expired(now=now)
    if not files:
        raise InvalidInput("upload_empty", "file: choose at least one file.")
    if len(files) > MOST_FILES:
        raise InvalidInput("upload_too_many", f"file: at most {MOST_FILES} at once.")
    upload = Upload(
        owner=owner, plan=plan, uploaded_at=now, expires_at=now + KEPT, files=[]
    )
    upload.folder.mkdir(parents=True, mode=0o700)
    try:
        upload.files = _stored(upload.folder, files)
        upload.save()
    except BaseException:
        shutil.rmtree(upload.folder, ignore_errors=True)
        raise
    return upload


def _stored(folder: Path, files: Sequence[Sent]) -> list[dict[str, object]]:
    stored, left = [], MOST_BYTES
    for place, (name, pieces) in enumerate(files):
        digest, size = hashlib.sha256(), 0
        with (folder / str(place)).open("wb") as target:
            for piece in pieces:
                size += len(piece)
                if size > left:
                    most = MOST_BYTES // MEGABYTE
                    raise InvalidInput(
                        "upload_too_large", f"file: {most} MB at most in all."
                    )
                digest.update(piece)
                target.write(piece)
        left -= size
        shown = name[-LONGEST_NAME:]
        entry = {"name": shown, "size": size, "sha256": digest.hexdigest()}
        stored.append(entry)
    return stored


def upload_for(*, token: uuid.UUID, owner: User, now: datetime) -> Upload:
    """A person's own upload; anyone else's is not there."""
    found = Upload.objects.filter(token=token, owner=owner, expires_at__gt=now).first()
    if found is None or not found.folder.is_dir():
        raise NotFound(
            "upload_unknown", "This upload is not kept any more. Please send it again."
        )
    return found


def sources_of(upload: Upload) -> tuple[Source, ...]:
    """The files, to be read where they lie, under the names they were sent with."""
    return tuple(
        Source(upload.folder / str(place), str(entry["name"]))
        for place, entry in enumerate(upload.files)
    )


def forget(upload: Upload) -> None:
    """Delete an upload and its files."""
    shutil.rmtree(upload.folder, ignore_errors=True)
    upload.delete()


def forget_expired(*, now: datetime) -> None:
    """Delete what nobody confirmed in time."""
    for upload in Upload.objects.filter(expires_at__lte=now):
        forget(upload)
