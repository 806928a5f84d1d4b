"""What scripts/dev/viewer/compare does: compare.py ROOT PDF PAGE [slow]."""

import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import slow_line
from browser import Server
from playwright.sync_api import sync_playwright

ROOT, PDF, PAGE, IS_SLOW = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4:] == ["slow"]
RUNS = 5
PDFJS = "/usr/share/javascript/pdf"

# A page is on the screen when it has been drawn and the browser has had a frame for it.
SHOWN = {
    "recto": "window.recto?.stage.scene?.current === {page} && recto.stage.pages.visible.length > 0 && recto.stage.pages.isComplete",
    "pdf.js": "window.PDFViewerApplication?.pdfViewer?.getPageView({page} - 1)?.renderingState === 3",
}
GO = {
    "recto": "void recto.stage.go('view', {{ anchor: {{ page: {page}, fraction: 0 }} }})",
    "pdf.js": "void (PDFViewerApplication.page = {page})",
}


class Nginx:
    """The files of pdf.js and the document."""

    def __init__(self, directory):
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            self.port = listener.getsockname()[1]
        configuration = f"{directory}/nginx.conf"
        folders = "".join(
            f"{name}_temp_path {directory}/{name};\n" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        Path(configuration).write_text(
            f"""daemon off; pid {directory}/pid; error_log {directory}/log; user root; worker_processes 1;
events {{ }}
http {{
  access_log off; sendfile on;
  types {{ text/html html; text/css css; text/javascript js; image/svg+xml svg; application/pdf pdf; }}
  {folders}
  server {{
    listen 127.0.0.1:{self.port}; root {PDFJS};
    location = /document.pdf {{ alias {PDF}; }}
  }}
}}
"""
        )
        self.process = subprocess.Popen(["nginx", "-c", configuration], stderr=subprocess.DEVNULL)
        self.address = f"http://127.0.0.1:{self.port}/web/viewer.html?file=/document.pdf"
        for _ in range(100):
            try:
                urllib.request.urlopen(self.address).close()
                return
            except OSError:
                time.sleep(0.05)
        raise SystemExit("nginx does not start")

    def close(self):
        self.process.terminate()
        self.process.wait()


def below(pid):
    """A process and those below it."""
    found = [pid]
    for parent in found:
        for task in Path(f"/proc/{parent}/task").glob("*/children"):
            found += map(int, task.read_text().split())
    return found


def megabytes(pid):
    """The proportional set size of a process and those below it."""
    total = 0
    for each in below(pid):
        try:
            lines = Path(f"/proc/{each}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total / 1000


def browsers():
    """The process of the browser: the child of this one's driver that is Chromium."""
    for pid in below(os.getpid()):
        try:
            if b"--remote-debugging" in Path(f"/proc/{pid}/cmdline").read_bytes():
                return pid
        except OSError:
            pass
    raise SystemExit("there is no browser")


def until(page, expression, seconds=300):
    end = time.time() + seconds
    while not page.evaluate(f"Boolean({expression})"):
        if time.time() > end:
            raise SystemExit(f"not after {seconds} s: {expression}")
        time.sleep(0.005)
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def run(play, name, address, server):
    """Milliseconds to the first page, to PAGE by a jump and by an address, and megabytes of browser and server."""

    def visit(fragment):
        browser = play.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        context = browser.new_context(viewport={"width": 1280, "height": 800}, device_scale_factor=2)
        page = context.new_page()
        page.goto("about:blank")
        if IS_SLOW:
            slow_line.emulate(page)
        start = time.time()
        page.goto(address + fragment, wait_until="commit")
        until(page, SHOWN[name].format(page=PAGE if fragment else 1))
        return browser, page, 1000 * (time.time() - start)

    browser, page, first = visit("")
    time.sleep(1)
    start = time.time()
    page.evaluate(GO[name].format(page=PAGE))
    until(page, SHOWN[name].format(page=PAGE))
    jump = 1000 * (time.time() - start)
    time.sleep(1)
    memory = megabytes(browsers())
    behind = megabytes(server.process.pid)
    # Addresses of pdf.js name a page by its number, those of Recto by its label.
    label = page.evaluate("encodeURIComponent(recto.current.label)") if name == "recto" else PAGE
    browser.close()
    browser, _, direct = visit(f"#page={label}")
    browser.close()
    return first, jump, direct, memory, behind


def main():
    print(f"{PDF.name}, page {PAGE}, {RUNS} runs in turn, {'slow line, ' if IS_SLOW else ''}{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    print(f"{'':<8} {'first ms':>9} {'jump ms':>9} {'direct ms':>9} {'browser MB':>10} {'server MB':>9}")
    rows = {name: [] for name in SHOWN}
    with tempfile.TemporaryDirectory(dir="/dev/shm") as directory:
        os.chmod(directory, 0o755)
        nginx = Nginx(directory)
        try:
            for index in range(RUNS):
                # Nothing is in a cache of the server.
                server = Server(ROOT, [str(PDF)], f"{directory}/cache-{index}")
                with sync_playwright() as play:
                    try:
                        address = f"{server.address}/view/{server.documents()[PDF.name]}"
                        rows["recto"].append(run(play, "recto", address, server))
                    finally:
                        server.close()
                    rows["pdf.js"].append(run(play, "pdf.js", nginx.address, nginx))
        finally:
            nginx.close()
    medians = {}
    for name, runs in rows.items():
        medians[name] = [statistics.median(column) for column in zip(*runs)]
        print(f"{name:<8}", *(f"{value:>9.0f}" for value in medians[name]))
    print(f"{'ratio':<8}", *(f"{ours / theirs:>9.2f}" for ours, theirs in zip(*medians.values())))


main()
