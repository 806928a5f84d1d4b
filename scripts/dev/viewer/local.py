"""Pages are laid out in the browser: where the server will say that they lie, before it has said so."""

from browser import Page

# The visible pages: number, place in the viewport and size.
FRAMES = """(() => {
  const { viewport, spreads } = recto.stage.scene;
  const pages = spreads.flatMap(({ pages }) => pages).filter(({ fraction }) => fraction > 0);
  return pages.map(({ number, frame }) => [number, frame.x - viewport.x, frame.y - viewport.y, frame.width, frame.height]);
})()"""
MODE = "(() => { const mode = document.getElementById('mode'); mode.value = '%s'; mode.dispatchEvent(new Event('change')); })()"
SPREAD = "(() => { const list = document.getElementById('spread'); list.value = '%s'; list.dispatchEvent(new Event('change')); })()"
CHANGES = [
    "recto.stage.zoomBy(1.25)",
    "recto.stage.zoomBy(1 / 1.25, { x: 100, y: 50 })",
    "recto.places.go({ number: 3, fraction: 0.5 })",
    "recto.rotate()",
    SPREAD % "book",
    MODE % "grid",
    "recto.stage.zoomBy(1.25)",
    "recto.places.go({ number: 2 })",
    MODE % "paged",
    "recto.turn(1)",
    "recto.places.go({ number: 4 })",
    MODE % "carousel",
    "recto.turn(-1)",
    SPREAD % "single",
    MODE % "horizontal",
    "recto.stage.zoomBy(1.25)",
    MODE % "continuous",
]


def check(browser, server, documents):
    """Holds the requests of each change until what it leads to is seen."""
    if not server.has_layout_engine():
        print("layout in the browser: not checked, recto-http was built without scripts/wasm")
        return
    slowest = 0
    for name in ("book.pdf", "mixed-sizes.pdf"):
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        page = Page(context)
        page.open(f"{server.address}/view/{documents[name]}#number=2&fit=width")
        page.settle()
        page.until("recto.stage.local.agrees")
        for change in CHANGES:
            slowest = max(slowest, compare(page, name, change))
        page.page.set_viewport_size({"width": 900, "height": 700})
        page.settle()
        page.until("recto.stage.scene.viewport.width === recto.stage.viewport.width")
        assert not page.messages, page.messages
        context.close()
    print(f"layout in the browser: {len(CHANGES)} changes are those of the server, each after {slowest:.0f} ms at most")


def compare(page, name, change):
    """Compares what a change shows at once with what the server replies. Returns the milliseconds until it is shown."""
    page.settle()
    page.until("recto.stage.local.agrees", 5)
    held = []
    page.page.route("**/requests", lambda route: held.append(route))
    time = page.get(f"(() => {{ const start = performance.now(); void {change}; return performance.now() - start; }})()")
    expected, frames = page.get("recto.stage.scene.isExpected"), page.get(FRAMES)
    assert expected, (name, change)
    assert not page.get("recto.stage.pages.isComplete"), (name, change)
    for _ in range(100):
        if held:
            break
        page.page.wait_for_timeout(20)
    for request in held:
        request.continue_()
    page.page.unroute("**/requests")
    page.until("!recto.stage.scene.isExpected")
    told = page.get(FRAMES)
    assert [each[0] for each in frames] == [each[0] for each in told], (name, change, frames, told)
    for one, other in zip(frames, told):
        assert max(abs(first - second) for first, second in zip(one, other)) < 1, (name, change, one, other)
    return time
