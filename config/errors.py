"""Errors that people and programs are told about, and their HTTP status.

A service raises `DomainError` or a subclass, which names its kind. `STATUS` is the one
place that maps kinds to HTTP; pages (config/middleware.py) and the API (config/api.py)
both answer through `status_of`.
"""

from __future__ import annotations

import re
from enum import StrEnum
from http import HTTPStatus
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Mapping


INTERRUPTED = 130
"""Exit code of a command that was interrupted, as shells give it for Ctrl-C."""

_FIELD = re.compile(r"([a-z][a-z0-9_]*(?:\.[\w-]+)*): ")


class ErrorKind(StrEnum):
    """What sort of refusal it is."""

    INVALID = "invalid"
    FORBIDDEN = "forbidden"
    NOT_FOUND = "not_found"
    CONFLICT = "conflict"
    UNAVAILABLE = "unavailable"


STATUS = {
    ErrorKind.INVALID: HTTPStatus.BAD_REQUEST,
    ErrorKind.FORBIDDEN: HTTPStatus.FORBIDDEN,
    ErrorKind.NOT_FOUND: HTTPStatus.NOT_FOUND,
    ErrorKind.CONFLICT: HTTPStatus.CONFLICT,
    ErrorKind.UNAVAILABLE: HTTPStatus.SERVICE_UNAVAILABLE,
}


class DomainError(Exception):
    """A refusal by the rules: a stable code for programs, a message for people.

    `detail` holds what a program needs to react, as JSON values. Neither message nor
    detail may reveal what its reader must not know.
    """

    kind: ClassVar[ErrorKind] = ErrorKind.CONFLICT

    def __init__(
        self, code: str, message: str, detail: Mapping[str, object] | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.detail: dict[str, object] = dict(detail or {})


class InvalidInput(DomainError):
    """What was sent can't be read or breaks its format.

    A message of the form "field: what is wrong" also names the field in the detail.
    """

    kind = ErrorKind.INVALID

    def __init__(
        self, code: str, message: str, detail: Mapping[str, object] | None = None
    ) -> None:
        super().__init__(code, message, detail)
        named = _FIELD.match(message)
        if named is not None:
            self.detail.setdefault("field", named[1])


class NotAllowed(DomainError):
    """This person may not do this."""

    kind = ErrorKind.FORBIDDEN


class NotFound(DomainError):
    """There is no such thing, or this person may not know of it."""

    kind = ErrorKind.NOT_FOUND


class Conflict(DomainError):
    """The state of things does not allow it, or not any more."""


class Unavailable(DomainError):
    """Something outside is missing for the moment; trying again may help."""

    kind = ErrorKind.UNAVAILABLE


def status_of(error: DomainError) -> HTTPStatus:
    """Return the HTTP status that answers an error."""
    return STATUS[error.kind]
