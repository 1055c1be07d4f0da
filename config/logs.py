"""One JSON object a line, for log collectors."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from typing import Any

STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {
    "message",
    "asctime",
    "request",
}
# Words in the name of an extra field that mark its value as a secret.
SECRET_WORDS = ("secret", "password", "token", "api_key", "authorization", "cookie")
HIDDEN = "[hidden]"


class JsonFormatter(logging.Formatter):
    """Writes time, level, logger, message and the extra fields of a record."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as one line of JSON."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **_extra(record),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str, ensure_ascii=False)


def _extra(record: logging.LogRecord) -> dict[str, Any]:
    fields = {k: v for k, v in vars(record).items() if k not in STANDARD}
    return {name: HIDDEN if _is_secret(name) else fields[name] for name in fields}


def _is_secret(name: str) -> bool:
    return any(word in name.lower() for word in SECRET_WORDS)
