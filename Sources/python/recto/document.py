"""Documents and their pages. Pages have indices from 0, as in a list, and numbers from 1, as people count them."""

from __future__ import annotations

import os
import queue
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

import PIL.Image

from . import _calls, _pictures
from ._documents import DocumentBase, PageBase, submit
from ._handle import Handle, Shown, Source, wait
from ._messages import Message
from .engine import Engine, default_engine
from .layout import Layout
from .values import Box, Hit, Link, OutlineItem, Size

if TYPE_CHECKING:
    import numpy

T = TypeVar("T")


def open(
    source: str | os.PathLike[str] | bytes,
    password: str | None = None,
    *,
    box: str = "crop",
    annotations: str = "on",
    layers: Mapping[str, bool] | None = None,
    engine: Engine | None = None,
) -> Document:
    """Opens a PDF: a path, or the bytes of the file.

    ``box`` is the part of pages that is shown: ``crop``, ``media``, ``trim``, ``bleed``, ``art`` or
    ``content``, which is what is not white. ``annotations`` are
    those of the screen (``on``), none (``off``), or those that are printed (``print``). ``layers`` are shown or hidden by
    their names. Encrypted documents can only be shown as usual.

    :raises UsageError: there is no such layer.
    :raises PasswordError: the password is missing or wrong.
    :raises DocumentError: the file cannot be read, or is not a PDF.
    """
    return Document(Handle(engine or default_engine(), Source(source), password, Shown(box, annotations, layers)))


class Document(DocumentBase["Page"]):
    """An open PDF: a sequence of pages. Several threads can use it at the same time."""

    def __init__(self, handle: Handle) -> None:
        super().__init__(handle, Page)

    def search(
        self,
        words: str,
        *,
        pages: Iterable[int] | None = None,
        case_sensitive: bool = False,
        diacritics: bool = False,
        whole_words: bool = False,
        limit: int | None = None,
    ) -> Iterator[Hit[Page]]:
        """The places where ``words`` are, page by page, as they are found; at most ``limit``.

        ``pages`` are indices, by default all. Pages that cannot be searched are left out; after the last hit, the error
        of the first of them is raised.
        """
        search = _calls.Search(self._handle, Page, words, pages, case_sensitive, diacritics, whole_words, limit)
        found: queue.SimpleQueue[Message | Future[Message]] = queue.SimpleQueue()
        reply = self._handle.submit("search", search.members, found.put)
        reply.add_done_callback(found.put)
        try:
            while not isinstance(event := found.get(), Future):
                yield from search.hits(event)
        finally:
            reply.cancel()
        search.finish(reply.result())

    def outline(self) -> list[OutlineItem]:
        """The entries of the outline, each in front of those below it."""
        return _do(self._handle, _calls.entries())

    def info(self) -> dict[str, Any]:
        """The properties of the document: ``document`` as ``recto info --json`` prints it (``docs/COMMAND.md``)."""
        info: dict[str, Any] = self._handle.run("info")[0]["document"]
        return info

    def layout(self, *, viewport: tuple[float, float] = (1280, 800), scale: float = 1, **options: Any) -> Layout:
        """The document as a viewer lays it out, seen through a viewport of this width and height in layout units.

        ``scale`` is the number of pixels of a layout unit. ``options`` are those of ``recto layout``, such as
        ``mode="grid"``, ``columns=3``, ``spread="book"``, ``fit="width"``, ``page_gap=4`` (``docs/LAYOUT.md``).
        """
        return Layout(self._handle, viewport, scale, options)

    def __enter__(self) -> Document:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Page(PageBase):
    """A page of a document."""

    @property
    def label(self) -> str:
        """The label of the page in the document, such as ``iv``; else its number."""
        return self._handle.facts(self.index).label

    @property
    def size(self) -> Size:
        """Width and height in points, as the page is displayed: the crop box, turned, times UserUnit."""
        return self._handle.facts(self.index).size

    @property
    def rotation(self) -> int:
        """The degrees by which the page is turned clockwise when it is displayed."""
        return self._handle.facts(self.index).rotation

    def image(self, *, dpi: float | None = None, size: int | None = None) -> PIL.Image.Image:
        """A picture of mode RGB, with ``dpi`` pixels per inch, by default 150, or ``size`` pixels on its longer side.

        If the page was drawn only in part, ``info["incomplete"]`` of the picture says why.

        :raises PageError: the page cannot be drawn.
        """
        return _do(self._handle, self._picture(_pictures.image, dpi, size))

    def array(self, *, dpi: float | None = None, size: int | None = None) -> numpy.ndarray[Any, Any]:
        """A picture as an array: height × width × 3 of uint8, red, green and blue. Sizes as in :meth:`image`."""
        return _do(self._handle, self._picture(_pictures.array, dpi, size))

    def png(self, *, dpi: float | None = None, size: int | None = None) -> bytes:
        """A picture as the bytes of a PNG file. Sizes as in :meth:`image`."""
        return _do(self._handle, self._picture(_pictures.png, dpi, size))

    def text(self, area: Box | None = None) -> str:
        """The text of the page in reading order, or that in a rectangle."""
        return _do(self._handle, _calls.text(self.index, area))

    def links(self) -> list[Link]:
        """The links of the page, the topmost last."""
        return _do(self._handle, _calls.links(self.index))


def _do(handle: Handle, call: _calls.Call[T]) -> T:
    return call.result(wait(submit(handle, call)))
