"""The process behind documents, and how it is run."""

from __future__ import annotations

import os
import shutil
import threading
import weakref
from collections.abc import Sequence
from types import TracebackType

from ._errors import EngineError
from ._session import Session


class Engine:
    """A process of ``recto serve`` and its options. It is started by the first request, and again after it has ended.

    Documents share one engine by default; make others for other options, and pass them to ``open``. Threads and event
    loops can share an engine. A child made by ``os.fork`` has a process of its own.

    ``jobs`` is the number of pages drawn at the same time, by default that of processors. ``timeout`` (seconds) and
    ``memory`` (MB) are the limits of a page. ``text`` is ``"precise"``, or ``"poppler"`` for text as poppler-utils draw
    it. Without ``cache``, nothing is read from the cache on disk or written to it. ``arguments`` are further options of
    ``recto serve``, as on the command line. ``program`` is the path of ``recto``: by default that of the environment
    variable RECTO, else the one in PATH.
    """

    def __init__(
        self,
        *,
        jobs: int | None = None,
        timeout: float | None = None,
        memory: int | None = None,
        text: str | None = None,
        cache: bool = True,
        arguments: Sequence[str] = (),
        program: str | None = None,
    ) -> None:
        self.jobs = jobs if jobs is not None else len(os.sched_getaffinity(0))
        self._program = program
        self._arguments = [] if cache else ["--no-cache"]
        for option, value in (("--timeout", timeout), ("--memory", memory), ("--text", text)):
            if value is not None:
                self._arguments += [option, str(value)]
        self._arguments += arguments
        self._sessions: list[Session] = []  # one at the most
        self._finalizer = weakref.finalize(self, _close, self._sessions)

    @property
    def program(self) -> str:
        """The path of the program ``recto``."""
        program = self._program or os.environ.get("RECTO") or shutil.which("recto")
        if program is None:
            raise EngineError(
                "not-installed",
                "the program recto is not installed: install Recto, or set the environment variable RECTO to its path",
            )
        return program

    @property
    def ahead(self) -> int:
        """The number of pictures that are asked for before the first is there. The process keeps at most 64."""
        return min(2 * self.jobs, 64)

    def session(self) -> Session:
        """The process, started if it is not running. For the modules of this package."""
        with _starting:
            if not self._finalizer.alive:
                raise EngineError("closed", "the engine is closed")
            if not self._sessions or self._sessions[0].ended:
                # Recto leaves one of its jobs to the tiles of layouts, so pictures have all but one.
                jobs = ["--jobs", str(min(self.jobs + 1, 64))]
                serve = [self.program, "serve", "--stdio", "--pictures", "bytes", "--quiet", "--errors", "json"]
                self._sessions[:] = [Session(serve + jobs + self._arguments)]
            return self._sessions[0]

    def close(self) -> None:
        """Ends the process. Requests that are not answered fail; documents of the engine cannot be used any more."""
        self._finalizer()

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _close(sessions: list[Session]) -> None:
    for session in sessions:
        session.close()


_starting = threading.Lock()
_default: Engine | None = None


def default_engine() -> Engine:
    """The engine that documents share which were opened without one."""
    global _default
    with _starting:
        if _default is None:
            _default = Engine()
        return _default


def _after_fork() -> None:
    global _starting
    _starting = threading.Lock()  # another thread of the parent may have held it


os.register_at_fork(after_in_child=_after_fork)
