"""What readers expect of the viewer and of the list of documents."""

from accessibility import accessible, everywhere, keyboard, text
from browser import Page

# Fixtures that are served beside the long document and the book.
DOCUMENTS = ("mixed-sizes", "not-a-pdf", "page-empty", "right-to-left", "encrypted", "notes")


def check(browser, address, documents, output, root):
    """Checks in windows of their own."""
    book = f"{address}/view/{documents['book.pdf']}"
    for name, options, tasks in (
        ("desktop", {"viewport": {"width": 1440, "height": 900}}, (toolbar, zooming, resizing, jumps, spreads, memory)),
        ("list", {"viewport": {"width": 1440, "height": 900}}, (library,)),
        ("phone", {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}, (phone,)),
        ("dark", {"viewport": {"width": 1440, "height": 900}, "color_scheme": "dark"}, (dark,)),
        ("german", {"locale": "de-DE"}, (german,)),
        ("rules", {"reduced_motion": "reduce"}, (rules,)),
        ("high contrast", {"forced_colors": "active"}, (rules_of_colors,)),
    ):
        context = browser.new_context(**options)
        page = Page(context)
        for task in tasks:
            task(page, book, output)
        assert not page.messages, (name, page.messages)
        if name == "rules":
            keyboard(page, address)
            context.grant_permissions(["clipboard-read", "clipboard-write"])
            text(page, book, root)
        context.close()
    context = browser.new_context(viewport={"width": 1200, "height": 800})
    page = Page(context)
    notes(page, book, f"{address}/view/{documents['notes.pdf']}", output)
    assert not page.messages, page.messages
    context.close()
    # A document and pages that fail: the browser reports the answers as errors.
    page = Page(browser.new_context(viewport={"width": 1000, "height": 800}))
    refusal(page, f"{address}/view/{documents['not-a-pdf.pdf']}", output)
    page_error(page, f"{address}/view/{documents['page-empty.pdf']}", output)
    password(page, f"{address}/view/{documents['encrypted.pdf']}")
    page.page.context.close()


def toolbar(page, book, output):
    """The toolbar is one row at every width, and each control of it has a name and a picture."""
    page.open(f"{book}#page=3")
    for width in (1920, 1440, 1100, 900, 700, 560, 390, 320):
        page.page.set_viewport_size({"width": width, "height": 800})
        page.until(f"innerWidth === {width}")
        row = page.get(
            "(() => { const bar = document.getElementById('toolbar');"
            " const boxes = [...bar.children].map((item) => item.getBoundingClientRect()).filter((box) => box.width > 0);"
            " return [bar.offsetHeight, bar.scrollWidth <= bar.clientWidth,"
            "  boxes.every((box) => box.bottom <= bar.offsetHeight && box.right <= innerWidth)]; })()"
        )
        assert row == [44, True, True], (width, row)
    nameless = page.get(
        "[...document.querySelectorAll('#toolbar button, #menu button')].filter((button) =>"
        " !button.textContent.trim() || !button.querySelector('svg[aria-hidden]')).map((button) => button.id)"
    )
    assert nameless == [], nameless
    page.page.set_viewport_size({"width": 1440, "height": 900})
    page.page.click("#menu-button")
    page.settle()
    page.page.screenshot(path=output / "desktop.png")
    page.page.keyboard.press("Escape")


def zooming(page, book, _):
    """No key and no wheel zooms below 10 % or above 6,400 %."""
    page.open(f"{book}#page=3")
    for key, limit in (("-", 0.1), ("+", 64)):
        for _ in range(32):
            page.page.keyboard.press(key)
        page.until(f"Math.abs(recto.current?.scale / {limit} - 1) < 1e-6")
    page.open(f"{book}#page=3&zoom=1")
    page.page.mouse.move(600, 400)
    page.page.keyboard.down("Control")
    for _ in range(30):
        page.page.mouse.wheel(0, 5000)
    page.page.keyboard.up("Control")
    page.until("Math.abs(recto.current.scale - 0.1) < 1e-6")


def notes(page, book, address, output):
    """The files and annotations of a document are listed, and lead to their places."""
    page.open(address)
    page.page.keyboard.press("b")
    page.page.click("#tab-notes")
    page.until("document.querySelectorAll('#notes-list li').length === 6")
    page.until("document.getElementById('notes-message').textContent === ''")
    listed = page.get("[...document.querySelectorAll('#notes-list li')].map((item) => item.innerText)")
    assert "alpha.txt · 5 bytes · The first file" in listed[0], listed
    assert "Ada · 2026-03-01" in listed[2] and "A remark" in listed[2], listed
    accessible(page)
    page.page.screenshot(path=output / "notes.png")
    page.page.locator("#notes-list button").nth(3).click()
    page.until("recto.stage.scene.current === 2")
    page.open(book)
    page.page.keyboard.press("b")
    page.page.click("#tab-notes")
    page.until("document.getElementById('notes-message').textContent === 'The document has no notes and no attached files.'")


