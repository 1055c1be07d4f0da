"""Zips that mean harm, or are none: refused with one line, or named as tampered."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import zipfile
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from calibration.domain.audit import containers
from calibration.domain.audit.chains import link, seed_of
from calibration.domain.audit.findings import Unreadable
from calibration.domain.audit.layout import (
    MANIFEST,
    NOTES,
    TABLES,
    Manifest,
    table_file,
)
from calibration.domain.audit.verifying import verify
from tests.calibration.audits.tools import packed, said, with_manifest
from tests.judging.factory import ROOT


def empty() -> dict[str, bytes]:
    """The least bundle there can be: nothing was asked of it and nothing is in it."""
    files = {table_file(table): b"" for table in TABLES}
    files |= dict.fromkeys(NOTES, b"")
    files[MANIFEST] = Manifest({}, (), ()).encoded()
    return with_manifest(files)


def zipped(*entries: tuple[str, bytes], **changes: Any) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in entries:
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            for key, value in changes.items():
                setattr(info, key, value)
            made.writestr(info, content)
    return out.getvalue()


def refused(data: bytes) -> str:
    with pytest.raises(Unreadable) as caught:
        verify(io.BytesIO(data))
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_what_is_no_zip_is_refused() -> None:
    assert "no zip" in refused(b"")
    assert "no zip" in refused(b"PK\x03\x04" + b"x" * 100)
    assert "no zip" in refused(packed(empty())[:-30])
    assert MANIFEST in refused(zipped(("a.jsonl", b"")))


@pytest.mark.parametrize(
    "name",
    ["../evil", "/etc/passwd", "a/../../b", "C:evil", "a\\b", "a//b", "dir/", "ümlaut"],
)
def test_names_that_would_land_elsewhere_are_refused(name: str) -> None:
    assert "it holds a file" in refused(zipped((MANIFEST, b"{}"), (name, b"x")))


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_name_that_occurs_twice_is_refused() -> None:
    assert "twice" in refused(zipped((MANIFEST, b"{}"), (MANIFEST, b"{}")))


def test_a_bomb_is_refused_unread() -> None:
    bomb = zipped((MANIFEST, b"{}"), ("bomb.jsonl", bytes(50_000_000)))
    assert len(bomb) < 100_000
    assert "would unpack to 50000000 bytes" in refused(bomb)


def test_links_and_too_large_bundles_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    link_ = zipped((MANIFEST, b"{}"), external_attr=0o120777 << 16)
    assert "is a link" in refused(link_)
    monkeypatch.setattr(containers, "MOST_BYTES", 10)
    assert "larger than 10 bytes" in refused(zipped((MANIFEST, b"x" * 11)))
    monkeypatch.setattr(containers, "MOST_FILES", 1)
    assert "more than 1 files" in refused(zipped(("a", b""), ("b", b"")))


def test_an_entry_that_lies_about_its_size_is_named() -> None:
    data = bytearray(packed(empty()))
    name = table_file("cases").encode()
    at = data.rindex(name) - 46  # its place in the list at the end
    data[at + 24 : at + 28] = (5).to_bytes(4, "little")
    problems = said(bytes(data))
    assert any("cases.jsonl" in problem for problem in problems)


@pytest.mark.parametrize(
    "manifest",
    [
        b"",
        b"[]",
        b"\xff",
        b"{",
        b'{"schema":"evenhand.audit/2"}',
        b'{"schema":"evenhand.audit/4","scope":{},"left_out":[],"files":[]}',
        b'{"schema":"evenhand.audit/2","schema":"evenhand.audit/2"}',
        (
            b'{"schema":"evenhand.audit/2","scope":{},"left_out":[],"ruling_heads":{},'
            b'"files":[{"name":"a","size":NaN,"sha256":""}]}'
        ),
        (
            b'{"schema":"evenhand.audit/2","scope":{},"left_out":[],"ruling_heads":{},'
            b'"files":[{"name":"a","size":-1,"sha256":""}]}'
        ),
        b'{"schema":"evenhand.audit/2","scope":{},"left_out":[],"ruling_heads":{},'
        b'"files":[{"name":"a","size":1' + b"0" * 5000 + b',"sha256":""}]}',
        b"[" * 100_000,
    ],
)
def test_a_broken_manifest_is_refused(manifest: bytes) -> None:
    assert MANIFEST in refused(packed(empty() | {MANIFEST: manifest}))


def test_the_least_bundle_holds() -> None:
    problems = said(empty())
    assert problems == [f"{name}: it is not what the rulings come to" for name in NOTES]


BODIES = {
    b'{"gold_set":NaN}': "gold_set is NaN",
    b'{"gold_set":1e999}': "gold_set is too large a number",
    b'{"gold_set":1' + b"0" * 5000 + b"}": "gold_set is too large a number",
    b'{"gold_set":"\xff"}': "it is not UTF-8",
    b'{"gold_set":"\\ud800"}': "gold_set holds half a surrogate pair",
    b'{"gold_set":1,"gold_set":2}': "gold_set occurs twice in one object",
    b'{"gold_set": 1}': "it is not written as canonical JSON",
    b'{"gold_set":"x"}': "it lacks",
    b'{"gold_set":' + b"[" * 60 + b"]" * 60 + b"}": "nested too deeply",
    b'{"gold_set":' + b"[" * 50_000 + b"]" * 50_000 + b"}": "nested too deeply",
    b"{nonsense}": "it is no JSON",
}


@pytest.mark.parametrize("body", BODIES, ids=BODIES.values())
def test_odd_values_are_named_with_their_row(body: bytes) -> None:
    """The chain is forged with them, so that it does not speak first."""
    chain = link(seed_of("gold_sets"), body).encode()
    line = b'{"chain":"' + chain + b'",' + body[1:] + b"\n"
    name = table_file("gold_sets")
    try:
        files = with_manifest(empty() | {name: line})
    except (ValueError, RecursionError):
        files = empty() | {name: line}
    problems = [p for p in said(files) if p.startswith(f"{name} row 1: ")]
    assert any(BODIES[body] in problem for problem in problems), problems


def test_a_line_that_is_none_is_named() -> None:
    name = table_file("labels")
    for line in (b"\n", b"{}\n", b"x" * 100, b'{"chain":"short",}\n'):
        problems = said(empty() | {name: line})
        expected = f"{name} row 1: it is not laid out as a line of a table"
        assert expected in problems


def command(*arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """A process of its own, with a database that nobody can open."""
    return subprocess.run(
        [sys.executable, "manage.py", "verify_audit", *arguments],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": "postgres://x@127.0.0.1:1/none", **environ},
        capture_output=True,
        text=True,
        check=False,
    )


def test_exit_codes_tell_tampered_from_unreadable(tmp_path: Any) -> None:
    bundle, report = tmp_path / "a.zip", tmp_path / "found.json"
    bundle.write_bytes(packed(empty()))
    found = command(str(bundle), "--expect", "0" * 64, "--json", str(report))
    assert found.returncode == 20
    assert "WRONG  manifest.json: its digest is" in found.stdout
    assert f"(expected {'0' * 64})" in found.stdout
    assert "as expected" not in found.stdout
    said_ = json.loads(report.read_text())
    assert said_["result"] == "tampered"
    assert said_["problems"][0]["file"] == MANIFEST
    bundle.write_bytes(b"nothing")
    for broken in (str(bundle), str(tmp_path), str(tmp_path / "none.zip")):
        found = command(broken, "--json", str(report))
        assert found.returncode == 21
        assert found.stderr.count("\n") == 1
        assert found.stdout == ""


@pytest.mark.parametrize("digest", ["", " ", "abc", "0" * 63, "0" * 65, "g" * 64])
def test_a_digest_that_is_none_is_refused_and_nothing_is_verified(
    tmp_path: Any, digest: str
) -> None:
    bundle = tmp_path / "a.zip"
    bundle.write_bytes(packed(empty()))
    with pytest.raises(CommandError, match="no digest of 64"):
        call_command("verify_audit", str(bundle), "--expect", digest)
