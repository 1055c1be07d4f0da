"""The files' records and how to read them, in one place to import from."""

from __future__ import annotations

from annotation.domain.answer_rows import RecordedChoice, parse_labels, parse_verdicts
from annotation.domain.case_rows import parse_cases
from annotation.domain.pairs import PairFlag, pair_digest, pair_flags
from annotation.domain.record_types import CaseRecord, LabelRecord, VerdictRecord
from annotation.domain.rows import Parsed, Row, RowError, RowNotice, RowsResult
from annotation.domain.texts import (
    Message,
    Text,
    TextError,
    plain_text,
    text_digest_of,
    text_from_json,
    text_length,
    text_to_json,
)

__all__ = [
    "CaseRecord",
    "LabelRecord",
    "Message",
    "PairFlag",
    "Parsed",
    "RecordedChoice",
    "Row",
    "RowError",
    "RowNotice",
    "RowsResult",
    "Text",
    "TextError",
    "VerdictRecord",
    "pair_digest",
    "pair_flags",
    "parse_cases",
    "parse_labels",
    "parse_verdicts",
    "plain_text",
    "text_digest_of",
    "text_from_json",
    "text_length",
    "text_to_json",
]
