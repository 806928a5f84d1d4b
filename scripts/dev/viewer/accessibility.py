"""Rules of axe-core, and what can be done with the keyboard alone."""

import subprocess

from axe_playwright_python.sync_playwright import Axe
from browser import program


def accessible(page, what="accessibility"):
    """Fails if a rule of axe-core does not hold for what is on the screen."""
    results = Axe().run(page.page, options={"resultTypes": ["violations"]}).response
    for violation in results["violations"]:
        nodes = [node["target"] for node in violation["nodes"]][:3]
        print(f"{what}: {violation['impact']}: {violation['id']}: {violation['help']}: {nodes}")
    assert not results["violations"], what
    return len(results["passes"])


def everywhere(page, address):
    """Every layout, every panel of the sidebar, the menu and the dialogs."""
    counts = []
    page.open(f"{address}#page=3")
    for mode in ("continuous", "horizontal", "paged", "grid", "carousel"):
        page.select("mode", mode)
        page.settle()
        counts.append(accessible(page, mode))
    page.select("mode", "continuous")
    page.until("document.querySelector('.text span')")
    counts.append(accessible(page, "text"))
    page.page.keyboard.press("d")
    counts.append(accessible(page, "dark paper"))
    page.page.keyboard.press("d")
    page.page.keyboard.press("b")
    for panel in ("pages", "outline", "notes", "search"):
        page.page.click(f"#tab-{panel}")
        page.settle()
        counts.append(accessible(page, panel))
    page.page.keyboard.press("Escape")
    page.page.keyboard.press("b")
    page.page.click("#menu-button")
    counts.append(accessible(page, "menu"))
    page.page.keyboard.press("Escape")
    for command in ("print", "help"):
        page.page.click("#menu-button")
        page.page.click(f"#{command}")
        counts.append(accessible(page, command))
        page.page.keyboard.press("Escape")
    print(f"accessibility: no rule is broken in {len(counts)} states; {min(counts)} to {max(counts)} rules hold")


def text(page, address, root):
    """The text of a page is real text: a selection of all of it is what recto text prints, and the browser finds it."""
    page.open(f"{address}#page=3&fit=page")
    page.until("recto.stage.pages.of(7)[0]?.overlay.querySelector('.text span')")
    page.get("getSelection().selectAllChildren(recto.stage.pages.of(7)[0].overlay.querySelector('.text'))")
    page.page.keyboard.press("Control+C")
    copied = page.get("navigator.clipboard.readText()")
    command = [program(root), "text", f"{root}/Fixtures/book.pdf", "7"]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert copied.split() == printed.replace("\f", "").split(), copied
    lines = [line for line in printed.replace("\f", "").split("\n") if line]
    assert [line for line in copied.split("\n") if line] == lines, copied
    assert page.get("getSelection().removeAllRanges() ?? window.find('Lichtenberg')")
    print(f"text: {len(copied.split())} words are copied as recto text prints them")


def keyboard(page, library):
    """Ten tasks without a pointer, from the list of documents on."""
    press = page.page.keyboard.press
    focused = "document.activeElement"

    def reach(selector):
        """Moves the focus with the tab key alone."""
        for _ in range(60):
            if page.get(f"{focused}.matches({selector!r})"):
                return
            press("Tab")
        raise AssertionError(f"the tab key does not reach {selector}")

    # 1. Find a document and open it.
    page.page.goto(library)
    page.until("document.querySelectorAll('.document').length > 1")
    reach("#filter")
    page.page.keyboard.type("book")
    page.until("document.querySelectorAll('.document').length === 1")
    reach(".document")
    with page.page.expect_navigation():
        press("Enter")
    page.until("window.recto?.stage.scene && recto.stage.pages.visible.length > 0 && recto.stage.pages.isComplete")
    # 2. Skip the toolbar.
    reach(".skip")
    press("Enter")
    page.until(f"{focused}.id === 'stage'")
    # 3. Go to a page by its label.
    press("g")
    page.page.keyboard.type("iii")
    press("Enter")
    page.until("recto.current?.label === 'iii'")
    # 4. Search, go to a hit, and come back to the document.
    press("/")
    page.page.keyboard.type("the")
    press("Enter")
    page.until("document.querySelectorAll('#hits li').length > 1")
    press("Escape")
    page.until(f"{focused}.id === 'stage'")
    before = page.get("document.querySelector('#hits [aria-current]').textContent")
    press("n")
    page.until(f"document.querySelector('#hits [aria-current]').textContent !== {before!r}")
    # 5. Go to an entry of the outline.
    reach("#tab-search")
    for tab in ("notes", "outline"):
        press("ArrowLeft")
        page.until(f"{focused}.id === 'tab-{tab}'")
    if page.get("!document.getElementById('outline-tree').hidden"):
        reach("#outline-tree")
        press("ArrowDown")
        press("Enter")
        page.settle()
    # 6. Go to a page by its thumbnail.
    reach("#tab-outline")
    press("ArrowLeft")
    reach("#strip")
    press("End")
    page.until("recto.stage.scene.current === recto.info.pages")
    press("Escape")
    press("b")
    page.until("document.getElementById('sidebar').hidden")
    # 7. Zoom, once the pages have the width of the window.
    page.until("!document.getElementById('sidebar').checkVisibility() && recto.stage.scene.viewport.width > 1200")
    page.settle()
    scale = page.get("recto.current.scale")
    press("+")
    page.until(f"recto.current.scale > 1.2 * {scale}")
    press("0")
    page.until(f"Math.abs(recto.current.scale - {scale}) < 0.01")
    # 8. Turn pages in another layout, and rotate them from the menu.
    reach("#mode")
    page.page.keyboard.type("Paged")
    page.until("recto.stage.layout.mode === 'paged'")
    press("Escape")
    press("Home")
    page.until("recto.stage.scene.current === 1")
    press("PageDown")
    page.until("recto.stage.scene.current === 2")
    press("m")
    reach("#rotate")
    press("Enter")
    page.until("recto.stage.layout.rotate === 90")
    press("Escape")
    page.until("document.querySelector(':popover-open') === null")
    # 9. Present: blank the screen, turn a page, end it.
    press("p")
    page.until("recto.presentation.isOn && recto.stage.rests")
    press(".")
    page.until("!document.getElementById('blank').hidden")
    press("ArrowRight")
    page.until("document.getElementById('blank').hidden && recto.stage.scene.current === 3")
    press("p")
    page.until("!recto.presentation.isOn")
    # 10. Read the list of keys and close it; print and cancel.
    press("?")
    page.until("document.getElementById('help-dialog').open")
    press("Enter")
    page.until("!document.getElementById('help-dialog').open")
    press("Control+p")
    page.until("document.getElementById('print-dialog').open")
    press("Escape")
    page.until("!document.getElementById('print-dialog').open")
    print("keyboard: ten tasks done")
