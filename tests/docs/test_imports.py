"""docs/imports.md against the readers: every source, every mapped field."""

from __future__ import annotations

import pytest

from annotation.domain.readers.choosing import KNOWN
from annotation.domain.readers.registry import OWN, READERS
from annotation.services.uploads import KEPT, MEGABYTE, MOST_BYTES, MOST_FILES
from tests.docs.pages import DOCS, codes, headings, section, text_of

IMPORTS = text_of(DOCS / "imports.md")
FOREIGN = [reader for reader in READERS.values() if reader is not OWN]


def test_every_source_has_a_section_and_every_section_a_source() -> None:
    assert headings(IMPORTS)[1:] == [reader.title for reader in FOREIGN]


@pytest.mark.parametrize("reader", FOREIGN, ids=lambda reader: reader.name)
def test_the_mapping_in_the_text_is_that_of_the_code(reader) -> None:
    text = section(IMPORTS, reader.title)
    assert f"`--from {reader.name}`: {reader.takes}." in text
    assert f"Gives {' and '.join(reader.yields)}." in text
    for kind, mapping in reader.mapping.items():
        assert f"| {kind} | taken from |" in text
        for ours, theirs in mapping:
            named = ", ".join(f"`{name.strip()}`" for name in ours.split(","))
            assert f"| {named} | {theirs} |" in text


def test_every_known_word_is_named() -> None:
    assert set(KNOWN) <= set(codes(IMPORTS))


def test_limits_named_in_the_text_are_those_of_the_code() -> None:
    assert f"({MOST_BYTES // MEGABYTE} MB at most, in up to\n  {MOST_FILES}" in IMPORTS
    assert KEPT.total_seconds() == 6 * 3600
    assert "kept for six hours" in IMPORTS
