"""Pages of many documents as Arrow batches."""

from __future__ import annotations

import binascii
import itertools
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Union

from ._stream import lines
from .engine import Engine

if TYPE_CHECKING:
    import pyarrow

Path = Union[str, bytes, "os.PathLike[str]"]

#: The columns and their types.
COLUMNS = {
    "path": "string",
    "page": "int32",
    "label": "string",
    "width": "int32",
    "height": "int32",
    "picture": "binary",
    "text": "string",
    "error": "string",
    "message": "string",
}

_BATCH_BYTES = 32 << 20  # of pictures and texts


def batch_schema() -> pyarrow.Schema:
    """The schema of what ``batches`` makes, which does not depend on its parameters.

    ========= ====== =======================================================================
    path      string the path or name, as it was given
    page      int32  the number of the page, from 1; null if the document failed as a whole
    label     string the label of the page, such as ``iv``; null without pictures
    width     int32  of the picture, in pixels
    height    int32
    picture   binary the file; null without pictures, and if the page could not be drawn
    text      string null without texts, and if the text could not be read
    error     string the code of what went wrong, or null
    message   string the same in words
    ========= ====== =======================================================================
    """
    import pyarrow

    return pyarrow.schema([(name, pyarrow.type_for_alias(kind)) for name, kind in COLUMNS.items()])


def batches(
    documents: Iterable[Path | None] | Iterable[tuple[Path | None, Any]],
    *,
    size: int | None = 256,
    dpi: float | None = None,
    pages: str = "all",
    picture: bool = True,
    text: bool = True,
    format: str = "png",
    quality: int | None = None,
    rows: int = 256,
    jobs: int | None = None,
    timeout: float | None = None,
    memory: int | None = None,
    arguments: Sequence[str] = (),
    program: str | None = None,
) -> Iterator[pyarrow.RecordBatch]:
    """Draws and reads the pages of many documents: a row for each page, in the columns of ``batch_schema``.

    ``documents`` are paths, or pairs of a name and the contents (bytes), which need no file. They are taken one after
    the other while the batches are read, so they can be a generator. Documents come in the order in which they are done.
    One that cannot be read is a row with an ``error``, and so is a page; none is raised.

    ``size`` is the pixels of the longer side, ``dpi`` another way to say it. ``pages`` is a list such as ``"1-3,z"``, of
    which a range may go beyond the end of a document. Without ``picture`` texts are read, which is faster; without
    ``text`` pages are drawn alone. ``format`` is ``"png"``, ``"jpeg"`` or ``"webp"``, ``quality`` that of the last two.

    A batch has at most ``rows`` rows, and ends after 32 MiB. ``jobs`` is the number of processes that draw, by default
    that of processors; ``timeout`` (seconds) and ``memory`` (MB) are the limits of a page; ``arguments`` are further
    options of the command, ``program`` its path, as for ``Engine``.

    The process that does the work ends with the iterator, also if that is closed or dropped before its end.

    :raises Error: if a value is not valid, or the process has ended; batches that came before are complete.
    """
    if not (picture or text):
        raise ValueError("neither pictures nor texts are asked for")
    if rows < 1:
        raise ValueError(f"rows is {rows}, and has to be at least 1")
    options = {"--pages": pages, "--jobs": jobs, "--timeout": timeout, "--memory": memory}
    if picture:
        command = ["pages", "--pictures", "inline", *(["--with-text"] if text else [])]
        options |= {"--size": None if dpi is not None else size, "--dpi": dpi, "--format": format, "--quality": quality}
    else:
        command = ["text"]
    command += ["--from", "-", "--lines", "pages", "--no-cache", "--quiet", "--errors", "json"]
    command += [word for name, value in options.items() if value is not None for word in (name, str(value))]
    command = [Engine(program=program).program, *command, *arguments]
    return _batches(batch_schema(), _rows(command, iter(documents)), rows)


def _batches(schema: pyarrow.Schema, found: Iterator[tuple[Any, ...]], most: int) -> Iterator[pyarrow.RecordBatch]:
    import pyarrow

    def batch() -> pyarrow.RecordBatch:
        columns = [pyarrow.array(values, field.type) for values, field in zip(zip(*taken), schema)]
        return pyarrow.RecordBatch.from_arrays(columns, schema=schema)

    taken: list[tuple[Any, ...]] = []
    count = 0
    for row in found:
        taken.append(row)
        count += sum(len(value) for value in row if isinstance(value, (str, bytes)))
        if len(taken) == most or count >= _BATCH_BYTES:
            yield batch()
            taken, count = [], 0
    if taken:
        yield batch()


def _rows(command: list[str], documents: Iterator[Any]) -> Iterator[tuple[Any, ...]]:
    first = next(documents, documents)
    if first is documents:
        return
    documents = itertools.chain([first], documents)
    refused: list[tuple[Any, ...]] = []
    if isinstance(first, tuple):
        command, parts = [*command, "--contents"], _framed(documents, refused)
    else:
        command, parts = [*command, "--null"], _listed(documents, refused)
    for line in lines(command, parts):
        yield from _rows_of(json.loads(line))
        while refused:
            yield refused.pop()
    yield from refused


def _rows_of(line: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    """The rows of a line: several if several pages have failed alike."""
    error = line.get("error") or line.get("textError") or {}
    if not error and line.get("interrupted"):
        error = {"code": "cancelled", "message": "recto was ended"}
    values = [line.get(name) for name in ("label", "width", "height", "picture", "text")]
    if values[3] is not None:
        values[3] = binascii.a2b_base64(values[3])
    first = line.get("page")
    for page in [None] if first is None else range(first, line.get("lastPage", first) + 1):
        yield (line["path"], page, *values, error.get("code"), error.get("message"))


def _listed(documents: Iterator[Path | None], refused: list[tuple[Any, ...]]) -> Iterator[bytes]:
    """Paths as ``--from -`` reads them."""
    for document in documents:
        path = os.fsencode(document or b"")
        if path and b"\0" not in path:
            yield path + b"\0"
        else:
            refused.append(_refused(document, "a document has no path"))


def _framed(documents: Iterator[tuple[Path | None, Any]], refused: list[tuple[Any, ...]]) -> Iterator[Any]:
    """Documents as ``--contents`` reads them."""
    for document, contents in documents:
        name = os.fsencode(document or b"").decode(errors="replace")
        if not name or "\0" in name:
            refused.append(_refused(document, "a document has no name"))
        elif contents is None:
            refused.append(_refused(document, "a document has no contents"))
        else:
            contents = memoryview(contents)
            yield json.dumps({"path": name, "bytes": contents.nbytes}).encode() + b"\n"
            yield contents


def _refused(document: Path | None, why: str) -> tuple[Any, ...]:
    path = None if document is None else os.fsencode(document).decode(errors="replace")
    return (path, *[None] * (len(COLUMNS) - 3), "usage", why)
