"""The viewer in pages of another site: the examples in docs/EMBED.md."""

import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from browser import Page, Server


class Examples:
    """A server with the examples as pages, which is another site: its host has another name."""

    def __init__(self, root):
        with open(f"{root}/docs/EMBED.md") as file:
            self.sources = re.findall(r"```html\n(.*?)```", file.read(), re.DOTALL)
        self.pages = []
        examples = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                name = self.path.strip("/")
                body = examples.pages[int(name)].encode() if name.isdigit() else b""
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://localhost:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def serve(self, address, document):
        """Puts the address of a server and the name of a document into the examples."""
        replaced = [
            source.replace("https://reading-room.example", address).replace("/ID", f"/{document}")
            for source in self.sources
        ]
        self.pages = [f"<!doctype html><title>Example</title><body>{source}" for source in replaced]


# What an element of the page says that was told of everything, since the frame is closed to scripts of the page.
NOTE = """(() => {
  window.told = [];
  for (const name of ["ready", "error", "pagechange", "zoomchange", "hit", "link", "select"]) {
    addEventListener(name, ({ target, detail }) => {
      if (target.localName === "recto-viewer") told.push({ name, detail });
    }, true);
  }
})()"""


def check(browser, root, cache, output):
    """Runs the examples, and makes sure that no other page can have the viewer in a frame."""
    examples = Examples(root)
    assert len(examples.sources) == 5
    paths = [f"{root}/Fixtures/{name}.pdf" for name in ("book", "links")]
    server = Server(root, paths, cache, ["--allow-origin", examples.origin])
    try:
        documents = server.documents()
        examples.serve(server.address, documents["book.pdf"])
        context = browser.new_context(viewport={"width": 1200, "height": 800})
        context.add_init_script(NOTE)
        page = Page(context)
        page.linked = f"{server.address}/view/{documents['links.pdf']}"
        for number, example in enumerate((plain, toolbar, address, search, side_by_side)):
            page.page.goto("about:blank")
            page.page.goto(f"{examples.origin}/{number}")
            page.until("told.some(({ name }) => name === 'ready')")
            example(page)
            page.page.wait_for_timeout(500)
            page.page.screenshot(path=output / f"embedded-{example.__name__.replace('_', '-')}.png")
        assert not page.messages, page.messages
        refused(page, examples)
        context.close()
    finally:
        server.close()
        examples.server.shutdown()
    print("embedded: the examples of docs/EMBED.md work")


def frame(page, index=1):
    """The viewer in a frame."""
    return page.page.frames[index]


def last(name):
    """The detail of the newest event with a name."""
    return f"told.findLast((event) => event.name === '{name}')?.detail"


def plain(page):
    """Attributes say where the viewer begins, and change it."""
    assert page.get(last("ready")) == {"title": "The Turning of the Page", "pages": page.get("document.querySelector('recto-viewer').info.pages")}
    page.until(f"{last('pagechange')}?.number === 3 || {last('pagechange')}?.label === '3'")
    viewer = "document.querySelector('recto-viewer')"
    assert frame(page).evaluate("recto.stage.layout.mode") == "paged"
    page.get(f"{viewer}.setAttribute('page', 'ii')")
    page.until(f"{last('pagechange')}?.label === 'ii'")
    page.get(f"{viewer}.setAttribute('mode', 'continuous')")
    page.get(f"{viewer}.arrange({{ fit: 'none', zoom: 0.5 }})")
    page.until(f"Math.abs({last('zoomchange')}?.scale - 0.5) < 1e-6")
    assert frame(page).evaluate("recto.stage.layout.mode") == "continuous"
    assert page.get(f"{viewer}.goTo('nowhere').catch((error) => error.message)").count("nowhere") == 1
    assert page.get(f"{viewer}.current.label") == "ii"
    # The way to the other documents is none of the page.
    assert not frame(page).evaluate("document.getElementById('home').checkVisibility()")
    words = frame(page)
    words.wait_for_selector(".text span")
    words.evaluate("getSelection().selectAllChildren(document.querySelector('.text span'))")
    page.until(f"{last('select')}?.text.length > 0")
    # Another element of the same document, moved to another place: it opens again.
    page.get(f"document.body.append({viewer})")
    page.until("told.filter(({ name }) => name === 'ready').length === 2")


def toolbar(page):
    """A toolbar of the page replaces that of the viewer."""
    page.until("document.getElementById('place').value.startsWith('i of')")
    assert not frame(page).evaluate("document.getElementById('toolbar').checkVisibility()")
    page.page.click("#on")
    page.until("document.getElementById('place').value.startsWith('ii of')")
    page.page.click("#back")
    page.until("document.getElementById('place').value.startsWith('i of')")
    before = page.get(f"{last('zoomchange')}.scale")
    page.page.click("#larger")
    page.until(f"{last('zoomchange')}.scale > 1.2 * {before}")


def address(page):
    """The address of the page has the place, and leads to it; links are told and not followed."""
    page.until("location.hash === '#i'")
    page.get("location.hash = '#iii'")
    page.until(f"{last('pagechange')}?.label === 'iii'")
    viewer = frame(page)
    viewer.evaluate("void recto.places.jump({ number: 1 })")
    page.until("location.hash === '#i'")
    # The same element shows another document, which has links.
    page.get(f"document.getElementById('viewer').setAttribute('src', '{page.linked}')")
    page.until("told.filter(({ name }) => name === 'ready').length === 2")
    viewer = frame(page)
    viewer.wait_for_selector(".page a[href^='#']")
    place = page.get(last("pagechange"))
    viewer.evaluate("document.querySelector('.page a[href^=\"#\"]').click()")
    page.until("document.getElementById('link').textContent.startsWith('A link to page ')")
    page.page.wait_for_timeout(300)
    assert page.get(last("pagechange")) == place


def search(page):
    """Words are searched, and the hit is told."""
    page.page.click("#search button")
    page.until("document.getElementById('found').textContent.includes('age')")
    page.page.fill("#words", "xyzzy")
    page.page.click("#search button")
    page.until("document.getElementById('found').textContent === 'Nothing was found.'")


def side_by_side(page):
    """Two documents go on together."""
    page.until("told.filter(({ name }) => name === 'ready').length === 2")
    page.get("void document.querySelectorAll('recto-viewer')[0].goTo('iv')")
    page.until("[...document.querySelectorAll('recto-viewer')].every(({ current }) => current?.label === 'iv')")
    page.get("void document.querySelectorAll('recto-viewer')[1].next()")
    page.until("[...document.querySelectorAll('recto-viewer')].every(({ current }) => current?.number === 5)")


def refused(page, examples):
    """A page of another origin than the allowed one cannot have the viewer in a frame."""
    page.page.goto(f"{examples.origin.replace('localhost', '127.0.0.1')}/0")
    page.page.wait_for_timeout(1500)
    assert page.get("told.length") == 0
    assert not any("/view/" in each.url for each in page.page.frames[1:])
    page.messages.clear()
