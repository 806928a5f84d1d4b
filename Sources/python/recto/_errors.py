"""What can go wrong. Each error has the code that ``docs/COMMAND.md`` explains."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class Error(Exception):
    """Something that the engine could not do.

    ``code`` is one of the codes of messages, ``message`` says what is wrong, ``path`` names the document and ``page``
    the number of the page, from 1; both are None if the error is not about one.
    """

    def __init__(self, code: str, message: str, path: str | None = None, page: int | None = None) -> None:
        super().__init__(code, message, path, page)
        self.code, self.message, self.path, self.page = code, message, path, page

    def __str__(self) -> str:
        place = [self.path] if self.path is not None else []
        place += [f"page {self.page}"] if self.page is not None else []
        return ": ".join([*place, self.message])


class UsageError(Error, ValueError):
    """A value or an option is not valid."""


class EngineError(Error):
    """The program ``recto`` is not there, or its process has ended."""


class DocumentError(Error):
    """The file is not a PDF that can be read."""


class PasswordError(DocumentError):
    """The password is missing or wrong."""


class PageError(Error):
    """A page cannot be drawn or read. The other pages can."""


class LimitError(PageError, DocumentError):
    """A page or a document needs more time or memory than it may have."""


_CLASSES = {
    "usage": UsageError,
    "password-needed": PasswordError,
    "password-wrong": PasswordError,
    "time-limit": LimitError,
    "memory-limit": LimitError,
    "sandbox": EngineError,
}


def error(fields: Mapping[str, Any], path: str | None = None, page: int | None = None) -> Error:
    """The exception for an ``error`` of a reply, or for a message of the command."""
    code = fields["code"]
    kind = _CLASSES.get(code, DocumentError if page is None else PageError)
    return kind(code, fields["message"], path, page)
