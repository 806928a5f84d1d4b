"""The conversation with ``recto serve`` as bytes and messages, without input or output of its own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

#: A reply or an event. A picture that followed its line is the member ``picture``, a bytearray.
Message = dict[str, Any]

_SMALLEST = 1 << 16


def encoded(request: Mapping[str, Any]) -> bytes:
    """The line of a request. Members that are None are left out."""
    members = {name: value for name, value in request.items() if value is not None}
    return json.dumps(members).encode() + b"\n"


class MessageReader:
    """Turns bytes into messages. Bytes go where :meth:`buffer` says, so that a picture is received in its place."""

    def __init__(self) -> None:
        self._lines = bytearray(_SMALLEST)
        self._filled = 0
        self._picture: bytearray | None = None
        self._received = 0
        self._message: Message = {}

    def buffer(self) -> memoryview:
        """Where the next bytes go; at least one. To be released before :meth:`received` is called."""
        if self._picture is not None:
            return memoryview(self._picture)[self._received :]
        if self._filled == len(self._lines):
            self._lines.extend(bytes(self._filled))
        return memoryview(self._lines)[self._filled :]

    def received(self, count: int) -> list[Message]:
        """The messages that are complete now that ``count`` bytes are in the buffer."""
        messages: list[Message] = []
        if self._picture is not None:
            self._received += count
            if self._received == len(self._picture):
                self._finish_picture(messages)
            return messages
        start, searched = 0, self._filled
        self._filled += count
        while (end := self._lines.find(b"\n", searched, self._filled)) >= 0:
            message: Message = json.loads(self._lines[start:end])
            start = searched = end + 1
            if not message.get("follows"):
                messages.append(message)
                continue
            self._message, self._picture = message, bytearray(message["bytes"])
            self._received = min(len(self._picture), self._filled - start)
            self._picture[: self._received] = self._lines[start : start + self._received]
            start = searched = start + self._received
            if self._received < len(self._picture):
                break
            self._finish_picture(messages)
        if start:
            rest = self._filled - start
            self._lines[:rest] = self._lines[start : self._filled]
            self._filled = rest
        return messages

    def _finish_picture(self, messages: list[Message]) -> None:
        self._message["picture"] = self._picture
        messages.append(self._message)
        self._picture = None
