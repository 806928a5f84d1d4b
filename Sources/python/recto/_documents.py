"""What documents of the blocking and of the asynchronous interface have in common."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, Callable, Generic, TypeVar, overload

import PIL.Image

from . import _calls, _pictures
from ._errors import Error
from ._handle import Handle, ahead, wait
from ._messages import Message

if TYPE_CHECKING:
    import numpy

T = TypeVar("T")
P = TypeVar("P")


class Pictures(Generic[T]):
    """An iterator over pictures of pages, for ``for`` and ``async for``. Its ``len`` is the number of all pages.

    Several pages are drawn ahead. After a page that is raised as an error, the iterator goes on with the next one.
    """

    def __init__(
        self,
        handle: Handle,
        pages: Iterable[int] | None,
        result: Callable[[Message], T],
        dpi: float | None,
        size: int | None,
        return_errors: bool,
    ) -> None:
        indices = range(handle.pages) if pages is None else [handle.index(index) for index in pages]
        self.done = 0
        """The number of pages that were handed out or raised."""
        self._length = len(indices)
        self._handle, self._result, self._return_errors = handle, result, return_errors

        def draw(index: int) -> Future[Message]:
            return submit(handle, _calls.picture(handle, index, result, dpi, size))

        self._replies = ahead(draw, indices, handle.engine.ahead)

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Pictures[T]:
        return self

    def __next__(self) -> T:
        reply = next(self._replies)
        self.done += 1
        try:
            return self._result(wait(reply))
        except Error as problem:
            return self._failed(problem)

    def __aiter__(self) -> Pictures[T]:
        return self

    async def __anext__(self) -> T:
        await ready(self._handle)
        reply = next(self._replies, None)
        if reply is None:
            raise StopAsyncIteration
        self.done += 1
        try:
            return await asyncio.to_thread(self._result, await asyncio.wrap_future(reply))
        except Error as problem:
            return self._failed(problem)

    def _failed(self, problem: Error) -> T:
        if self._return_errors:
            return problem  # type: ignore[return-value]
        raise problem


class DocumentBase(Generic[P]):
    """An open PDF: a sequence of pages."""

    def __init__(self, handle: Handle, page: Callable[[Handle, int], P]) -> None:
        self._handle, self._page = handle, page

    @property
    def title(self) -> str | None:
        """The title in the document's properties; None if it has none."""
        return self._handle.title

    def __len__(self) -> int:
        return self._handle.pages

    @overload
    def __getitem__(self, index: int) -> P: ...
    @overload
    def __getitem__(self, index: slice) -> list[P]: ...
    def __getitem__(self, index: int | slice) -> P | list[P]:
        if isinstance(index, slice):
            return [self._page(self._handle, page) for page in range(*index.indices(len(self)))]
        return self._page(self._handle, self._handle.index(index))

    def __iter__(self) -> Iterator[P]:
        return (self._page(self._handle, index) for index in range(len(self)))

    def images(
        self,
        pages: Iterable[int] | None = None,
        *,
        dpi: float | None = None,
        size: int | None = None,
        return_errors: bool = False,
    ) -> Pictures[PIL.Image.Image]:
        """Pictures of ``pages`` (indices, by default all) in this order. Sizes as in :meth:`Page.image`.

        All workers draw. A page that cannot be drawn is raised as an :class:`Error`; with ``return_errors`` the error
        is an item in place of its picture.
        """
        return Pictures(self._handle, pages, _pictures.image, dpi, size, return_errors)

    def arrays(
        self,
        pages: Iterable[int] | None = None,
        *,
        dpi: float | None = None,
        size: int | None = None,
        return_errors: bool = False,
    ) -> Pictures[numpy.ndarray[Any, Any]]:
        """As :meth:`images`, as arrays like those of :meth:`Page.array`."""
        return Pictures(self._handle, pages, _pictures.array, dpi, size, return_errors)

    def thumbnails(
        self, size: int = 256, pages: Iterable[int] | None = None, *, return_errors: bool = False
    ) -> Pictures[PIL.Image.Image]:
        """As :meth:`images`, with ``size`` pixels on the longer side."""
        return self.images(pages, size=size, return_errors=return_errors)

    def close(self) -> None:
        """Closes the document. Requests that are not answered fail."""
        self._handle.close()

    def __repr__(self) -> str:
        return f"<recto.Document {self._handle.path or 'of bytes'}: {len(self)} pages>"


class PageBase:
    """A page of a document."""

    def __init__(self, handle: Handle, index: int) -> None:
        self._handle = handle
        self.index = index
        """The index of the page, from 0."""

    @property
    def number(self) -> int:
        """The number of the page, from 1."""
        return self.index + 1

    def _picture(self, result: Callable[[Message], T], dpi: float | None, size: int | None) -> _calls.Call[T]:
        return _calls.picture(self._handle, self.index, result, dpi, size)

    def __repr__(self) -> str:
        return f"<recto.Page {self.number} of {self._handle.path or 'bytes'}>"


def submit(handle: Handle, call: _calls.Call[T]) -> Future[Message]:
    """Sends the request of a call."""
    return handle.submit(call.op, call.members)


async def ready(handle: Handle) -> None:
    """Makes sure that a request does not block: opens the document again if its process has ended."""
    if not handle.ready:
        await asyncio.to_thread(handle.open)
