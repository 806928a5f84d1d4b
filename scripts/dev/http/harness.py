"""What the scripts of this directory share: a server on the loopback interface, and requests to it."""

import contextlib
import http.client
import json
import os
import pathlib
import secrets
import shlex
import shutil
import socket
import statistics
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
HOST = "127.0.0.1"


def free_port():
    with socket.socket() as listener:
        listener.bind((HOST, 0))
        return listener.getsockname()[1]


class Server:
    """A server with a cache of its own unless there is one for it, ended with its process group."""

    def __init__(self, program, paths, *options, port=None, cache=None, **variables):
        self.port = port or free_port()
        self.directory = tempfile.mkdtemp(prefix="recto-http-", dir="/dev/shm")
        environment = dict(os.environ, XDG_CACHE_HOME=cache or self.directory, **variables)
        command = [*shlex.split(program), "serve", *map(str, paths), "--http", str(self.port), *options]
        self.errors = open(os.path.join(self.directory, "errors"), "w+")
        self.output = open(os.path.join(self.directory, "output"), "w+")
        self.process = subprocess.Popen(
            command, stdout=self.output, stderr=self.errors, env=environment, start_new_session=True
        )

    def __enter__(self):
        try:
            self._wait()
        except BaseException:
            self.close()
            raise
        return self

    def _wait(self):
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline and self.process.poll() is None:
            with contextlib.suppress(OSError):
                if self.get("/health", timeout=1)[0] == 200:
                    return
            time.sleep(0.02)
        self.errors.seek(0)
        raise SystemExit(f"the server does not answer: {self.errors.read().strip()}")

    def __exit__(self, *_):
        self.close()

    def close(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, 9)
                self.process.wait()
        self.errors.close()
        self.output.close()
        shutil.rmtree(self.directory, ignore_errors=True)

    def printed(self):
        """What the server has written to standard output."""
        self.output.seek(0)
        return self.output.read()

    def get(self, path, headers=None, method="GET", body=None, timeout=60):
        """Status, headers in lower case, and body of one answer."""
        connection = http.client.HTTPConnection(HOST, self.port, timeout=timeout)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        finally:
            connection.close()

    def documents(self):
        return json.loads(self.get("/api/documents")[2])["documents"]

    def events(self, document, seconds=30, **view):
        """The events of a conversation that opens a document, until it is idle."""
        return list(conversation(self.port, document, seconds, **view))

    def tiles(self, document, **view):
        """The addresses of the tiles of a document's first view."""
        events = self.events(document, **view)
        return list(dict.fromkeys(event["url"] for event in events if event.get("event") == "tile"))

    def pids(self):
        """The server and the processes below it."""
        return descendants(self.process.pid)

    def usage(self):
        """Processes, descriptors and bytes of memory, without pages of files, which the processes share."""
        pids = [pid for pid in self.pids() if os.path.exists(f"/proc/{pid}/fd")]
        descriptors = resident = 0
        for pid in pids:
            with contextlib.suppress(OSError):
                descriptors += len(os.listdir(f"/proc/{pid}/fd"))
                pages = pathlib.Path(f"/proc/{pid}/statm").read_text().split()
                resident += (int(pages[1]) - int(pages[2])) * 4096
        return len(pids), descriptors, resident


def descendants(pid):
    found = [pid]
    for parent in found:
        with contextlib.suppress(OSError):
            for task in os.listdir(f"/proc/{parent}/task"):
                children = pathlib.Path(f"/proc/{parent}/task/{task}/children").read_text()
                found += [int(child) for child in children.split()]
    return found


def conversation(port, document, seconds=30, name=None, headers=None, **view):
    """Opens a document in a conversation, and yields events until it is idle."""
    name = name or secrets.token_hex(16)
    base = f"/api/sessions/{name}"
    stream = http.client.HTTPConnection(HOST, port, timeout=seconds)
    stream.request("GET", f"{base}/events", headers=headers or {})
    answer = stream.getresponse()
    if answer.status != 200:
        raise SystemExit(f"{base}/events: {answer.status} {answer.read()!r}")
    request = {"op": "open", "id": 1, "path": document, "viewport": {"width": 800, "height": 600}, "scale": 2}
    request.update(view)
    asking = http.client.HTTPConnection(HOST, port, timeout=seconds)
    opened = False
    try:
        while line := answer.readline():
            if not line.startswith(b"data: "):
                continue
            event = json.loads(line[6:])
            yield event
            if event.get("event") == "hello":
                asking.request("POST", f"{base}/requests", json.dumps(request), headers or {})
                asking.getresponse().read()
            opened = opened or event.get("reply") == "open"
            if opened and (event.get("event") == "idle" or "error" in event and event.get("reply")):
                return
    finally:
        asking.close()
        answer.close()
        stream.close()




def median(values):
    return statistics.median(values)


def worker_note():
    return f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.2f}"
