"""Uploads are kept for their owner, for a while, and within limits."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

import pytest

from annotation.models import Upload
from annotation.services import uploads
from config.errors import InvalidInput, NotFound
from tests.annotation.factory import START

if TYPE_CHECKING:
    from pathlib import Path

    from config.accounts.models import User

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def var_dir(tmp_path: Path, settings: Any) -> Path:
    settings.VAR_DIR = tmp_path
    return tmp_path


def keep(owner: User, *files: tuple[str, bytes], **rest: Any) -> Upload:
    sent = [(name, iter([data[:2], data[2:]])) for name, data in files]
    rest = {"now": START, "plan": {"kind": "pairs"}, **rest}
    options: dict[str, Any] = rest
    return uploads.keep_upload(files=sent, owner=owner, **options)


def test_files_come_back_as_they_were_sent(lead: User) -> None:
    kept = keep(lead, ("a.jsonl", b"one"), ("../b.csv", b"two"))
    found = uploads.upload_for(token=kept.token, owner=lead, now=START)
    assert [(s.filename, s.data) for s in uploads.sources_of(found)] == [
        ("a.jsonl", b"one"),
        ("../b.csv", b"two"),
    ]
    assert found.files[0]["size"] == 3
    assert sorted(p.name for p in found.folder.iterdir()) == ["0", "1"]


def test_an_upload_is_its_owners_alone(lead: User, other_reviewer: User) -> None:
    kept = keep(lead, ("a", b"x"))
    for token, owner in ((kept.token, other_reviewer), (uuid.uuid4(), lead)):
        with pytest.raises(NotFound):
            uploads.upload_for(token=token, owner=owner, now=START)


def test_it_is_forgotten_in_time_with_its_files(lead: User) -> None:
    kept = keep(lead, ("a", b"x"))
    later = START + uploads.KEPT
    with pytest.raises(NotFound):
        uploads.upload_for(token=kept.token, owner=lead, now=later)
    newer = keep(lead, ("b", b"y"), now=later)
    assert list(Upload.objects.all()) == [newer]
    assert not kept.folder.exists()
    uploads.forget(newer)
    assert not newer.folder.exists()
    assert not Upload.objects.exists()


def test_too_much_is_refused_and_leaves_nothing(
    lead: User, monkeypatch: pytest.MonkeyPatch, var_dir: Path
) -> None:
    monkeypatch.setattr(uploads, "MOST_BYTES", 5)
    with pytest.raises(InvalidInput, match="MB at most in all"):
        keep(lead, ("a", b"xxx"), ("b", b"yyy"))
    with pytest.raises(InvalidInput, match="at least one"):
        keep(lead)
    with pytest.raises(InvalidInput, match="at most 20"):
        keep(lead, *[("a", b"")] * 21)
    assert not Upload.objects.exists()
    assert list((var_dir / "uploads").iterdir()) == []


def test_files_that_are_gone_are_not_there(lead: User) -> None:
    kept = keep(lead, ("a", b"x"))
    (kept.folder / "0").unlink()
    kept.folder.rmdir()
    with pytest.raises(NotFound, match="send it again"):
        uploads.upload_for(token=kept.token, owner=lead, now=START)
