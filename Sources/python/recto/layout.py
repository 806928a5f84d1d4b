"""A document as a viewer lays it out, and the windows that a viewport shows of it."""

from __future__ import annotations

import threading
from types import TracebackType
from typing import Any

import PIL.Image

from . import _scenes
from ._handle import Handle, wait
from ._messages import Message
from ._scenes import View


class Layout:
    """A layout of a document, made by :meth:`Document.layout`. It remains if the document is closed."""

    def __init__(self, handle: Handle, viewport: tuple[float, float], scale: float, options: dict[str, Any]) -> None:
        self._scene = _scenes.Scene()
        self._lock = threading.Lock()  # the engine draws one window at a time
        self._handle = handle.again(_scenes.opening(viewport, scale, options), self._scene)

    def window(self, *, offset: float | tuple[float, float] | None = None, page: int | None = None) -> Window:
        """What the viewport shows at ``offset``, ``(x, y)`` or y in layout units, or at the start of ``page`` (index).

        An offset beyond the content shows its end. Without a position it is the window that was asked for last, at
        first where reading starts. The first window waits until all pages are measured, so that positions are final.
        """
        return Window(self, self.scene(offset, page))

    def scene(self, offset: float | tuple[float, float] | None, page: int | None) -> Message:
        """What :meth:`window` is made of."""
        with self._lock:
            return self._view(_scenes.position(offset, page))

    def close(self) -> None:
        """Closes the layout."""
        self._handle.close()

    def image(self, window: View) -> PIL.Image.Image:
        """The picture of a window, as :meth:`Window.image`."""
        with self._lock:
            self._view({"place": window.place})
            scene, tiles = wait(self._scene.complete())
        return _scenes.compose(scene, tiles)

    def _view(self, position: dict[str, Any]) -> Message:
        self._handle.open()
        self._scene.measured.result()
        return wait(self._handle.submit("view", position, answered=self._scene))

    def __enter__(self) -> Layout:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Window(View):
    """What a viewport shows of a layout."""

    def __init__(self, layout: Layout, scene: Message) -> None:
        super().__init__(scene)
        self._layout = layout

    def image(self) -> PIL.Image.Image:
        """The window as a picture of mode RGB, as that of ``recto render --image``. Pages that fail are white."""
        return self._layout.image(self)
