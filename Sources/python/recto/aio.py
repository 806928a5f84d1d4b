"""The same for asyncio: what blocks in ``recto`` is awaited here. Names, parameters and results are those of ``recto``.

    async with recto.aio.open("book.pdf") as doc:
        image = await doc[4].image(dpi=144)
        async for thumbnail in doc.thumbnails(size=256):
            ...

A task that is cancelled cancels its request. Pictures are decoded in threads. Engines are those of ``recto``.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Awaitable, Generator, Iterable, Mapping
from concurrent.futures import Future
from types import TracebackType
from typing import TYPE_CHECKING, Any, Callable, Generic, TypeVar

import PIL.Image

from . import _calls, _pictures, layout
from ._documents import DocumentBase, PageBase, ready, submit
from ._handle import Facts, Handle, Shown, Source
from ._messages import Message
from ._scenes import View
from .engine import Engine, default_engine
from .values import Box, Hit, Link, OutlineItem, Size

if TYPE_CHECKING:
    import numpy

T = TypeVar("T")
C = TypeVar("C", bound="Document | Layout")


def open(
    source: str | os.PathLike[str] | bytes,
    password: str | None = None,
    *,
    box: str = "crop",
    annotations: str = "on",
    layers: Mapping[str, bool] | None = None,
    engine: Engine | None = None,
) -> Opening[Document]:
    """Opens a PDF, as :func:`recto.open`: to be awaited, or for ``async with``."""
    return Opening(lambda: Document(Handle(engine or default_engine(), Source(source), password, Shown(box, annotations, layers))))


class Opening(Generic[C]):
    """Something that is opened when it is awaited or entered, and closed when it is left."""

    def __init__(self, make: Callable[[], C]) -> None:
        self._make = make
        self._made: C | None = None

    def __await__(self) -> Generator[Any, None, C]:
        return asyncio.to_thread(self._make).__await__()

    async def __aenter__(self) -> C:
        self._made = await self
        return self._made

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._made is not None:
            self._made.close()


class Document(DocumentBase["Page"]):
    """As :class:`recto.Document`."""

    def __init__(self, handle: Handle) -> None:
        super().__init__(handle, Page)

    async def search(
        self,
        words: str,
        *,
        pages: Iterable[int] | None = None,
        case_sensitive: bool = False,
        diacritics: bool = False,
        whole_words: bool = False,
        limit: int | None = None,
    ) -> AsyncIterator[Hit[Page]]:
        search = _calls.Search(self._handle, Page, words, pages, case_sensitive, diacritics, whole_words, limit)
        loop = asyncio.get_running_loop()
        found: asyncio.Queue[Message | Future[Message]] = asyncio.Queue()

        def put(event: Message | Future[Message]) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has been closed
                loop.call_soon_threadsafe(found.put_nowait, event)

        await ready(self._handle)
        reply = self._handle.submit("search", search.members, put)
        reply.add_done_callback(put)
        try:
            while not isinstance(event := await found.get(), Future):
                for hit in search.hits(event):
                    yield hit
        finally:
            reply.cancel()
        search.finish(reply.result())

    async def outline(self) -> list[OutlineItem]:
        return await _do(self._handle, _calls.entries())

    async def info(self) -> dict[str, Any]:
        info: dict[str, Any] = (await asyncio.to_thread(self._handle.run, "info"))[0]["document"]
        return info

    def layout(
        self, *, viewport: tuple[float, float] = (1280, 800), scale: float = 1, **options: Any
    ) -> Opening[Layout]:
        return Opening(lambda: Layout(self._handle, viewport, scale, options))


class Page(PageBase):
    """As :class:`recto.Page`. ``label``, ``size`` and ``rotation`` are awaited as well: ``await page.size``."""

    @property
    def label(self) -> Awaitable[str]:
        return self._fact(lambda facts: facts.label)

    @property
    def size(self) -> Awaitable[Size]:
        return self._fact(lambda facts: facts.size)

    @property
    def rotation(self) -> Awaitable[int]:
        return self._fact(lambda facts: facts.rotation)

    async def image(self, *, dpi: float | None = None, size: int | None = None) -> PIL.Image.Image:
        return await _do(self._handle, self._picture(_pictures.image, dpi, size))

    async def array(self, *, dpi: float | None = None, size: int | None = None) -> numpy.ndarray[Any, Any]:
        return await _do(self._handle, self._picture(_pictures.array, dpi, size))

    async def png(self, *, dpi: float | None = None, size: int | None = None) -> bytes:
        return await _do(self._handle, self._picture(_pictures.png, dpi, size))

    async def text(self, area: Box | None = None) -> str:
        return await _do(self._handle, _calls.text(self.index, area))

    async def links(self) -> list[Link]:
        return await _do(self._handle, _calls.links(self.index))

    async def _fact(self, of: Callable[[Facts], T]) -> T:
        return of(await asyncio.to_thread(self._handle.facts, self.index))


class Layout:
    """As :class:`recto.Layout`."""

    def __init__(self, handle: Handle, viewport: tuple[float, float], scale: float, options: dict[str, Any]) -> None:
        self._layout = layout.Layout(handle, viewport, scale, options)

    async def window(self, *, offset: float | tuple[float, float] | None = None, page: int | None = None) -> Window:
        return Window(self._layout, await asyncio.to_thread(self._layout.scene, offset, page))

    def close(self) -> None:
        self._layout.close()


class Window(View):
    """As :class:`recto.Window`."""

    def __init__(self, layout: layout.Layout, scene: Message) -> None:
        super().__init__(scene)
        self._layout = layout

    async def image(self) -> PIL.Image.Image:
        return await asyncio.to_thread(self._layout.image, self)


async def _do(handle: Handle, call: _calls.Call[T]) -> T:
    await ready(handle)
    reply = await asyncio.wrap_future(submit(handle, call))
    return await asyncio.to_thread(call.result, reply)
