"""What scripts/dev/viewer/check does: check.py ROOT PDF DIRECTORY [--short]."""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy
from browser import Page, Server, program
from PIL import Image, ImageDraw, ImageFilter
from playwright.sync_api import sync_playwright

import embedding
import local
import offline
import reader
import slow_line
from accessibility import accessible

ROOT, PDF, OUTPUT = sys.argv[1], sys.argv[2], Path(sys.argv[3])
BOOK = f"{ROOT}/Fixtures/book.pdf"

# Jumps to a page, and resolves to the milliseconds until its last visible tile is on the screen.
JUMP = """async (number) => {
  const start = performance.now();
  await recto.stage.go("view", { anchor: { page: number, fraction: 0 } });
  const box = document.getElementById("stage").getBoundingClientRect();
  const isSeen = (view) => {
    const layer = view.layers.at(-1);
    if (!layer) return false;
    const side = recto.stage.scene.tileSize / layer.scale, place = view.element.getBoundingClientRect();
    return [...layer.wanted].every((key) => {
      const [column, row] = key.split("_").map(Number);
      const [x, y] = [place.left + column * side, place.top + row * side];
      const isOutside = x >= box.right || y >= box.bottom || x + side <= box.left || y + side <= box.top;
      return isOutside || layer.tiles.get(key)?.canvas;
    });
  };
  while (!(recto.stage.scene.current === number && recto.stage.pages.visible.every(isSeen))) {
    if (performance.now() - start > 20000) return -1;
    await new Promise(requestAnimationFrame);
  }
  await new Promise(requestAnimationFrame);
  return performance.now() - start;
}"""

# Scrolls, and resolves to the milliseconds from each frame to the next.
FRAMES = """async ([velocity, seconds]) => {
  const stage = document.getElementById("stage");
  const times = [];
  let last = await new Promise(requestAnimationFrame);
  const end = last + seconds * 1000;
  while (last < end) {
    const now = await new Promise(requestAnimationFrame);
    stage.scrollTop += (velocity * (now - last)) / 1000;
    times.push(now - last);
    last = now;
  }
  return times;
}"""

# Scrolls with a velocity that decays, and resolves to the shares of the visible pages that had tiles in each frame.
SCROLL = """async ([velocity, decay, seconds]) => {
  const stage = document.getElementById("stage");
  const shares = [];
  let [last, speed] = [performance.now(), velocity];
  const end = last + seconds * 1000;
  while (last < end) {
    await new Promise(requestAnimationFrame);
    const now = performance.now();
    stage.scrollTop += (speed * (now - last)) / 1000;
    speed *= Math.exp((-decay * (now - last)) / 1000);
    last = now;
    shares.push(covered(stage.getBoundingClientRect()));
  }
  return shares;
  function covered(box) {
    let [area, shown] = [0, 0];
    for (const page of document.querySelectorAll(".page")) {
      area += overlap(page.getBoundingClientRect(), box);
      const newest = [...page.querySelectorAll(".layer")].at(-1);
      const boxes = [...(newest?.querySelectorAll("canvas") ?? [])].map((image) => image.getBoundingClientRect());
      for (const tile of boxes) shown += overlap(tile, box);
    }
    // The gaps between pages are a small part of the viewport; pages that are missing are not.
    const whole = box.width * box.height;
    return area < 0.5 * whole ? shown / whole : Math.min(1, shown / area);
  }
  function overlap(first, second) {
    const width = Math.min(first.right, second.right) - Math.max(first.left, second.left);
    const height = Math.min(first.bottom, second.bottom) - Math.max(first.top, second.top);
    return Math.max(0, width) * Math.max(0, height);
  }
}"""


