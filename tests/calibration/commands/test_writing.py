"""Where commands write: a link is followed, a pipe or device stays what it is."""

from __future__ import annotations

import os
import stat
from hashlib import sha256
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import ZipFile

import pytest
from django.core.management import call_command

from calibration.management.writing import clear, write_whole
from tests.calibration.commands.test_decide import decide
from tests.calibration.releases import make_release

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def pipe(tmp_path: Path) -> Iterator[tuple[Path, int]]:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    yield path, reader
    os.close(reader)


def test_a_pipe_takes_the_bytes_and_stays_a_pipe(pipe: tuple[Path, int]) -> None:
    path, reader = pipe
    clear(path)
    write_whole(path, [b"one", b"two"])
    assert stat.S_ISFIFO(path.lstat().st_mode)
    assert os.read(reader, 100) == b"onetwo"


def test_a_link_is_followed_and_stays_a_link(tmp_path: Path) -> None:
    link, file = tmp_path / "link", tmp_path / "file"
    file.write_bytes(b"earlier")
    link.symlink_to(file)
    clear(link)
    assert link.is_symlink()
    assert not file.exists()
    write_whole(link, [b"now"])
    assert link.is_symlink()
    assert file.read_bytes() == b"now"
    assert sorted(tmp_path.iterdir()) == [file, link]


def test_a_device_is_written_to_and_not_replaced() -> None:
    clear(Path(os.devnull))
    write_whole(Path(os.devnull), [b"now"])
    assert stat.S_ISCHR(Path(os.devnull).lstat().st_mode)


@pytest.mark.django_db
def test_decide_leaves_a_pipe_and_a_link_where_they_are(
    tmp_path: Path, pipe: tuple[Path, int]
) -> None:
    path, reader = pipe
    link, file = tmp_path / "link", tmp_path / "file"
    link.symlink_to(file)
    released = make_release()
    code, _ = decide(released.run.pk, junit=str(path), json=str(link))
    assert code == 0
    assert stat.S_ISFIFO(path.lstat().st_mode)
    assert os.read(reader, 5) == b"<?xml"
    assert link.is_symlink()
    assert file.read_text("utf-8").startswith("{")


def test_a_dash_is_standard_output_and_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, db: None
) -> None:
    monkeypatch.chdir(tmp_path)
    gold_set = make_release().gold_set
    told = StringIO()
    plain, dashed = StringIO(), StringIO()
    for out, more in ((plain, []), (dashed, ["--output", "-"])):
        command = ["export_labels", gold_set.name, "--format", "csv", *more]
        call_command(*command, stdout=out, stderr=told)
    assert plain.getvalue() == dashed.getvalue() != ""
    assert told.getvalue() == ""
    assert list(tmp_path.iterdir()) == []


def test_a_bundle_goes_there_whole_and_its_digest_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, db: None
) -> None:
    monkeypatch.chdir(tmp_path)
    gold_set = make_release().gold_set
    out, told = TextIOWrapper(BytesIO()), StringIO()
    command = ["export_audit", gold_set.name, "--output", "-"]
    call_command(*command, stdout=out, stderr=told)
    out.flush()
    bundle = ZipFile(out.buffer)
    digest = sha256(bundle.read("manifest.json")).hexdigest()
    assert told.getvalue().splitlines()[-1] == digest
    assert list(tmp_path.iterdir()) == []
