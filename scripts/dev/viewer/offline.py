"""What can be read after the server has ended, with a token, also in a path of another server."""

import io
import os
import socket
import subprocess
import time
from pathlib import Path

import numpy
from browser import Page, Server
from PIL import Image

TOKEN = "0123456789abcdef-token"
LOCAL = "window.recto?.connection.isLocal && recto.stage.scene && recto.stage.pages.visible.length > 0"
# Tiles, text and links of the visible pages, and the files of the viewer.
KEPT = """(async (text) => {
  const entries = (await (await caches.open("recto")).keys()).map(({ url }) => url);
  const has = (part) => entries.some((url) => url.includes(part));
  const parts = ["/tiles/", text, "/viewer/library.html", "/viewer/pagelayout.wasm", "/view/", "/document"];
  return parts.every(has);
})"""


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Proxy:
    """nginx, which has the server in a path."""

    def __init__(self, directory, path, port):
        self.port = free_port()
        folders = "".join(
            f"{name}_temp_path {directory}/{name};\n" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        configuration = Path(f"{directory}/nginx.conf")
        configuration.write_text(
            f"""daemon off; pid {directory}/pid; error_log {directory}/log; worker_processes 1;
events {{ }}
http {{
  access_log off; {folders}
  server {{
    listen 127.0.0.1:{self.port};
    location {path} {{
      proxy_pass http://127.0.0.1:{port}/; proxy_http_version 1.1; proxy_buffering off;
      proxy_set_header Host $http_host; proxy_set_header Connection "";
    }}
  }}
}}
"""
        )
        self.process = subprocess.Popen(["nginx", "-c", configuration], stderr=subprocess.DEVNULL)
        self.address = f"http://127.0.0.1:{self.port}{path.rstrip('/')}"
        for _ in range(250):
            if not socket.socket().connect_ex(("127.0.0.1", self.port)):
                return
            time.sleep(0.02)
        raise AssertionError("nginx does not start")

    def close(self):
        self.process.terminate()
        self.process.wait()


def check(browser, root, cache, output):
    """Reads, ends the server, reads on, and starts the server again."""
    token = Path(cache) / "token"
    token.write_text(TOKEN)
    token.chmod(0o600)
    for path in ("/", "/a/reading-room/"):
        port = free_port()
        start = lambda: Server(root, [f"{root}/Fixtures/book.pdf"], cache, ["--token-file", str(token)], port)
        server = start()
        if not server.has_layout_engine(TOKEN):
            server.close()
            print("offline: not checked, recto-http was built without scripts/wasm")
            return
        directory = Path(cache) / f"nginx{len(path)}"
        directory.mkdir()
        proxy = Proxy(str(directory), path, port) if path != "/" else None
        address = proxy.address if proxy else f"http://127.0.0.1:{port}"
        context = browser.new_context(viewport={"width": 1000, "height": 800})
        try:
            read(context, address, output)
            server.close()
            page = alone(context, address, output)
            server = start()
            page.until("!recto.connection.isLocal && recto.stage.pages.isComplete && recto.current.label === 'iii'", 60)
            refused(context, address, server, token, start)
        finally:
            context.close()
            server.close()
            if proxy:
                proxy.close()
    print("offline: pages that were read can be read without the server, also in a path of another server")


def read(context, address, output):
    """Reads two pages; the token is in the first address alone."""
    page = Page(context)
    page.open(f"{address}/?token={TOKEN}")
    assert page.get("location.href").startswith(f"{address}/view/")
    context.identity = page.get("location.href").split("#")[0]
    for label, number in (("iii", 3), ("iv", 4)):
        page.page.goto("about:blank")
        page.open(f"{context.identity}#page={label}&zoom=1&fit=width")
        page.until(f"recto.stage.scene.current === {number} && document.querySelector('.text span')")
        page.settle()
        context.picture = stage(page)
        end = time.time() + 20
        while not page.get(f"{KEPT}('/text{number}')"):
            assert time.time() < end, "nothing is kept"
            time.sleep(0.1)
    # Writing goes on while the browser is idle.
    page.page.wait_for_timeout(2500)
    assert not page.messages, page.messages
    page.page.close()


def stage(page):
    """The document on the screen."""
    picture = page.page.locator("#stage").screenshot()
    return numpy.asarray(Image.open(io.BytesIO(picture)).convert("RGB"), dtype=int)


def alone(context, address, output):
    """Opens the document while there is no server."""
    page = Page(context)
    page.page.goto(f"{context.identity}#page=iv&zoom=1&fit=width")
    page.until(LOCAL)
    page.until("recto.stage.scene.current === 4 && document.querySelector('.text span')")
    page.settle()
    page.until("document.getElementById('status').textContent.includes('cannot be reached')")
    page.page.screenshot(path=output / "offline.png")
    # The message has a line of its own.
    shown = stage(page)
    difference = numpy.abs(shown - context.picture[: len(shown)]).mean()
    assert difference < 0.5, difference
    assert page.get("document.querySelector('#title').textContent.length > 3")
    # Another zoom has the same tiles, as large as the page, and a page that was not read has its small picture.
    page.page.keyboard.press("+")
    page.settle()
    page.until("recto.stage.pages.visible.every((view) => view.layers.at(-1)?.isComplete || view.coarse.naturalWidth > 0)")
    page.page.keyboard.press("End")
    page.until("recto.stage.scene.current === recto.info.pages")
    page.until("recto.stage.pages.visible.some((view) => view.coarse.naturalWidth > 0)")
    page.page.screenshot(path=output / "offline-not-read.png")
    # So it is in every other arrangement.
    for mode, pages in (("grid", 6), ("paged", 1), ("carousel", 2), ("continuous", 1)):
        page.select("mode", mode)
        page.until(f"recto.stage.layout.mode === '{mode}' && recto.stage.pages.visible.length >= {pages}")
    # What only a server can do is said, and nothing else happens.
    page.get("void recto.search.find('page')")
    page.until("document.getElementById('search-status').textContent.includes('cannot be reached')")
    page.page.goto(f"{address}/")
    page.until("document.querySelectorAll('.document').length === 1 || window.recto")
    page.page.goto("about:blank")
    page.page.goto(f"{context.identity}#page=iii&zoom=1&fit=width")
    page.until(LOCAL)
    page.until("recto.current?.label === 'iii'")
    return page


def refused(context, address, server, token, start):
    """A server that refuses is not gone: nothing that is kept is shown."""
    server.close()
    token.write_text("another-token-0123456789")
    other = start()
    try:
        page = Page(context)
        assert page.page.goto(context.identity).status == 401
    finally:
        other.close()
        token.write_text(TOKEN)