def resizing(page, book, _):
    """Pages get the width of the window, also if that changes while a request has no reply."""
    page.open(f"{book}#page=3")
    page.settle()
    held = []
    page.page.route("**/requests", lambda route: held.append(route))
    page.get("recto.stage.view({})")
    page.page.set_viewport_size({"width": 1100, "height": 900})
    page.until("recto.stage.viewport.width < 1101")
    page.page.wait_for_timeout(100)
    assert held
    for request in held:
        request.continue_()
    page.page.unroute("**/requests")
    page.until("recto.stage.scene.viewport.width === recto.stage.viewport.width")
    page.page.set_viewport_size({"width": 1440, "height": 900})
    page.settle()


def jumps(page, book, _):
    """A jump is not lost because the wheel turns."""
    for number in (9, 2):
        page.open(f"{book}#page=1")
        page.page.mouse.move(600, 400)
        for _ in range(5):
            page.page.mouse.wheel(0, 300)
        page.get(f"void recto.places.jump({{ number: {number} }})")
        for _ in range(3):
            page.page.mouse.wheel(0, 1)
        page.settle()
        page.settle()
        assert page.get("recto.stage.scene.current") == number, number


def spreads(page, book, _):
    """Page Down goes from spread to spread where each fits the window, and as often as it is pressed."""
    page.open(f"{book}#page=i&fit=page&spread=double")
    tops = []
    for _ in range(4):
        page.settle()
        tops.append(page.get("recto.stage.scene.viewport.y"))
        whole = page.get("recto.stage.scene.spreads.filter(({ pages }) => pages.every(({ fraction }) => fraction > 0.999)).length")
        assert whole == 1, tops
        page.page.keyboard.press("PageDown")
    assert tops == sorted(set(tops)), tops
    page.open(f"{book}#page=i&mode=paged&fit=page")
    for _ in range(5):
        page.page.keyboard.press("ArrowRight")
    page.until("recto.stage.scene.current === 6")
    # Steps beyond the last page are no steps.
    page.page.keyboard.press("End")
    page.until("recto.stage.scene.current === recto.info.pages")
    for _ in range(3):
        page.page.keyboard.press("ArrowRight")
    page.settle()
    page.page.keyboard.press("ArrowLeft")
    page.until("recto.stage.scene.current === recto.info.pages - 1")


def memory(page, book, _):
    """Place, layout and zoom are those of the last time."""
    page.open(f"{book}#page=iv&mode=paged&fit=page")
    page.until("recto.stage.scene.current === 4")
    page.page.keyboard.press("+")
    page.until("location.hash.includes('zoom=1.25')")
    page.open(f"{book}")
    page.until("recto.stage.scene.current === 4")
    assert page.get("recto.stage.layout.mode") == "paged"
    page.page.keyboard.press("0")
    page.select("mode", "continuous")
    page.settle()
    page.settle()


def library(page, book, output):
    """The list has a cover and a title of each document, and where it was read last."""
    page.open(f"{book}#page=3")
    page.settle()
    page.page.goto(book.split("/view/")[0])
    page.until("document.querySelectorAll('.document').length > 4")
    page.until("[...document.querySelectorAll('.cover img')].filter((image) => image.complete && image.naturalWidth > 0).length >= 4")
    page.until("[...document.querySelectorAll('.document')].some((entry) => entry.textContent.includes('The Turning of the Page'))")
    assert page.get("document.querySelector('a[href*=\"/view/\"]').textContent.length > 0")
    page.page.select_option("#sort", "read")
    page.until("document.querySelector('.document').textContent.includes('page 3')")
    page.page.fill("#filter", "turning page")
    page.until("document.querySelectorAll('.document').length === 1")
    page.page.fill("#filter", "")
    page.until("document.querySelectorAll('.document').length > 4 && document.querySelector('.cover img')?.complete")
    page.page.screenshot(path=output / "library.png")
    accessible(page, "list of documents")
    page.page.fill("#words", "spread")
    page.page.keyboard.press("Enter")
    page.until("document.getElementById('found-status').textContent.includes('with hits') && !document.getElementById('found-status').textContent.includes('…')", 120)
    page.until("document.querySelectorAll('#found-list a').length > 0 && document.querySelector('#found-list img').naturalWidth > 0")
    assert page.get("document.querySelector('#found-list mark').textContent.toLowerCase()").startswith("spread")
    page.page.screenshot(path=output / "library-search.png")
    accessible(page, "search in all documents")
    hit = page.get("document.querySelector('#found-list a').href")
    page.page.fill("#words", "")
    page.until("document.querySelectorAll('.document').length > 4 && document.getElementById('found').hidden")
    page.page.goto(hit)
    page.until(f"window.recto?.stage.scene?.current === {hit.split('=')[-1]}")
    page.page.goto(book.split("/view/")[0])
    page.until("document.querySelectorAll('.cover .none').length >= 2 && document.querySelector('.cover img')?.complete")
    # What the browser logs for documents that cannot be opened.
    page.messages[:] = [message for message in page.messages if "Failed to load" not in message]
    page.page.route("**/api/documents", lambda route: route.fulfill(json={"documents": [
        {"id": f"{number:016x}", "name": f"{number}.pdf", "folder": f"{number % 100}"} for number in range(100_000)
    ]}))
    page.page.route("**/api/documents/*", lambda route: route.fulfill(json={"pages": 1, "thumbnails": "/viewer/icon.svg"}))
    page.page.reload()
    page.until("document.getElementById('status').textContent.startsWith('100000')")
    page.get("document.getElementById('documents').scrollTop = 1e9")
    page.until("[...document.querySelectorAll('.name')].some((name) => name.textContent === '99999.pdf')")
    assert page.get("document.querySelectorAll('.document').length") < 100
    page.page.goto("about:blank")
    page.page.unroute_all(behavior="wait")


