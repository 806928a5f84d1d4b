"""Pictures as they come from the engine, and what they become: the only place that knows how they are encoded."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import PIL.Image

from ._messages import Message

if TYPE_CHECKING:
    import numpy

#: The format without compression: a header, and rows of red, green and blue, a byte each.
PIXELS = "ppm"


def image(reply: Message) -> PIL.Image.Image:
    """The picture as a Pillow image of mode RGB."""
    pixels = memoryview(reply["picture"])[_header(reply) :]
    picture = PIL.Image.frombytes("RGB", (reply["width"], reply["height"]), bytes(pixels))
    if "incomplete" in reply:
        picture.info["incomplete"] = reply["incomplete"]
    return picture


def array(reply: Message) -> numpy.ndarray[Any, Any]:
    """The picture as an array, height × width × 3 of uint8, without a copy of the pixels."""
    import numpy

    pixels = numpy.frombuffer(reply["picture"], numpy.uint8, offset=_header(reply))
    return pixels.reshape(reply["height"], reply["width"], 3)


def png(reply: Message) -> bytes:
    """The picture as the bytes of a PNG."""
    return bytes(reply["picture"])


def _header(reply: Message) -> int:
    pixels: int = reply["width"] * reply["height"] * 3
    return len(reply["picture"]) - pixels


def tile(data: bytes) -> PIL.Image.Image:
    """The picture of a PNG, of mode RGB."""
    return PIL.Image.open(io.BytesIO(data)).convert("RGB")
