"""What ``pdfinfo`` tells."""

from __future__ import annotations

import math
import os
import subprocess
from datetime import datetime
from typing import Any, Callable, TypeVar

from .. import _command
from .._errors import EngineError, Error, PasswordError
from .._handle import Source
from ..engine import default_engine
from .exceptions import PDFInfoNotInstalledError, PDFPageCountError, PDFPopplerTimeoutError

T = TypeVar("T")

_TEXTS = ["Title", "Subject", "Keywords", "Author", "Creator", "Producer"]


def pdfinfo_from_path(
    pdf_path: str | os.PathLike[str] | bytes,
    userpw: str | None = None,
    ownerpw: str | None = None,
    poppler_path: str | os.PathLike[str] | None = None,
    rawdates: bool = False,
    timeout: float | None = None,
    first_page: int | None = None,
    last_page: int | None = None,
) -> dict[str, Any]:
    """The properties of a document, named and written as ``pdfinfo`` does. ``poppler_path`` has no effect."""
    source = Source(pdf_path)
    command = ["info"]
    if first_page or last_page:
        command += ["--pages", f"{first_page or 1}-{last_page or first_page}"]

    def read(password: str | None) -> list[Any]:
        return _command.run(default_engine().program, command, source.target, password, timeout=timeout)

    try:
        info = opened(read, userpw, ownerpw)[0]
    except subprocess.TimeoutExpired:
        raise PDFPopplerTimeoutError("Run poppler poppler timeout.") from None
    return _fields(info, rawdates)


def pdfinfo_from_bytes(
    pdf_bytes: bytes,
    userpw: str | None = None,
    ownerpw: str | None = None,
    poppler_path: str | os.PathLike[str] | None = None,
    rawdates: bool = False,
    timeout: float | None = None,
    first_page: int | None = None,
    last_page: int | None = None,
) -> dict[str, Any]:
    """As :func:`pdfinfo_from_path`, for the bytes of a PDF."""
    return pdfinfo_from_path(pdf_bytes, userpw, ownerpw, poppler_path, rawdates, timeout, first_page, last_page)


def opened(open: Callable[[str | None], T], userpw: str | None, ownerpw: str | None) -> T:
    """What ``open`` returns with the first password that is right. Errors are those of pdf2image."""
    passwords: list[str | None] = [password for password in (userpw, ownerpw) if password is not None]
    passwords = passwords or [None]
    try:
        for password in passwords[:-1]:
            try:
                return open(password)
            except PasswordError:
                continue
        return open(passwords[-1])
    except EngineError as problem:
        if problem.code != "not-installed":
            raise
        raise PDFInfoNotInstalledError(f"Unable to get page count. {problem}") from problem
    except Error as problem:
        raise PDFPageCountError(f"Unable to get page count.\n{problem}") from problem


def _fields(info: dict[str, Any], rawdates: bool) -> dict[str, Any]:
    document = info["document"]
    fields: dict[str, Any] = {key: document[key.lower()] for key in _TEXTS if key.lower() in document}
    for key, date in (("CreationDate", document.get("created")), ("ModDate", document.get("modified"))):
        if date is not None:
            fields[key] = _date(date, rawdates)
    if "tagged" in document:
        fields["Tagged"] = _yes(document["tagged"])
    if "form" in document:
        fields["Form"] = document["form"]
    fields["Pages"] = document["pages"]
    if "encrypted" in document:
        fields["Encrypted"] = _encrypted(document["permissions"]) if document["encrypted"] else "no"
    if "pages" not in info and "size" in info.get("firstPage", {}):
        fields["Page size"] = _size(info["firstPage"])
        fields["Page rot"] = str(info["firstPage"]["rotation"])
    for page in info.get("pages", []):
        if "size" in page:
            fields[f"Page {page['number']:4} size"] = _size(page)
            fields[f"Page {page['number']:4} rot"] = str(page["rotation"])
    fields["File size"] = f"{document['bytes']} bytes"
    fields["Optimized"] = _yes(document["linearized"])
    fields["PDF version"] = document["pdfVersion"]
    return fields


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _encrypted(permissions: dict[str, bool]) -> str:
    names = {"print": "print", "copy": "copy", "change": "change", "addNotes": "annotate"}
    return "yes (" + " ".join(f"{name}:{_yes(permissions[key])}" for name, key in names.items()) + ")"


def _date(text: str, raw: bool) -> str:
    date = datetime.fromisoformat(text.replace("Z", "+00:00"))
    if raw:
        zone = date.strftime("%z")
        return date.strftime("D:%Y%m%d%H%M%S") + ("Z" if zone in ("", "+0000") else f"{zone[:3]}'{zone[3:]}'")
    return date.astimezone().strftime("%a %b %e %H:%M:%S %Y %Z")


def _size(page: dict[str, Any]) -> str:
    # pdfinfo tells the page before it is turned, as %g does, and the name of its format if there is one.
    width, height = page["size"]["width"], page["size"]["height"]
    if page["rotation"] % 180:
        width, height = height, width
    return f"{width:g} x {height:g} pts{_format(min(width, height), max(width, height))}"


def _format(short: float, long: float) -> str:
    if abs(short - 612) < 0.1 and abs(long - 792) < 0.1:
        return " (letter)"
    side = math.sqrt(math.sqrt(2)) * 7200 / 2.54
    for number in range(7):
        if abs(long - side) < 1 and abs(short - side / math.sqrt(2)) < 1:
            return f" (A{number})"
        side /= math.sqrt(2)
    return ""