def pictures(page, name, pdf):
    """The scene, what is on the screen, and what recto render draws of the same window."""
    shot = OUTPUT / f"{name}.png"
    page.page.screenshot(path=shot)
    scene, layout, box = page.get(
        "[recto.stage.scene, recto.stage.layout, document.getElementById('stage').getBoundingClientRect().toJSON()]"
    )
    options = []
    for key in ("mode", "spread", "axis", "fit", "zoom", "rotate"):
        if layout.get(key) is not None and (layout["mode"], key) != ("carousel", "fit"):
            options += [f"--{key}", str(scene["zoom"] if key == "zoom" else layout[key])]
    if layout.get("insets"):
        options += ["--insets", ",".join(str(side) for side in layout["insets"])]
    options += ["--rtl" if layout.get("rtl") else "--no-rtl"]
    if "turn" in scene:
        options += ["--progress", str(scene["turn"]["progress"])]
    view = scene["viewport"]
    expected = OUTPUT / f"{name}-expected.png"
    subprocess.run(
        [program(ROOT), "render", pdf, *options, "--viewport", f"{view['width']}x{view['height']}"]
        + ["--offset", f"{view['x']},{view['y']}", "--scale", str(scene["pixelScale"]), "--sizes", "exact"]
        + ["--image", str(expected), "--no-cache"],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    scale = scene["pixelScale"]
    screen = numpy.asarray(Image.open(shot).convert("RGB"), dtype=int)
    left, top = round(box["left"] * scale), round(box["top"] * scale)
    drawn = numpy.asarray(Image.open(expected).convert("RGB"), dtype=int)
    screen = screen[top : top + drawn.shape[0], left : left + drawn.shape[1]]
    return scene, screen, drawn[: screen.shape[0], : screen.shape[1]]


def compare(page, name, pdf):
    """Compares the pages on the screen with what recto render draws."""
    page.settle()
    scene, screen, drawn = pictures(page, name, pdf)
    view, scale = scene["viewport"], scene["pixelScale"]
    origin = (round(view["x"] * scale), round(view["y"] * scale))
    worst = 0.0
    for spread in scene["spreads"]:
        for shown in spread["pages"]:
            if shown["fraction"] == 0:
                continue
            place = shown["place"]
            rows = slice(max(0, place["y"] - origin[1] + 1), max(0, place["y"] - origin[1] + place["height"] - 1))
            columns = slice(max(0, place["x"] - origin[0] + 1), max(0, place["x"] - origin[0] + place["width"] - 1))
            first, second = screen[rows, columns], drawn[rows, columns]
            if first.size and first.shape == second.shape:
                worst = max(worst, float(numpy.abs(first - second).mean()))
    print(f"{name}: differs from recto render by {worst:.3f} gray levels")
    assert worst < 0.5, name


def modes(page, address):
    """Every layout shows what recto render shows."""
    page.open(f"{address}#page=iii")
    compare(page, "continuous", BOOK)
    for mode in ("horizontal", "paged", "grid", "carousel"):
        page.select("mode", mode)
        compare(page, mode, BOOK)
        before = page.get("recto.stage.scene.viewport")
        page.page.keyboard.press("ArrowRight")
        page.settle()
        assert mode == "grid" or page.get("recto.stage.scene.viewport") != before, mode
        compare(page, f"{mode}-next", BOOK)
    page.select("mode", "continuous")
    page.select("spread", "book")
    compare(page, "book", BOOK)
    page.command("rtl")
    compare(page, "right-to-left", BOOK)
    page.command("rtl")
    page.command("rotate")
    compare(page, "rotated", BOOK)
    page.select("spread", "single")
    for _ in range(3):
        page.page.click("#zoom-in")
        page.settle()
    compare(page, "zoomed", BOOK)


def turning(browser, address):
    """A page that follows a finger shows the next spread: paper at once, and its tiles when they are there."""
    for name, width, height, options in (
        ("turn-phone", 390, 844, "mode=paged&fit=page"),
        ("turn-book", 1280, 800, "mode=paged&fit=page&spread=book"),
    ):
        context = browser.new_context(
            viewport={"width": width, "height": height}, device_scale_factor=2, has_touch=True
        )
        page = Page(context)
        # Without the small pictures, so that there is nothing but paper until tiles come.
        small = []
        page.page.route("**/thumbnails/**", lambda route: small.append(route))
        page.open(f"{address}#page=3&{options}")
        page.settle()
        tiles = []
        page.page.route("**/tiles/**", lambda route: tiles.append(route))
        session = context.new_cdp_session(page.page)
        box = page.get("document.getElementById('stage').getBoundingClientRect().toJSON()")
        for kind, share in [("touchStart", 0.95)] + [("touchMove", 0.95 - step / 10) for step in range(1, 6)]:
            point = {"x": box["left"] + share * box["width"], "y": box["top"] + 0.6 * box["height"]}
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
        page.until("recto.stage.scene.turn?.progress > 0.45")
        scene, screen, _ = pictures(page, f"{name}-paper", BOOK)
        assert (screen[inside(scene, "revealed", screen)] > 240).mean() > 0.9, name
        for picture in tiles + small:
            picture.continue_()
        page.page.unroute("**/tiles/**")
        page.page.unroute("**/thumbnails/**")
        page.until("[...recto.stage.pages.views.values()].every((view) => view.layers.at(-1)?.isComplete)")
        scene, screen, drawn = pictures(page, name, BOOK)
        for part in {each["part"] for each in scene["turn"]["pages"]} & {"back", "revealed"}:
            mask = inside(scene, part, screen)
            difference = float(numpy.abs(screen[mask] - drawn[mask]).mean())
            print(f"{name}: {part} differs from recto render by {difference:.3f} gray levels")
            assert difference < 8, (name, part)
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        page.until("!recto.stage.scene.turn && [...document.querySelectorAll('.page')].every((page) => !page.style.clipPath)")
        assert not page.messages, page.messages
        context.close()


def inside(scene, part, screen):
    """The pixels of a part of a turn, without those at its edges and in the shadow of the fold."""
    view, scale = scene["viewport"], scene["pixelScale"]
    corners = [((point["x"] - view["x"]) * scale, (point["y"] - view["y"]) * scale) for point in scene["turn"][part]]
    mask = Image.new("1", (screen.shape[1], screen.shape[0]))
    ImageDraw.Draw(mask).polygon(corners, fill=1)
    # In small: the filter looks at all pixels about each.
    small = mask.convert("L").reduce(8).point(lambda value: 255 * (value == 255)).filter(ImageFilter.MinFilter(11))
    return numpy.asarray(small.resize(mask.size, Image.NEAREST)) > 0


def reading(page, address):
    """Labels, history, deep links, search, text, links and printing."""
    page.open(address)
    page.page.keyboard.press("g")
    page.page.keyboard.type("iv")
    page.page.keyboard.press("Enter")
    page.until("recto.stage.scene.current === 4")
    page.page.keyboard.press("g")
    page.page.keyboard.type("15000")
    page.page.keyboard.press("Enter")
    page.until("recto.current?.label === '15000'")
    page.until("location.href.includes('page=15000')")
    link = page.get("location.href")
    page.page.go_back()
    page.until("recto.current?.label === 'iv'")
    page.open(link)
    page.until("recto.current?.label === '15000'")
    page.page.keyboard.press("End")
    page.until("recto.stage.scene.current === recto.info.pages")
    page.page.keyboard.press("Home")
    page.until("recto.stage.scene.current === 1")
    page.page.keyboard.press("/")
    page.page.keyboard.type("chapter 77")
    page.page.keyboard.press("Enter")
    page.until("document.querySelectorAll('#hits li').length > 0 && document.querySelector('.hit')", 60)
    page.page.screenshot(path=OUTPUT / "search.png")
    page.page.click("#tab-outline")
    page.page.click("#tab-pages")
    page.until("document.querySelectorAll('.thumbnail img').length > 2")
    page.page.keyboard.press("Escape")
    page.page.click("#toggle-sidebar")


def follow(page, address):
    """A link leads to its page; words are selected with the mouse and copied."""
    page.open(f"{address}#page=6")
    page.until("recto.current?.label === '6'")
    page.until("document.querySelector('.page a')")
    page.page.locator(".page a").first.click()
    page.until("recto.stage.scene.current === 5000")
    page.page.go_back()
    page.until("recto.current?.label === '6'")
    page.settle()
    page.until("recto.stage.pages.visible[0].overlay.querySelectorAll('.text span').length > 20")
    words = page.get(
        "[...recto.stage.pages.visible[0].overlay.querySelectorAll('.text span')].slice(2, 12).map((span) => span.getBoundingClientRect().toJSON())"
    )
    page.page.mouse.move(words[0]["left"] + 1, words[0]["top"] + words[0]["height"] / 2)
    page.page.mouse.down()
    page.page.mouse.move(words[-1]["right"] - 1, words[-1]["top"] + words[-1]["height"] / 2, steps=5)
    page.page.mouse.up()
    page.page.keyboard.press("Control+C")
    copied = page.get("navigator.clipboard.readText()")
    assert len(copied.split()) >= 8, copied
    print(f"copied: {copied!r}")


def printing(page, address):
    """A range of pages becomes as many pages on paper."""
    page.open(f"{address}#page=3")
    page.page.add_init_script("window.print = () => {}")
    page.get(
        "window.print = () => { window.printed = [...document.querySelectorAll('#print-pages img')].map((image) => image.naturalWidth); }"
    )
    page.command("print")
    page.page.fill("#print-first", "3")
    page.page.fill("#print-last", "6")
    page.page.click("#print-dialog button[value=print]")
    page.until("window.printed?.length === 4")
    # The book has pages of 148 mm, and 300 pixels per inch.
    assert page.get("printed") == [1749] * 4, page.get("printed")


def outline_document(path, count):
    """A document of one page, with an outline of many entries, all of them open."""
    objects = [
        "<< /Type /Catalog /Pages 2 0 R /Outlines 4 0 R >>",
        "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 300] /Resources << >> >>",
        f"<< /Type /Outlines /First 5 0 R /Last {4 + count} 0 R /Count {count} >>",
    ]
    for number in range(5, 5 + count):
        entry = f"<< /Title (Entry {number - 4}) /Parent 4 0 R /Dest [3 0 R /Fit]"
        entry += f" /Prev {number - 1} 0 R" if number > 5 else ""
        entry += f" /Next {number + 1} 0 R" if number < 4 + count else ""
        objects.append(entry + " >>")
    data, offsets = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate(objects, 1):
        offsets.append(len(data))
        data += f"{number} 0 obj\n{body}\nendobj\n".encode()
    start = len(data)
    data += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    data += b"".join(f"{offset:010} 00000 n \n".encode() for offset in offsets)
    data += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n".encode()
    path.write_bytes(data)


def hostile(page, address, documents):
    """Wrong addresses, zooms without end, long outlines, and names that read as others."""
    for fragment in ("mode=__proto__", "zoom=1e308", "fit=valueOf", "rotate=45&rtl=maybe", "page=%00&at=NaN"):
        page.open(f"{address}#{fragment}&spread=double")
        assert page.get("recto.stage.layout.spread") == "double", fragment
        assert page.get("recto.info.pages") > 1
    page.open(f"{address}#zoom=1e6")
    page.until("Math.abs(recto.current.scale - 64) < 1e-6")
    page.open(f"{address}#page=1")
    for _ in range(60):
        page.page.keyboard.press("+")
    page.settle()
    assert page.get("document.getElementById('zoom').textContent") == "6400 %"
    page.open(f"{address}#page=1&zoom=1")
    page.page.mouse.move(600, 400)
    page.page.keyboard.down("Control")
    page.page.mouse.wheel(0, -5000)
    page.page.keyboard.up("Control")
    page.until("Math.abs(recto.stage.scene.zoom - 1.25) < 1e-6")
    library, name = address.split("/view/")[0], next(name for name in documents if "\u202e" in name)
    page.page.goto(library)
    page.until("document.querySelectorAll('.document').length > 1")
    shown = page.get("[...document.querySelectorAll('#documents bdi')].map((name) => name.textContent)")
    assert "long [U+202E]fdp.pdf" in shown, shown
    page.open(f"{library}/view/{documents[name]}")
    assert page.get("document.querySelector('#title bdi').textContent") == "long [U+202E]fdp.pdf"
    page.page.keyboard.press("b")
    start = time.time()
    page.page.click("#tab-outline")
    page.until("document.querySelectorAll('#outline .row').length > 10", 60)
    elements = page.get("document.querySelectorAll('#outline *').length")
    print(f"outline of 100,000 entries: {elements} elements, {1000 * (time.time() - start):.0f} ms")
    assert elements < 500
    page.page.click("#outline-tree")
    page.page.keyboard.press("End")
    page.until("document.querySelector('#outline .row[aria-selected=true]')?.textContent.includes('Entry 100000')")
    page.page.screenshot(path=OUTPUT / "outline.png")
    accessible(page)


def measure(page, session, address):
    """Jumps, tiles while scrolling, and the heap."""
    page.open(address)
    page.settle()
    pages = page.get("recto.info.pages")
    for round_name in ("first", "again"):
        times = []
        for index in range(1, 51):
            times.append(page.page.evaluate(JUMP, 1 + (7919 * index) % pages))
            page.settle()
        assert min(times) >= 0
        times.sort()
        print(f"jump, {round_name}: p50 {times[25]:.0f} ms, p95 {times[47]:.0f} ms, slowest {times[-1]:.0f} ms")
    for name in ("tiles arrive", "tiles are there"):
        page.page.evaluate(JUMP, 4000)
        page.settle()
        times = page.page.evaluate(FRAMES, [800, 10])
        # A frame has 16.7 ms; one that comes later comes with the next.
        late = sum(time > 25 for time in times)
        print(f"frames while scrolling, {name}: {100 * late / len(times):.1f} % of {len(times)} come late, "
              f"the slowest after {max(times):.0f} ms")
    for name, velocity, decay, seconds in (("reading", 800, 0, 10), ("fling", 6000, 0.8, 5)):
        page.page.evaluate(JUMP, 2000)
        page.settle()
        shares = page.page.evaluate(SCROLL, [velocity, decay, seconds])
        print(
            f"{name}: tiles of {100 * statistics.mean(shares):.2f} % of the visible pages, all of them in "
            f"{100 * sum(share > 0.999 for share in shares) / len(shares):.1f} % of {len(shares)} frames"
        )

    def heap():
        session.send("HeapProfiler.collectGarbage")
        return session.send("Runtime.getHeapUsage")["usedSize"] / 1e6

    page.page.evaluate(JUMP, 100)
    page.page.evaluate(SCROLL, [20000, 0, 5])
    before = heap()
    page.page.evaluate(SCROLL, [20000, 0, 50])
    after = heap()
    print(f"heap: {before:.2f} MB, after 1,000,000 pixels {after:.2f} MB")
    nodes = page.get("document.querySelectorAll('*').length")
    print(f"elements: {nodes}")


def main():
    with tempfile.TemporaryDirectory() as cache, sync_playwright() as play:
        outline = Path(cache) / "documents" / "long \u202efdp.pdf"
        outline.parent.mkdir()
        outline_document(outline, 100_000)
        extra = [f"{ROOT}/Fixtures/{name}.pdf" for name in reader.DOCUMENTS]
        server = Server(ROOT, [BOOK, PDF, str(outline), *extra], cache)
        try:
            documents = server.documents()
            book = f"{server.address}/view/{documents['book.pdf']}"
            long = f"{server.address}/view/{documents[Path(PDF).name]}"
            browser = play.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
            context = browser.new_context(viewport={"width": 1280, "height": 800})
            context.grant_permissions(["clipboard-read", "clipboard-write"])
            page = Page(context)
            modes(page, book)
            turning(browser, book)
            reading(page, long)
            if "long.pdf" in PDF:
                follow(page, long)
            printing(page, book)
            reader.check(browser, server.address, documents, OUTPUT, ROOT)
            local.check(browser, server, documents)
            hostile(page, book, documents)
            assert not page.messages, page.messages
            embedding.check(browser, ROOT, cache, OUTPUT)
            offline.check(browser, ROOT, cache, OUTPUT)
            if "--short" in sys.argv:
                return
            sharp = browser.new_context(viewport={"width": 1280, "height": 800}, device_scale_factor=2)
            page = Page(sharp)
            start = time.time()
            page.open(long)
            print(f"first page: {1000 * (time.time() - start):.0f} ms")
            measure(page, sharp.new_cdp_session(page.page), long)
            assert not page.messages, page.messages
            page = Page(browser.new_context(viewport={"width": 1440, "height": 900}))
            slow_line.measure(page, long)
            print(json.dumps({"pictures": str(OUTPUT)}))
        finally:
            server.close()


main()
