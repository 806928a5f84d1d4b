"""A viewer in headless Chromium, and the server behind it."""

import json
import os
import subprocess
import time
import urllib.request


def program(root):
    """`recto`: that of scripts/build, unless the environment names another one."""
    return os.environ.get("RECTO_PROGRAM", f"{root}/.build/release/recto")


class Server:
    """`recto serve --http` on a port, by default a free one. The environment may name other programs than those of scripts/build."""

    def __init__(self, root, paths, folder, options=(), port=0):
        environment = dict(
            RECTO_HTTP_PROGRAM=f"{root}/.build/release/recto-http",
            RECTO_WORKER=f"{root}/.build/release/recto-worker",
        )
        environment.update(os.environ, XDG_CACHE_HOME=folder)
        self.process = subprocess.Popen(
            [program(root), "serve", *paths, "--http", str(port), *options],
            stdout=subprocess.PIPE,
            env=environment,
            text=True,
        )
        self.address = self.process.stdout.readline().strip().rstrip("/")

    def has_layout_engine(self, token=""):
        """Whether the viewer lays out in the browser: recto-http was built after scripts/wasm."""
        request = urllib.request.Request(f"{self.address}/viewer/pagelayout.wasm", headers={"Authorization": f"Bearer {token}"})
        with urllib.request.urlopen(request) as answer:
            return len(answer.read()) > 0

    def documents(self):
        """The name of each document by the name of its file."""
        with urllib.request.urlopen(f"{self.address}/api/documents") as answer:
            return {entry["name"]: entry["id"] for entry in json.load(answer)["documents"]}

    def close(self):
        self.process.terminate()
        self.process.wait()


class Page:
    """A page of the browser, which must not report an error."""

    def __init__(self, context):
        self.page = context.new_page()
        self.messages = []
        self.page.on("console", self.note)
        self.page.on("pageerror", lambda error: self.messages.append(f"error: {error}"))

    def note(self, message):
        if message.type in ("error", "warning"):
            self.messages.append(f"{message.type}: {message.text}")

    def open(self, address):
        self.page.goto("about:blank")
        self.page.goto(address)
        self.until("window.recto?.stage.scene && recto.stage.pages.visible.length > 0 && recto.stage.pages.isComplete")

    def get(self, expression):
        return self.page.evaluate(expression)

    def until(self, expression, seconds=20):
        """Waits until an expression is true. The policy of the viewer forbids what playwright would do for that."""
        end = time.time() + seconds
        while not self.page.evaluate(f"Boolean({expression})"):
            if time.time() > end:
                raise AssertionError(f"not after {seconds} s: {expression}")
            time.sleep(0.02)

    def command(self, name):
        """Clicks a control of the toolbar, which may be in its menu."""
        if self.get(f"document.getElementById('{name}').closest('#menu') !== null"):
            self.page.click("#menu-button")
        self.page.click(f"#{name}")
        if self.get("document.querySelector(':popover-open') !== null"):
            self.page.keyboard.press("Escape")

    def select(self, name, value):
        """Chooses a value in the toolbar, which may have it in its menu."""
        self.page.select_option(f"#{name}", value, force=True)

    def settle(self):
        """Waits until the viewport rests and has its tiles."""
        time.sleep(0.4)
        self.until("recto.stage.pages.isComplete")
