"""Windows of a layout, and the tiles that come for them, for the blocking and the asynchronous interface."""

from __future__ import annotations

import re
import threading
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

import PIL.Image

from . import _pictures
from ._errors import Error, UsageError, error
from ._messages import Message
from .values import Box, Size, box

#: What tells tiles apart: page number, width and height of the raster, column and row.
Key = tuple[int, int, int, int, int]

#: The color around pages, that of ``recto render --image``.
BACKGROUND = "#e8e8e8"


@dataclass(frozen=True)
class PlacedPage:
    """A page in a window. Its frame and the visible part of it are in layout units from the top left of the content."""

    index: int
    number: int
    label: str
    frame: Box
    visible: Box | None
    size: Size
    scale: float
    error: Error | None


class View:
    """What a viewport shows of a layout.

    ``viewport`` is its rectangle in the content, ``content`` the size of the whole layout, both in layout units.
    ``current`` is the number of the current page, from 1, or None. ``place`` is the position as in ``docs/SERVE.md``.
    """

    def __init__(self, scene: Message) -> None:
        if "refusal" in scene:
            raise error(scene["refusal"])
        self.viewport = box(scene["viewport"])
        self.content = Size(scene["content"]["width"], scene["content"]["height"])
        self.current: int | None = scene.get("current")
        self.pages = [_placed(page) for spread in scene["spreads"] for page in spread["pages"]]
        self.place: dict[str, Any] = scene["place"]


def _placed(page: Message) -> PlacedPage:
    return PlacedPage(
        index=page["index"],
        number=page["number"],
        label=page["label"],
        frame=box(page["frame"]),
        visible=box(page["visible"]) if "visible" in page else None,
        size=Size(**page["size"]),
        scale=page["scale"],
        error=error(page["error"], page=page["number"]) if "error" in page else None,
    )


def opening(viewport: tuple[float, float], scale: float, options: dict[str, Any]) -> dict[str, Any]:
    """The members that open a document with a layout. Options are in snake case or in camel case."""
    layout = {re.sub("_([a-z])", _upper, name): value for name, value in options.items()}
    return {"layout": layout, "viewport": {"width": viewport[0], "height": viewport[1]}, "scale": scale}


def _upper(found: re.Match[str]) -> str:
    return found[1].upper()


def position(offset: float | tuple[float, float] | None, page: int | None) -> dict[str, Any]:
    """The members of ``view`` that choose a window."""
    if offset is not None and page is not None:
        raise UsageError("usage", "offset and page: only one of them decides where the window is")
    if page is not None:
        return {"anchor": {"page": page + 1}}
    if offset is None:
        return {}
    return {"offset": {"x": offset[0], "y": offset[1]} if isinstance(offset, tuple) else {"y": offset}}


class Scene:
    """The newest window of a layout and its tiles. The session's thread calls it with each scene and event."""

    def __init__(self) -> None:
        self.measured: Future[None] = Future()
        self._lock = threading.Lock()
        self._scene: Message = {}
        self._tiles: dict[Key, bytes] = {}
        self._failed: set[int] = set()
        self._waiting: list[Future[tuple[Message, dict[Key, bytes]]]] = []

    def complete(self) -> Future[tuple[Message, dict[Key, bytes]]]:
        """The window when all of its tiles are there, and these."""
        future: Future[tuple[Message, dict[Key, bytes]]] = Future()
        with self._lock:
            self._waiting.append(future)
        self._check()
        return future

    def __call__(self, event: Message) -> None:
        with self._lock:
            if "spreads" in event:
                self._scene = event
                wanted = _wanted(event)
                self._tiles = {key: data for key, data in self._tiles.items() if key in wanted}
                self._failed.clear()
            elif event["event"] == "tile":
                self._tiles[_key(event["page"], event["raster"], event)] = event["picture"]
            elif event["event"] == "error" and "page" in event:
                self._failed.add(event["page"])
            elif event["event"] == "ended":
                self._end(event["error"])
                return
        final = self._scene.get("content", {}).get("exact") or event.get("event") == "idle"
        if final and not self.measured.done():
            self.measured.set_result(None)
        self._check()

    def _end(self, problem: Error) -> None:
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            if future.set_running_or_notify_cancel():
                future.set_exception(problem)
        if not self.measured.done():
            self.measured.set_exception(problem)
        self.measured = Future()

    def _check(self) -> None:
        with self._lock:
            missing = [key for key in _wanted(self._scene) - self._tiles.keys() if key[0] not in self._failed]
            if missing or not self._waiting:
                return
            waiting, self._waiting = self._waiting, []
            result = (self._scene, dict(self._tiles))
        for future in waiting:
            if future.set_running_or_notify_cancel():
                future.set_result(result)


def compose(scene: Message, tiles: dict[Key, bytes]) -> PIL.Image.Image:
    """The window as a picture: its tiles in their places, clipped to their pages. Pages that fail are white."""
    scale, viewport = scene["pixelScale"], scene["viewport"]
    left, top = _rounded(viewport["x"] * scale), _rounded(viewport["y"] * scale)
    size = _rounded(viewport["width"] * scale), _rounded(viewport["height"] * scale)
    window = PIL.Image.new("RGB", size, BACKGROUND)
    for page in (page for spread in scene["spreads"] for page in spread["pages"] if "place" in page):
        place = page["place"]
        x, y = place["x"] - left, place["y"] - top
        window.paste("white", (x, y, x + place["width"], y + place["height"]))
        for tile in page.get("tiles", []):
            data = tiles.get(_key(page["number"], page["raster"], tile))
            if data is None:
                continue
            picture, pixels = _pictures.tile(data), tile["pixels"]
            width = min(picture.width, place["width"] - pixels["x"])
            height = min(picture.height, place["height"] - pixels["y"])
            window.paste(picture.crop((0, 0, width, height)), (x + pixels["x"], y + pixels["y"]))
    return window


def _rounded(value: float) -> int:
    return int(value + 0.5) if value >= 0 else -int(-value + 0.5)


def _key(page: int, raster: Message, tile: Message) -> Key:
    return page, raster["width"], raster["height"], tile["column"], tile["row"]


def _wanted(scene: Message) -> set[Key]:
    return {
        _key(page["number"], page["raster"], tile)
        for spread in scene.get("spreads", [])
        for page in spread["pages"]
        for tile in page.get("tiles", [])
    }