def phone(page, book, output):
    """The toolbar hides while the reader goes on, and comes back for a tap, or when the reader goes back."""
    page.open(f"{book}#page=2")
    page.settle()
    page.page.screenshot(path=output / "phone.png")
    accessible(page, "phone")
    size = page.get("recto.stage.viewport")
    session = page.page.context.new_cdp_session(page.page)

    def swipe(distance):
        for step in range(11):
            kind = "touchMove" if step else "touchStart"
            point = {"x": 200, "y": 420 + distance * step / 10}
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
        # A finger that rests before it is lifted: the page does not move on.
        page.page.wait_for_timeout(150)
        session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    swipe(-300)
    page.until("document.body.classList.contains('reading')")
    page.settle()
    page.page.screenshot(path=output / "phone-reading.png")
    page.page.touchscreen.tap(200, 600)
    page.until("!document.body.classList.contains('reading')")
    swipe(-300)
    page.until("document.body.classList.contains('reading')")
    swipe(200)
    page.until("!document.body.classList.contains('reading')")
    # The document keeps its size all the time.
    assert page.get("recto.stage.viewport") == size
    page.page.click("#menu-button")
    page.page.screenshot(path=output / "phone-menu.png")
    accessible(page, "menu of the phone")
    page.page.keyboard.press("Escape")
    page.page.goto(book.split("/view/")[0])
    page.until("[...document.querySelectorAll('.cover img')].filter((image) => image.naturalWidth > 0).length >= 2")
    page.page.screenshot(path=output / "phone-library.png")
    page.messages[:] = [message for message in page.messages if "Failed to load" not in message]


def dark(page, book, output):
    """Dark paper is a choice that is kept."""
    page.open(f"{book}#page=3")
    assert not page.get("document.body.classList.contains('dark-paper')")
    page.page.keyboard.press("d")
    page.settle()
    page.page.screenshot(path=output / "dark.png")
    page.open(f"{book}#page=4")
    assert page.get("document.body.classList.contains('dark-paper')")
    page.page.keyboard.press("d")


def german(page, book, _):
    """The words are those of the reader's language."""
    page.open(book)
    page.settle()
    assert page.get("document.documentElement.lang") == "de"
    assert page.get("document.getElementById('next').textContent.trim()") == "Nächste Seite"
    assert page.get("document.getElementById('page-count').textContent").startswith("von ")
    empty = page.get(
        "[...document.querySelectorAll('[data-text]')].filter((element) => !element.textContent).map((element) => element.outerHTML)"
    )
    assert empty == [], empty


def rules(page, book, _):
    """axe-core, in all layouts and dialogs."""
    everywhere(page, book)


def rules_of_colors(page, book, output):
    """The viewer in the colors of a system with high contrast."""
    page.open(f"{book}#page=3")
    page.settle()
    page.page.screenshot(path=output / "high-contrast.png")
    accessible(page, "high contrast")


def refusal(page, address, output):
    """A document that cannot be opened: which one, why, and what can be done."""
    page.page.goto(address)
    page.until("!document.getElementById('refusal').hidden && document.getElementById('refusal-name').textContent")
    page.page.screenshot(path=output / "refusal.png")
    text = page.get("document.getElementById('refusal').innerText")
    assert "not-a-pdf.pdf" in text and "open:" not in text and "Try again" in text, text
    accessible(page, "refusal")


def page_error(page, address, output):
    """A page that cannot be drawn says so in its place, and can be tried again."""
    page.page.goto(address)
    page.until("document.querySelector('.page-error button')", 40)
    page.page.screenshot(path=output / "page-error.png")
    accessible(page, "page that fails")
    page.get("void (window.before = document.querySelector('.page-error'))")
    page.page.click(".page-error button")
    page.until("document.querySelector('.page-error button') && !before.isConnected")


def password(page, address):
    """A password is asked for, and again if it is wrong."""
    page.page.goto(address)
    page.until("document.getElementById('password-dialog').open")
    accessible(page, "password")
    page.page.keyboard.type("wrong")
    page.page.keyboard.press("Enter")
    page.until("document.getElementById('password-message').textContent.includes('wrong')")
    page.until("document.getElementById('password-dialog').open")
    page.page.keyboard.type("secret")
    page.page.keyboard.press("Enter")
    page.until("recto.stage.scene && recto.stage.pages.visible.length > 0 && recto.stage.pages.isComplete")
