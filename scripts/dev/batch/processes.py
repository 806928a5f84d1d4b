"""What a run of recto and its processes take, read from /proc."""

import os
import resource
import threading
import time

TICKS = os.sysconf("SC_CLK_TCK")


def fields(pid):
    """The fields of /proc/PID/stat after the name; None for a process that is gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b") ")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None


def children(pid):
    """The direct children of a process."""
    try:
        tasks = os.listdir(f"/proc/{pid}/task")
    except FileNotFoundError:
        return []
    found = []
    for task in tasks:
        try:
            with open(f"/proc/{pid}/task/{task}/children", "rb") as file:
                found += [int(child) for child in file.read().split()]
        except (FileNotFoundError, ProcessLookupError):
            pass
    return found


def resident(pid):
    """Resident memory of a process in bytes, shared pages included; 0 for one that is gone."""
    found = fields(pid)
    return int(found[21]) * os.sysconf("SC_PAGE_SIZE") if found else 0


def proportional(pid):
    """Memory of a process in bytes, a page that several share counted in parts; 0 for one that is gone."""
    try:
        with open(f"/proc/{pid}/smaps_rollup", "rb") as file:
            for line in file:
                if line.startswith(b"Pss:"):
                    return int(line.split()[1]) * 1024
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        pass
    return 0


class Watch:
    """Samples a command and its children until it ends.

    `samples` are seconds since the start, resident memory of the command, proportional memory of all
    processes, and processor seconds of the command and of its children that have ended.
    """

    def __init__(self, pid, interval=0.25):
        self.pid = pid
        self.interval = interval
        self.samples = []
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.watch, daemon=True)
        self.thread.start()

    def watch(self):
        start = time.monotonic()
        while not self.ended.is_set():
            found = fields(self.pid)
            if not found or found[0] == b"Z":
                break
            together = sum(proportional(pid) for pid in [self.pid, *children(self.pid)])
            own = (int(found[11]) + int(found[12])) / TICKS
            workers = (int(found[13]) + int(found[14])) / TICKS
            self.samples.append(
                (time.monotonic() - start, resident(self.pid), together, own, workers)
            )
            self.ended.wait(self.interval)

    def stop(self):
        self.ended.set()
        self.thread.join()

    def peak(self):
        """The largest resident memory of the command and proportional memory of all, in MB."""
        return tuple(max((sample[place] for sample in self.samples), default=0) / 1e6 for place in (1, 2))


def wait(process, watch):
    """Waits for a process of `subprocess`: its exit code, and its processor seconds with all it waited for."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    watch.stop()
    return process.returncode, usage


def busy():
    """Seconds that the processors of the machine have been busy and idle since its start."""
    with open("/proc/stat", "rb") as file:
        times = [int(text) / TICKS for text in file.readline().split()[1:9]]
    return sum(times) - times[3] - times[4], times[3] + times[4]
