"""Where outputs and recto's cache are: usually in memory, for a few rows on the disk."""

import os
import shutil
import tempfile
from pathlib import Path

from .machine import filesystem

# What all rows together leave in memory is far less; files that were put aside are empty.
ROOM = 2 << 30


def in_memory():
    """A directory in memory with enough room, else the usual one for temporary files."""
    memory = Path("/dev/shm")
    if filesystem(memory) == "tmpfs" and os.access(memory, os.W_OK):
        if shutil.disk_usage(memory).free >= ROOM:
            return memory
    return Path(tempfile.gettempdir())


def on_disk(root):
    """A directory that is not in memory; None if there is none."""
    for directory in (root / ".build/bench-outputs", Path(tempfile.gettempdir())):
        directory.mkdir(parents=True, exist_ok=True)
        if filesystem(directory) != "tmpfs":
            return directory
    return None


class Outputs:
    """The work directories of a run; `memory` is below the directory asked for, if one was."""

    def __init__(self, root, asked=None):
        if asked:
            asked.mkdir(parents=True, exist_ok=True)
        self.memory = self.make((asked or in_memory()).resolve())
        disk = on_disk(root)
        self.disk = self.make(disk) if disk else None

    @staticmethod
    def make(directory):
        return Path(tempfile.mkdtemp(prefix="recto-bench-", dir=directory))

    def of(self, row):
        """The work directory of a row."""
        return self.disk if row.outputs == "disk" else self.memory

    def described(self):
        """For the result file."""
        found = {"filesystem": filesystem(self.memory)}
        return {**found, "disk": filesystem(self.disk)} if self.disk else found

    def remove(self):
        for directory in filter(None, (self.memory, self.disk)):
            shutil.rmtree(directory, ignore_errors=True)
