"""A document as an engine has it open, shared by the blocking and the asynchronous interface."""

from __future__ import annotations

import os
import threading
import urllib.parse
import weakref
from collections import deque
from collections.abc import Generator, Iterable, Mapping
from concurrent.futures import Future
from typing import Any, Callable, NamedTuple, TypeVar

from . import _command
from ._errors import DocumentError, Error, UsageError, error
from ._messages import Message
from ._session import Listener, Session
from .engine import Engine
from .values import Size

T = TypeVar("T")

_BLOCK = 1000


class Facts(NamedTuple):
    """What is known of a page without drawing it."""

    label: str
    size: Size
    rotation: int


def wait(future: Future[T], timeout: float | None = None) -> T:
    """The result of a request, which is cancelled by an exception that comes before it, such as KeyboardInterrupt."""
    try:
        return future.result(timeout)
    except BaseException:
        future.cancel()
        raise


def ahead(
    draw: Callable[[int], Future[Message]], pages: Iterable[int], depth: int
) -> Generator[Future[Message], None, None]:
    """The requests for pages, in order, of which ``depth`` are sent before the first is waited for."""
    sent: deque[Future[Message]] = deque()
    try:
        for page in pages:
            sent.append(draw(page))
            if len(sent) == depth:
                yield sent.popleft()
        while sent:
            yield sent.popleft()
    finally:
        for future in sent:
            future.cancel()


def _shown(address: str) -> str:
    """An address without user, password, query and fragment."""
    if address.lower().startswith("s3://"):
        return address
    try:
        parts = urllib.parse.urlsplit(address)
    except ValueError:
        return address.partition("//")[0] + "//…"
    return urllib.parse.urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


class Source:
    """Where a document is: at a path, at an address, or in memory. ``path`` has no secrets of an address."""

    def __init__(self, source: str | os.PathLike[str] | bytes) -> None:
        self.path: str | None = None
        self._file = -1
        self._address: str | None = None
        if isinstance(source, str) and source.lower().startswith(("http://", "https://", "s3://")):
            self._address, self.path = source, _shown(source)
            return
        if not isinstance(source, bytes):
            self.path = os.path.abspath(os.fspath(source))
            try:
                self.path.encode()
            except UnicodeEncodeError:
                raise UsageError("usage", "the path is not UTF-8", self.path) from None
            return
        self._file = os.memfd_create("recto")
        weakref.finalize(self, os.close, self._file)
        with os.fdopen(os.dup(self._file), "wb") as file:
            file.write(source)

    @property
    def target(self) -> str:
        """The path by which another process finds it."""
        return self._address or self.path or f"/proc/{os.getpid()}/fd/{self._file}"


class Shown:
    """What is shown of pages: the members of ``open`` that are not as usual, and the options of a command."""

    def __init__(
        self, box: str = "crop", annotations: str = "on", layers: Mapping[str, bool] | None = None
    ) -> None:
        usual = {"box": "crop", "annotations": "on", "layers": {}}
        given = {"box": box, "annotations": annotations, "layers": dict(layers or {})}
        self.members: dict[str, Any] = {name: value for name, value in given.items() if value != usual[name]}

    def options(self, command: str) -> list[str]:
        """Only ``pages`` draws."""
        options = [f"--box={self.members['box']}"] if "box" in self.members else []
        if command != "pages":
            return options
        if "annotations" in self.members:
            options.append(f"--annotations={self.members['annotations']}")
        for name, on in self.members.get("layers", {}).items():
            options += ["--show-layer" if on else "--hide-layer", name]
        return options


