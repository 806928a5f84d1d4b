"""A command that reads documents from standard input and prints lines, run without a thread."""

from __future__ import annotations

import contextlib
import fcntl
import os
import selectors
import subprocess
from collections.abc import Generator, Iterable, Iterator, Sequence
from typing import IO, Any

from ._command import problem
from ._errors import EngineError

_PIPE = 1 << 20  # bytes that wait in a pipe, so that the command goes on while its reader does something else
_SAID = 1 << 13  # bytes of messages that are kept


def lines(command: Sequence[str], parts: Iterable[Any]) -> Iterator[bytes]:
    """The lines that a command prints about what is in its standard input: ``parts``, which have bytes.

    Parts are taken as the command reads them, in the thread of the caller. The process has ended when the iterator has,
    also if it is closed before.

    :raises Error: if the command could not do its work; the lines that were printed before have come.
    """
    try:
        # In a session of its own, so that Ctrl-C in a terminal interrupts the caller alone.
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
    except OSError as failure:
        raise EngineError("not-installed", f"{command[0]}: {failure.strerror}") from None
    assert process.stdin and process.stdout and process.stderr
    pipes = (process.stdin, process.stdout, process.stderr)
    for pipe in pipes:
        os.set_blocking(pipe.fileno(), False)
        with contextlib.suppress(OSError):  # the user has as many as they may
            fcntl.fcntl(pipe, getattr(fcntl, "F_SETPIPE_SZ", 1031), _PIPE)
    try:
        said, is_read = yield from _exchange(*pipes, parts)
        code = process.wait()
        if code < 0:
            raise EngineError("ended", f"the process of recto was ended by signal {-code}")
        if code > 1 or not is_read:
            raise problem(said)
    finally:
        process.kill()
        for pipe in pipes:
            pipe.close()
        process.wait()


def _exchange(
    stdin: IO[bytes], stdout: IO[bytes], stderr: IO[bytes], parts: Iterable[Any]
) -> Generator[bytes, None, tuple[bytes, bool]]:
    """Writes what can be written and reads what is there, until the command has closed its outputs. Returns the last
    messages, and whether the command has read everything."""
    views = (view for part in parts if (view := memoryview(part).cast("B")))
    rest: memoryview | None = None  # of a part
    begun: list[bytes] = []  # of a line
    said, is_read = b"", True
    outputs = {stdout, stderr}
    with selectors.DefaultSelector() as ready:
        ready.register(stdin, selectors.EVENT_WRITE)
        for output in outputs:
            ready.register(output, selectors.EVENT_READ)
        while outputs:
            for key, _ in ready.select():
                if key.fileobj is stdin:
                    rest = rest or next(views, None)
                    try:
                        rest = rest and rest[os.write(key.fd, rest) :]
                    except BlockingIOError:
                        pass
                    except BrokenPipeError:
                        rest, is_read = None, False
                    if rest is None:
                        ready.unregister(stdin)
                        stdin.close()
                    continue
                data = os.read(key.fd, _PIPE)
                if not data:
                    ready.unregister(key.fileobj)
                    outputs.discard(key.fileobj)
                elif key.fileobj is stderr:
                    said = (said + data)[-_SAID:]
                else:
                    begin, *ends = data.split(b"\n")
                    begun.append(begin)
                    for end in ends:
                        yield b"".join(begun)
                        begun = [end]
    return said, is_read
