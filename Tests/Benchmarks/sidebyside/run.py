"""Starts command lines, waits for them, and says what they cost."""

import ctypes
import os
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36


class Failed(Exception):
    """A command ended with a status other than zero."""


def adopt_orphans():
    """Processes whose parent has gone become ours, so that their processor time is counted too."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")


@dataclass
class Entrant:
    """One contestant of a row: command lines that together do the work.

    `commands` are started at the same time; `before` is called ahead of each run and not timed.
    `shown` is the command as documents print it, `processes` how many render at a time.
    """

    name: str
    peer: str
    commands: list
    shown: str
    processes: int = 1
    before: object = None
    # Given the run's directory: (bytes, files) of what was written. By default all pictures in it.
    written: object = None
    environment: dict = field(default_factory=dict)

    def called(self, name):
        """The same work under another name."""
        return replace(self, name=name)


@dataclass
class Sample:
    """What one run cost: seconds, bytes, files; `inner` is the time a script took of itself."""

    wall: float
    cpu: float
    bytes: int
    files: int
    inner: float | None = None


def start(argv, environment, directory, number):
    """Starts a process with standard output and error in files; returns its id."""
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, str(directory / f"stdout-{number}"),
         os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
        (os.POSIX_SPAWN_OPEN, 2, str(directory / f"stderr-{number}"),
         os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
    ]
    return os.posix_spawnp(argv[0], argv, {**os.environ, **environment}, file_actions=actions)


def substituted(argv, directory):
    """OUT in an argument stands for the run's own directory."""
    return [argument.replace("OUT", str(directory)) for argument in argv]


def put_aside(path, aside):
    """Empties a file, or all files of a directory, and moves it away, without deleting anything.

    For minutes after files were deleted, ext4 without a journal looks at every one of them each time
    it makes a new one, which would slow down the next tool, and tools that write many files most of
    all. Emptied, they are not written to the disk during the next run either.
    """
    if not path.exists():
        return
    if path.is_file():
        os.truncate(path, 0)
    for folder, _, names in os.walk(path):
        for name in names:
            os.truncate(os.path.join(folder, name), 0)
    aside.mkdir(exist_ok=True)
    path.rename(aside / str(len(os.listdir(aside))))


def run(entrant, directory, watch=None):
    """Runs an entrant once in an empty directory; with `watch`, looks at its processes meanwhile."""
    put_aside(directory, directory.parent / "aside")
    directory.mkdir(parents=True)
    if entrant.before:
        entrant.before()
    begun = time.perf_counter()
    children = {
        start(substituted(argv, directory), entrant.environment, directory, number): number
        for number, argv in enumerate(entrant.commands)
    }
    cpu = 0.0
    wall = None
    failed = None
    waiting = set(children)
    while True:
        try:
            pid, status, usage = os.wait4(-1, os.WNOHANG if watch else 0)
        except ChildProcessError:
            break  # the last of them, orphans included
        if pid == 0:
            watch(waiting)
            continue
        cpu += usage.ru_utime + usage.ru_stime
        waiting.discard(pid)
        if not waiting and wall is None:
            wall = time.perf_counter() - begun
        if pid in children and status != 0 and failed is None:
            failed = (children[pid], os.waitstatus_to_exitcode(status))
    if failed:
        number, code = failed
        said = (directory / f"stderr-{number}").read_text(errors="replace").strip()[-400:]
        raise Failed(f"{entrant.name}: {entrant.commands[number]} ended with {code}: {said}")
    count, files = (entrant.written or written_pictures)(directory)
    return Sample(wall, cpu, count, files, inner_seconds(directory, len(children)))


def written_pictures(directory):
    sizes = [file.stat().st_size for file in Path(directory).rglob("*")
             if file.suffix in (".png", ".jpg", ".ppm", ".pgm", ".pnm")]
    return sum(sizes), len(sizes)


def written_text(directory):
    """Bytes and number of texts: what was printed, and files."""
    sizes = [file.stat().st_size for file in Path(directory).iterdir()
             if file.suffix == ".txt" or file.name.startswith("stdout-")]
    written = [size for size in sizes if size]
    return sum(written), len(written)


def inner_seconds(directory, count):
    """The slowest `seconds 0.123` line that our own peer scripts print on standard error."""
    found = []
    for number in range(count):
        for line in (directory / f"stderr-{number}").read_text(errors="replace").splitlines():
            if line.startswith("seconds "):
                found.append(float(line.split()[1]))
    return max(found) if found else None


class MemoryWatch:
    """The most memory each process of a run has had, as the kernel's VmHWM says, in bytes."""

    def __init__(self):
        self.parents = {}
        self.children = {}

    def __call__(self, roots):
        for root in list(roots):
            self.look(root, self.parents)
            for child in descendants(root):
                self.look(child, self.children)
        time.sleep(0.001)

    @staticmethod
    def look(pid, into):
        try:
            with open(f"/proc/{pid}/status") as status:
                for line in status:
                    if line.startswith("VmHWM:"):
                        into[pid] = max(into.get(pid, 0), int(line.split()[1]) * 1024)
        except (FileNotFoundError, ProcessLookupError):
            pass  # it has ended

    def result(self):
        """The largest process that was started, and the largest of those it started itself."""
        return {"parent": max(self.parents.values(), default=0),
                "child": max(self.children.values(), default=0)}


def descendants(pid):
    try:
        tasks = os.listdir(f"/proc/{pid}/task")
    except (FileNotFoundError, ProcessLookupError):
        return
    for task in tasks:
        try:
            with open(f"/proc/{pid}/task/{task}/children") as children:
                found = children.read().split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        for child in found:
            yield int(child)
            yield from descendants(int(child))