class Handle:
    """A document that is opened when it is needed: at first, and again when the process of its engine is another one.

    Creating a handle and :meth:`submit` can block while the process starts and the document is opened.
    """

    def __init__(
        self,
        engine: Engine,
        source: Source,
        password: str | None,
        shown: Shown | None = None,
        members: dict[str, Any] | None = None,
        listener: Listener | None = None,
    ) -> None:
        self.engine, self.password, self.path = engine, password, source.path
        self._source, self._shown = source, shown or Shown()
        # Without a viewport nothing is drawn that is not asked for.
        self._members = members or {"viewport": {"width": 0, "height": 0}}
        self._listener = listener
        self._lock = threading.Lock()
        self._opened: list[tuple[Session, int]] = []  # one at the most
        self._finalizer = weakref.finalize(self, _close, self._opened)
        self._facts: dict[int, Facts | Error] = {}
        self.pages = 0
        self.title: str | None = None
        self.open()

    @property
    def ready(self) -> bool:
        """Whether :meth:`submit` does not block."""
        return bool(self._opened) and not self._opened[0][0].ended

    def submit(
        self, op: str, members: dict[str, Any], event: Listener | None = None, answered: Listener | None = None
    ) -> Future[Message]:
        """Sends a request about the document, as :meth:`Session.submit`."""
        session, number = self._session()
        return session.submit(op, {"document": number, **members}, self.path, event, answered)

    def index(self, page: int) -> int:
        """The index of a page, from 0, of an index that may count from the end."""
        index = page + self.pages if page < 0 else page
        if not 0 <= index < self.pages:
            raise IndexError(f"the document has {self.pages} pages, not one of index {page}")
        return index

    def facts(self, index: int) -> Facts:
        """What is known of a page. Blocks."""
        if index not in self._facts:
            first = index - index % _BLOCK + 1
            pages = f"{first}-{min(first + _BLOCK - 1, self.pages)}"
            self._facts.update(self._read_facts(self.run("info", "--pages", pages)[0]["pages"]))
        known = self._facts[index]
        if isinstance(known, Error):
            raise known
        return known

    def run(self, *command: str, pages: str | None = None, timeout: float | None = None) -> list[Any]:
        """What ``recto COMMAND --json`` prints for the document, or for some of its pages. Blocks."""
        self._session()
        command = (*command, *self._shown.options(command[0]))
        return _command.run(self.engine.program, command, self._source.target, self.password, pages, timeout)

    def again(self, members: dict[str, Any], listener: Listener) -> Handle:
        """The same document, opened once more with other members of ``open``. Blocks."""
        return Handle(self.engine, self._source, self.password, self._shown, members, listener)

    def close(self) -> None:
        """Closes the document. Requests that are not answered are cancelled."""
        self._finalizer()

    def _read_facts(self, pages: list[Message]) -> dict[int, Facts | Error]:
        facts: dict[int, Facts | Error] = {}
        for page in pages:
            first: int = page["number"]
            for number in range(first, page.get("lastNumber", first) + 1):
                if "error" in page:
                    facts[number - 1] = error(page["error"], self.path, number)
                else:
                    facts[number - 1] = Facts(page["label"], Size(**page["size"]), page["rotation"])
        return facts

    def _session(self) -> tuple[Session, int]:
        while True:
            if not self._finalizer.alive:
                raise UsageError("closed", "the document is closed", self.path)
            opened = list(self._opened)
            if opened and not opened[0][0].ended:
                return opened[0]
            self.open()

    def open(self) -> None:
        """Opens the document if it is not open. Blocks."""
        with self._lock:
            if self.ready:
                return
            session = self.engine.session()
            members = {**self._members, **self._shown.members}
            members |= {"path": self._source.target, "password": self.password}
            reply = wait(session.submit("open", members, self.path, answered=lambda reply: self._take(session, reply)))
            if reply["pages"] != self.pages:
                raise DocumentError("changed", "the file has changed", self.path)

    def _take(self, session: Session, reply: Message) -> None:
        # Before the session reads the first event of the document.
        if self.pages not in (0, reply["pages"]) or not self._finalizer.alive:
            session.post("close", document=reply["document"])
            return
        self.pages, self.title = reply["pages"], reply.get("title")
        self._opened[:] = [(session, reply["document"])]
        if self._listener is not None:
            session.listeners[reply["document"]] = self._listener
            self._listener(reply)


def _close(opened: list[tuple[Session, int]]) -> None:
    for session, number in opened:
        session.listeners.pop(number, None)
        session.post("close", document=number)
