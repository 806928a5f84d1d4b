"""What ``recto serve`` does not tell: the command is run for it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from typing import Any

from ._errors import EngineError, Error, error


def run(
    program: str,
    command: Sequence[str],
    path: str,
    password: str | None = None,
    pages: str | None = None,
    timeout: float | None = None,
) -> list[Any]:
    """Runs ``recto`` with a command and its options for a document. Returns what it printed, a value for each line.

    :raises subprocess.TimeoutExpired: after ``timeout`` seconds.
    """
    options = ["--json", "--errors", "json", *(["--password-file", "-"] if password is not None else [])]
    try:
        # The password is not an argument: others can see those.
        ended = subprocess.run(
            [program, *command, *options, "--", path, *([pages] if pages else [])],
            input=(password or "").encode() + b"\n",
            capture_output=True,
            timeout=timeout,
        )
    except OSError as failure:
        raise EngineError("not-installed", f"{program}: {failure.strerror}") from None
    if ended.returncode not in (0, 1):
        raise problem(ended.stderr, path)
    return [json.loads(line) for line in ended.stdout.splitlines()]


def problem(said: bytes, path: str | None = None) -> Error:
    """The exception for the last message of a command with ``--errors json``."""
    for line in reversed(said.splitlines()):
        try:
            return error(json.loads(line), path)
        except (ValueError, TypeError, KeyError):
            continue
    return EngineError("ended", "the process of recto has ended", path)
