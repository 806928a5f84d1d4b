"""Pictures as they come from the engine, and what they become: the only place that knows how they are encoded."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import PIL.Image

from ._messages import Message

if TYPE_CHECKING:
    import numpy

#: The format without compression: rows of red, green and blue, a byte each. Those of an engine are its ``formats``.
RAW = "raw"


def image(reply: Message) -> PIL.Image.Image:
    """The picture as a Pillow image of mode RGB."""
    if reply.get("format") == RAW:
        return PIL.Image.frombytes("RGB", (reply["width"], reply["height"]), bytes(reply["picture"]))
    return tile(reply["picture"])


def array(reply: Message) -> numpy.ndarray[Any, Any]:
    """The picture as an array: height × width × 3 of uint8. Raw pixels are not copied."""
    import numpy

    if reply.get("format") == RAW:
        return numpy.frombuffer(reply["picture"], numpy.uint8).reshape(reply["height"], reply["width"], 3)
    return numpy.array(image(reply))


def png(reply: Message) -> bytes:
    """The picture as the bytes of a PNG."""
    return bytes(reply["picture"])


def tile(data: bytes) -> PIL.Image.Image:
    """The picture of a PNG, of mode RGB."""
    return PIL.Image.open(io.BytesIO(data)).convert("RGB")
