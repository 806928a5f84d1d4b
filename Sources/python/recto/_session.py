"""One process of ``recto serve``, and the threads that write to it and read from it."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import queue
import socket
import subprocess
import tempfile
import threading
import weakref
from concurrent.futures import Future
from typing import Any, Callable, NamedTuple

from ._errors import EngineError, Error, error
from ._messages import Message, MessageReader, encoded
from ._pictures import PIXELS

Listener = Callable[[Message], None]

_PROTOCOL = 1


class _Request(NamedTuple):
    reply: Future[Message]
    op: str
    path: str | None
    page: int | None
    event: Listener | None
    answered: Listener | None


class Session:
    """A process. When it has ended, the session is of no more use: requests fail with :class:`EngineError`.

    Requests can come from any thread. Only the session's own threads touch the connection, so an exception in the
    thread of a caller, such as KeyboardInterrupt, leaves no request or reply in pieces.
    """

    def __init__(self, command: list[str]) -> None:
        self.ended = False
        self._why: Error
        self.listeners: dict[int, Listener] = {}  # of the events of a document
        self._requests: dict[int, _Request] = {}
        self._numbers = itertools.count(1)
        self._outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._hello: Future[Message] = Future()
        self._said = tempfile.TemporaryFile()
        self._connection, theirs = socket.socketpair()
        try:
            # In a session of its own, so that Ctrl-C in a terminal interrupts the caller alone.
            self.process = subprocess.Popen(
                command,
                stdin=theirs.fileno(),
                stdout=theirs.fileno(),
                stderr=self._said,
                start_new_session=True,
            )
        except OSError as problem:
            self._connection.close()
            self._said.close()
            raise EngineError("not-installed", f"{command[0]}: {problem.strerror}") from None
        finally:
            theirs.close()
        _sessions.add(self)
        self._reader = threading.Thread(target=self._read, name="recto reader", daemon=True)
        self._reader.start()
        threading.Thread(target=self._write, name="recto writer", daemon=True).start()
        try:
            hello = self._hello.result()
        except BaseException:
            self.close()
            raise
        if hello["protocol"] != _PROTOCOL or PIXELS not in hello["formats"]:
            self.close()
            raise EngineError("version", f"{hello['program']} at {command[0]} does not fit this package")

    def submit(
        self,
        op: str,
        members: dict[str, Any],
        path: str | None = None,
        event: Listener | None = None,
        answered: Listener | None = None,
    ) -> Future[Message]:
        """Sends a request. Its future has the reply, or the error; if it is cancelled, so is the request.

        ``event`` is called with its events, and ``answered`` with a reply that is not an error, before the future has
        it: by the session's thread, in the order of the messages.
        """
        number = next(self._numbers)
        reply: Future[Message] = Future()
        request = _Request(reply, op, path, members.get("page"), event, answered)
        line = encoded({"op": op, "id": number, **members})
        self._requests[number] = request
        reply.add_done_callback(lambda reply: self.post("cancel", id=number) if reply.cancelled() else None)
        self._outbox.put(line)
        if self.ended:
            self._fail_all()
        return reply

    def post(self, op: str, **members: Any) -> None:
        """Sends a request whose reply does not matter."""
        self._outbox.put(encoded({"op": op, **members}))

    def close(self) -> None:
        """Ends the process, and waits until it has ended. Requests that are not answered fail."""
        if self.ended:
            return
        steps = [lambda: self._outbox.put(None), self.process.terminate, self.process.kill]
        for step in steps[1:] if self._requests else steps:
            step()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(2)
                break
        if threading.current_thread() is not self._reader:
            self._reader.join(2)

    def abandon(self) -> None:
        """Lets go of the process without ending it: it is that of the process that this one was forked from."""
        self._why = EngineError("ended", "the process of recto belongs to the parent of this process")
        self.ended = True
        self.process.returncode = 0
        self._connection.close()
        self._said.close()

    def _write(self) -> None:
        with contextlib.suppress(OSError):  # the process has ended, which the other thread learns as well
            while (line := self._outbox.get()) is not None:
                self._connection.sendall(line)
            self._connection.shutdown(socket.SHUT_WR)

    def _read(self) -> None:
        reader = MessageReader()
        try:
            while True:
                with reader.buffer() as place:
                    count = self._connection.recv_into(place)
                if not count:
                    break
                for message in reader.received(count):
                    self._receive(message)
        except OSError:
            pass
        except BaseException:
            self.process.kill()
            raise
        finally:
            self.process.wait()
            self._end()
            self._connection.close()

    def _receive(self, message: Message) -> None:
        if "reply" in message:
            request = self._requests.pop(message.get("id", 0), None)
            if request is not None:
                self._answer(request, message)
        elif message["event"] == "hello":
            self._hello.set_result(message)
        elif "id" in message:
            request = self._requests.get(message["id"])
            if request is not None and request.event is not None:
                request.event(message)
        elif "document" in message:
            self.listeners.get(message["document"], _nothing)(message)
        else:
            self._tell_all(message)

    def _answer(self, request: _Request, message: Message) -> None:
        if not request.reply.set_running_or_notify_cancel():
            if request.op == "open" and "error" not in message:  # cancelled too late
                self.post("close", document=message["document"])
        elif "error" in message:
            request.reply.set_exception(error(message["error"], request.path, request.page))
        else:
            if request.answered is not None:
                request.answered(message)
            request.reply.set_result(message)

    def _tell_all(self, message: Message) -> None:
        for listener in list(self.listeners.values()):
            listener(message)

    def _end(self) -> None:
        self._why = self._reason()
        self.ended = True
        self._outbox.put(None)
        self._fail_all()
        if not self._hello.done():
            self._hello.set_exception(self._why)
        self._tell_all({"event": "ended", "error": self._why})
        self._said.close()

    def _fail_all(self) -> None:
        with contextlib.suppress(KeyError):
            while True:
                _, request = self._requests.popitem()
                if request.reply.set_running_or_notify_cancel():
                    request.reply.set_exception(type(self._why)(*self._why.args))

    def _reason(self) -> Error:
        """Why the process has ended: what it has said last."""
        self._said.seek(0)
        last = self._said.read().decode(errors="replace").strip().rpartition("\n")[2]
        try:
            fields = json.loads(last)
            if fields["code"] == "usage":
                return error(fields)
            last = fields["message"]
        except (ValueError, TypeError, KeyError):
            pass
        return EngineError("ended", "the process of recto has ended" + (f": {last}" if last else ""))


def _nothing(message: Message) -> None:
    pass


_sessions: weakref.WeakSet[Session] = weakref.WeakSet()


def _abandon_all() -> None:
    for session in list(_sessions):
        session.abandon()
    _sessions.clear()


os.register_at_fork(after_in_child=_abandon_all)
