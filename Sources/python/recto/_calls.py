"""Requests and what their replies become, for the blocking and the asynchronous interface."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Callable, Generic, TypeVar

from . import _pictures
from ._errors import Error, UsageError, error
from ._handle import Handle
from ._messages import Message
from .values import Box, Hit, Link, OutlineItem, box, link, outline

T = TypeVar("T")
P = TypeVar("P")

#: The resolution of pictures whose size is not given, as that of ``recto pages``.
DPI = 150.0


@dataclass(frozen=True)
class Call(Generic[T]):
    """A request, and what makes its reply a result."""

    op: str
    members: dict[str, Any]
    result: Callable[[Message], T]


def picture(handle: Handle, index: int, result: Callable[[Message], T], dpi: float | None, size: int | None) -> Call[T]:
    """The picture of a page. ``result`` is one of the functions of :mod:`_pictures`."""
    if dpi is not None and size is not None:
        raise UsageError("usage", "dpi and size: only one of them decides how large a picture is", handle.path)
    if size is None and dpi is None:
        dpi = DPI
    format = None if result is _pictures.png else _pictures.PIXELS
    return Call("picture", {"page": index + 1, "dpi": dpi, "size": size, "format": format}, result)


def text(index: int, area: Box | None) -> Call[str]:
    """The text of a page."""
    rectangle = Box(*area)._asdict() if area is not None else None
    return Call("text", {"page": index + 1, "area": rectangle}, lambda reply: str(reply["text"]))


def links(index: int) -> Call[list[Link]]:
    """The links of a page."""
    return Call("links", {"page": index + 1}, lambda reply: [link(fields) for fields in reply["links"]])


def entries() -> Call[list[OutlineItem]]:
    """The entries of the outline."""
    return Call("outline", {}, lambda reply: outline(reply["items"]))


class Search(Generic[P]):
    """A search: its request, and the hits in its events. ``page`` makes a page of an index."""

    def __init__(
        self,
        handle: Handle,
        page: Callable[[Handle, int], P],
        words: str,
        pages: Iterable[int] | None,
        case_sensitive: bool,
        diacritics: bool,
        whole_words: bool,
        limit: int | None,
    ) -> None:
        self.members = {
            "words": words,
            "pages": None if pages is None else ",".join(str(handle.index(index) + 1) for index in pages),
            "caseSensitive": case_sensitive,
            "diacritics": diacritics,
            "wholeWords": whole_words,
            "maxCount": limit,
        }
        self._handle, self._page = handle, page
        self._failed: Error | None = None

    def hits(self, event: Message) -> list[Hit[P]]:
        """The hits of an event. The error of the first page that cannot be searched is kept for :meth:`finish`."""
        if "error" in event:
            self._failed = self._failed or error(event["error"], self._handle.path, event["page"])
            return []
        page = self._page(self._handle, event["page"] - 1)
        return [
            Hit(page, hit["match"], hit["before"], hit["after"], [box(area) for area in hit["areas"]])
            for hit in event["hits"]
        ]

    def finish(self, reply: Message) -> None:
        """Called with the reply: raises the error that was kept."""
        if self._failed is not None:
            raise self._failed
